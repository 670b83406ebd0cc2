#include "host/authoring/json.h"

#include <cmath>
#include <cstdint>
#include <locale>
#include <sstream>

namespace sinew::host {
namespace {

/// What is nested deeper is refused: each level takes some of the stack.
constexpr int deepest = 200;

/// How many bytes the character has that begins with a byte, by RFC 3629; 0 where none begins with it.
std::size_t length_of_character(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return 2;
    if (first >= 0xe0 && first < 0xf0) return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

void append_character(std::string& to, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { to.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
    }
    put(0x80 | (code & 0x3f));
}

} // namespace

class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    Json whole() {
        Json found = value(0);
        skip_space();
        if (at_ < text_.size()) fail("something follows the value");
        return found;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw JsonError("The text is no JSON: at byte " + std::to_string(at_) + " " + what + ".");
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char wanted) {
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void skip_space() {
        while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool is_digit() const { return peek() >= '0' && peek() <= '9'; }

    Json value(int depth) {
        if (depth > deepest) fail("it is nested too deeply");
        skip_space();
        Json found;
        switch (peek()) {
        case '{': found.value_ = members(depth); return found;
        case '[': found.value_ = items(depth); return found;
        case '"': found.value_ = text(); return found;
        case 't': word("true"); found.value_ = true; return found;
        case 'f': word("false"); found.value_ = false; return found;
        case 'n': word("null"); return found;
        default: found.value_ = number(); return found;
        }
    }

    void word(std::string_view wanted) {
        if (text_.substr(at_, wanted.size()) != wanted) fail("there is no value");
        at_ += wanted.size();
    }

    Json::Items items(int depth) {
        Json::Items found;
        ++at_;
        skip_space();
        if (take(']')) return found;
        do found.push_back(value(depth + 1));
        while (next(']'));
        return found;
    }

    Json::Members members(int depth) {
        Json::Members found;
        ++at_;
        skip_space();
        if (take('}')) return found;
        do {
            skip_space();
            if (peek() != '"') fail("a name is missing");
            std::string name = text();
            for (const auto& other : found)
                if (other.first == name) fail("the name \"" + name + "\" stands twice");
            skip_space();
            if (!take(':')) fail("a colon is missing");
            found.emplace_back(std::move(name), value(depth + 1));
        } while (next('}'));
        return found;
    }

    /// Whether another item follows; otherwise the end does.
    bool next(char end) {
        skip_space();
        if (take(',')) return true;
        if (!take(end)) fail(std::string("a comma or ") + end + " is missing");
        return false;
    }

    void digits() {
        if (!is_digit()) fail("a digit is missing");
        while (is_digit()) ++at_;
    }

    double number() {
        const std::size_t begin = at_;
        take('-');
        if (!is_digit()) fail("there is no value");
        if (take('0')) {
            if (is_digit()) fail("a number begins with 0");
        } else {
            digits();
        }
        if (take('.')) digits();
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            digits();
        }
        // Whatever locale the host has set: its decimal point is not JSON's.
        std::istringstream stream{std::string(text_.substr(begin, at_ - begin))};
        stream.imbue(std::locale::classic());
        double found = 0;
        stream >> found;
        if (!std::isfinite(found) || std::abs(found) > 1.7e308) fail("a number is too large");
        return found;
    }

    std::uint32_t hex() {
        std::uint32_t found = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char digit = peek();
            found <<= 4;
            if (digit >= '0' && digit <= '9') found += static_cast<std::uint32_t>(digit - '0');
            else if (digit >= 'a' && digit <= 'f') found += static_cast<std::uint32_t>(digit - 'a' + 10);
            else if (digit >= 'A' && digit <= 'F') found += static_cast<std::uint32_t>(digit - 'A' + 10);
            else fail("\\u needs four hexadecimal digits");
        }
        return found;
    }

    std::uint32_t escaped_character() {
        const std::uint32_t first = hex();
        if (first < 0xd800 || first > 0xdfff) return first;
        if (first > 0xdbff || !take('\\') || !take('u')) fail("half of a pair of surrogates is missing");
        const std::uint32_t second = hex();
        if (second < 0xdc00 || second > 0xdfff) fail("half of a pair of surrogates is missing");
        return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    }

    void escape(std::string& to) {
        switch (const char what = peek(); what) {
        case '"':
        case '\\':
        case '/': to.push_back(what); break;
        case 'b': to.push_back('\b'); break;
        case 'f': to.push_back('\f'); break;
        case 'n': to.push_back('\n'); break;
        case 'r': to.push_back('\r'); break;
        case 't': to.push_back('\t'); break;
        case 'u':
            ++at_;
            append_character(to, escaped_character());
            return;
        default: fail("there is no such escape");
        }
        ++at_;
    }

    void character(std::string& to) {
        const auto byte = [&](std::size_t k) {
            return at_ + k < text_.size() ? static_cast<unsigned char>(text_[at_ + k]) : static_cast<unsigned char>(0);
        };
        const unsigned char first = byte(0), second = byte(1);
        if (first < 0x20) fail("a control character stands in a text");
        const std::size_t length = length_of_character(first);
        bool good = length > 0;
        for (std::size_t k = 1; k < length; ++k) good = good && (byte(k) & 0xc0) == 0x80;
        // Longer than needed, halves of surrogate pairs, beyond the last character.
        good = good && !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second > 0x9f) &&
               !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second > 0x8f);
        if (!good) fail("a text is not UTF-8");
        to.append(text_.substr(at_, length));
        at_ += length;
    }

    std::string text() {
        std::string found;
        ++at_;
        while (!take('"')) {
            if (at_ >= text_.size()) fail("a text has no end");
            if (take('\\')) escape(found);
            else character(found);
        }
        return found;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

Json Json::parse(std::string_view text) { return JsonReader(text).whole(); }

template <class T> const T& Json::as(const char* what) const {
    const T* found = std::get_if<T>(&value_);
    if (!found) throw JsonError(std::string("A value of the JSON is not ") + what + ".");
    return *found;
}

bool Json::flag() const { return as<bool>("true or false"); }
double Json::number() const { return as<double>("a number"); }
const std::string& Json::text() const { return as<std::string>("a text"); }
const Json::Items& Json::items() const { return as<Items>("a list"); }
const Json::Members& Json::members() const { return as<Members>("an object"); }

const Json* Json::find(std::string_view name) const {
    for (const auto& member : members())
        if (member.first == name) return &member.second;
    return nullptr;
}

const Json& Json::at(std::string_view name) const {
    if (const Json* found = find(name)) return *found;
    throw JsonError("The JSON has no \"" + std::string(name) + "\".");
}

std::string Json::text_or_empty(std::string_view name) const {
    const Json* found = find(name);
    return !found || found->is_null() ? std::string() : found->text();
}

std::vector<double> Json::numbers() const {
    std::vector<double> found;
    for (const Json& item : items()) found.push_back(item.number());
    return found;
}

} // namespace sinew::host
