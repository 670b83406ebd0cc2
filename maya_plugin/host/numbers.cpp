#include "numbers.h"

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

} // namespace sinew::host
