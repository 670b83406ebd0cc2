// A strict reader of JSON (RFC 8259), for what the library says of documents.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sinew::host {

class Json {
public:
    using Items = std::vector<Json>;
    using Members = std::vector<std::pair<std::string, Json>>;

    /// What a text says; throws JsonError if it is no JSON, with the place where it is not.
    static Json parse(std::string_view text);

    bool is_null() const { return value_.index() == 0; }
    bool is_text() const { return std::holds_alternative<std::string>(value_); }
    /// Each throws JsonError if it is something else.
    bool flag() const;
    double number() const;
    const std::string& text() const;
    const Items& items() const;
    const Members& members() const;
    /// The member of a name: null if there is none; `at` throws JsonError then.
    const Json* find(std::string_view name) const;
    const Json& at(std::string_view name) const;

    /// A text, or an empty one in place of null or a member that is not there.
    std::string text_or_empty(std::string_view name) const;
    std::vector<double> numbers() const;

private:
    friend class JsonReader;
    template <class T> const T& as(const char* what) const;

    std::variant<std::monostate, bool, double, std::string, Items, Members> value_;
};

struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace sinew::host
