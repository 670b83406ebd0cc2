// Hashes that tell contents apart: of arrays, numbers and texts. Not for secrets: whoever wants two contents of one
// hash can make them.
#pragma once

#include <sinew/sinew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace sinew::host {

/// 128 bits.
struct Digest {
    std::uint64_t high = 0, low = 0;

    bool operator==(const Digest& other) const { return high == other.high && low == other.low; }
    bool operator!=(const Digest& other) const { return !(*this == other); }
    bool operator<(const Digest& other) const { return std::tie(high, low) < std::tie(other.high, other.low); }
};

/// Takes in one part after another. Texts and arrays take in their lengths, so that what ends where counts, too. Every
/// platform gives the same digest: all that Sinew is built for have the lowest byte first.
class Digester {
public:
    Digester& number(std::uint64_t value);
    Digester& number(double value);
    Digester& text(std::string_view value);
    Digester& digest(const Digest& value);
    /// The items of an array without what lies between them.
    Digester& array(const SinewArray& value);
    template <class T> Digester& values(Span<const T> values) {
        number(std::uint64_t{values.size()});
        bytes(values.data(), values.size() * sizeof(T));
        return *this;
    }

    Digest finish() const;

private:
    static constexpr std::size_t stripe = 32;

    void bytes(const void* data, std::size_t size);

    std::array<std::uint64_t, 4> lanes_{0x9E3779B185EBCA87U, 0xC2B2AE3D27D4EB4FU, 0x165667B19E3779F9U,
                                        0x85EBCA77C2B2AE63U};
    std::array<unsigned char, stripe> rest_{};
    std::size_t rest_size_ = 0;
    std::uint64_t size_ = 0;
};

} // namespace sinew::host
