// Numbers as text that reads the same whatever locale the host has set: some write decimal commas, or group digits.
#pragma once

#include <string>

namespace sinew::host {

/// As many digits as bring all bits of a double back.
constexpr int all_digits = 17;

std::string number_text(double number, int digits = all_digits);

/// The number of a frame: enough digits for any, and few enough for those between.
std::string frame_text(double number);

} // namespace sinew::host
