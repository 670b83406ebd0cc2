// The reader of JSON takes what RFC 8259 allows and nothing else.
#include "host/authoring/json.h"
#include "tests/host/check.h"

#include <sinew/sinew.hpp>

#include <clocale>
#include <cstdint>
#include <string>

namespace {

using sinew::host::Json;
using sinew::host::JsonError;

void reads_values() {
    const Json all = Json::parse(R"( {"a":[1,-2.5e1,0,1E+2,0.125],"b":{"c":null,"d":true,"e":false},"":""} )");
    CHECK_EQUAL(all.at("a").items().size(), 5U);
    CHECK_EQUAL(all.at("a").items()[1].number(), -25.0);
    CHECK_EQUAL(all.at("a").items()[3].number(), 100.0);
    CHECK_EQUAL(all.at("a").numbers()[4], 0.125);
    CHECK(all.at("b").at("c").is_null());
    CHECK(all.at("b").at("d").flag());
    CHECK(!all.at("b").at("e").flag());
    CHECK_EQUAL(all.at("").text(), "");
    CHECK(all.find("z") == nullptr);
    CHECK(Json::parse("[]").items().empty() && Json::parse("{}").members().empty());
}

void reads_texts() {
    CHECK_EQUAL(Json::parse(R"("\"\\\/\b\f\n\r\t")").text(), std::string("\"\\/\b\f\n\r\t"));
    CHECK_EQUAL(Json::parse(R"("\u0041\u00e4\u20ac\ud83d\ude00")").text(), std::string("A\u00e4\u20ac\U0001F600"));
    CHECK_EQUAL(Json::parse("\"\u00e4\u20ac\U0001F600\"").text(), std::string("\u00e4\u20ac\U0001F600"));
    CHECK_EQUAL(Json::parse("\"a\\u0000b\"").text().size(), 3U);
}

void refuses_what_is_broken() {
    const char* broken[] = {
        "", " ", "{", "[", "[1,]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}",
        "{\"a\":1,\"a\":2}", "[1]]", "1 2", "tru", "nul", "True", "NaN", "Infinity", "-", "+1", "01", "1.", ".5", "1e",
        "1e+", "0x1", "1e999", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "\"a\tb\"", "\"\xff\"", "\"\xc3\"", "\"\xc0\xaf\"",
        "\"\xe0\x80\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "// no\n1", "[1,,2]", "\xef\xbb\xbf[]",
    };
    for (const char* text : broken) {
        try {
            Json::parse(text);
            sinew::tests::fail(__FILE__, __LINE__, std::string("this is taken for JSON: ") + text);
        } catch (const JsonError&) {
        }
    }
    CHECK_THROWS(JsonError, Json::parse(std::string_view("1\0", 2)));
    // A text is read to its end and no further, also where it is cut anywhere.
    const std::string good = R"({"a":[1.5e3,"\u20ac",true,null],"b":{}})";
    for (std::size_t length = 0; length < good.size(); ++length)
        CHECK_THROWS(JsonError, Json::parse(std::string_view(good).substr(0, length)));
    CHECK_THROWS(JsonError, Json::parse(std::string(100000, '[')));
    CHECK_THROWS(JsonError, Json::parse("[1]").text());
    CHECK_THROWS(JsonError, Json::parse("{}").at("a"));
}

/// Damaged anywhere, a text is read or refused, and nothing else happens.
void survives_damage() {
    const std::string good = sinew::describe_document("muscle_set").substr(0, 4000);
    std::uint32_t random = 12345;
    const auto next = [&random](std::size_t below) {
        random = random * 1664525U + 1013904223U;
        return static_cast<std::size_t>(random >> 8) % below;
    };
    for (int round = 0; round < 2000; ++round) {
        std::string text = good.substr(0, 1 + next(good.size()));
        for (std::size_t k = 0; k < 1 + next(4); ++k) text[next(text.size())] = static_cast<char>(next(256));
        try {
            Json::parse(text);
        } catch (const JsonError&) {
        }
    }
}

/// A host may have set a locale whose decimal point is a comma.
void ignores_the_locale() {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
        if (std::setlocale(LC_ALL, name)) break;
    CHECK_EQUAL(Json::parse("[1.5]").items()[0].number(), 1.5);
    std::setlocale(LC_ALL, "C");
}

void reads_what_the_library_says() {
    for (const char* type : {"strand_scene", "muscle_set", "muscle_plan"})
        CHECK_EQUAL(Json::parse(sinew::describe_document(type)).at("name").text(), std::string(type));
}

} // namespace

int main() {
    reads_values();
    reads_texts();
    refuses_what_is_broken();
    survives_damage();
    ignores_the_locale();
    reads_what_the_library_says();
    return sinew::tests::finish();
}
