#include "numbers.h"

#include <cmath>
#include <locale>
#include <sstream>

namespace sinew::host {

std::string number_text(double number, int digits) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(digits);
    text << number;
    return text.str();
}

std::string frame_text(double number) {
    constexpr int between = 7;
    return number_text(number, std::floor(number) == number ? all_digits : between);
}

} // namespace sinew::host
