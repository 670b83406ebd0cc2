// Numbers as text, in whatever locale the host has set.
#include "check.h"

#include "host/numbers.h"

#include <clocale>
#include <cstdlib>
#include <limits>
#include <locale>

using sinew::host::number_text;

namespace {

/// As in Germany: 1.234,5.
struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

void numbers_come_back() {
    for (const double number : {0.0, 0.1, -1.0 / 3, 1234567.25, 1e-300, std::numeric_limits<double>::max()}) {
        CHECK_EQUAL(std::strtod(number_text(number).c_str(), nullptr), number);
    }
    CHECK_EQUAL(number_text(1234567.25), "1234567.25");
    CHECK_EQUAL(number_text(0.125, 2), "0.12");
    CHECK_EQUAL(number_text(24), "24");
}

} // namespace

int main() {
    numbers_come_back();
    std::locale::global(std::locale(std::locale::classic(), new German));
    CHECK_EQUAL(number_text(1234567.25), "1234567.25");
    std::locale::global(std::locale::classic());
    // Where such a locale is installed, that of C, too.
    if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") != nullptr) CHECK_EQUAL(number_text(0.5), "0.5");
    return sinew::tests::finish();
}
