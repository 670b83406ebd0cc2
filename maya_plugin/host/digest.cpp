// The lanes are those of xxHash64 (by Yann Collet's description of the algorithm): each takes every fourth word of 64
// bits, in a step that can be undone if the word is known, so that lanes of contents that differ in one word always
// differ. All four lanes go into both halves of the digest.
#include "digest.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace sinew::host {

namespace {

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87U, prime_2 = 0xC2B2AE3D27D4EB4FU, prime_3 = 0x165667B19E3779F9U,
                        prime_4 = 0x85EBCA77C2B2AE63U;

constexpr std::uint64_t rotate(std::uint64_t value, int by) { return (value << by) | (value >> (64 - by)); }

std::uint64_t word(const unsigned char* from) {
    std::uint64_t value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::uint64_t step(std::uint64_t lane, std::uint64_t input) { return rotate(lane + input * prime_2, 31) * prime_1; }

/// Each bit of the result depends on all bits of the value; different values give different results.
std::uint64_t avalanche(std::uint64_t value) {
    value = (value ^ (value >> 33)) * prime_2;
    value = (value ^ (value >> 29)) * prime_3;
    return value ^ (value >> 32);
}

/// The lanes in an order that differs between the halves of a digest.
std::uint64_t fold(const std::array<std::uint64_t, 4>& lanes, std::uint64_t size, std::size_t first) {
    std::uint64_t folded = avalanche(size + prime_4 * (first + 1));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        folded = rotate(folded ^ avalanche(lanes[(i + first) % lanes.size()] + first), 27) * prime_1 + prime_3;
    }
    return avalanche(folded);
}

void take(std::array<std::uint64_t, 4>& lanes, const unsigned char* data, std::size_t stripes) {
    // Local copies stay in registers.
    std::uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    for (; stripes > 0; --stripes, data += 32) {
        a = step(a, word(data));
        b = step(b, word(data + 8));
        c = step(c, word(data + 16));
        d = step(d, word(data + 24));
    }
    lanes = {a, b, c, d};
}

std::size_t size_of(std::int32_t element) { return element == SINEW_F64 ? 8 : 4; }

} // namespace

void Digester::bytes(const void* data, std::size_t size) {
    if (size == 0) return;
    const auto* from = static_cast<const unsigned char*>(data);
    size_ += size;
    if (rest_size_ > 0) {
        const std::size_t more = std::min(size, stripe - rest_size_);
        std::memcpy(rest_.data() + rest_size_, from, more);
        rest_size_ += more;
        from += more;
        size -= more;
        if (rest_size_ < stripe) return;
        take(lanes_, rest_.data(), 1);
        rest_size_ = 0;
    }
    take(lanes_, from, size / stripe);
    rest_size_ = size % stripe;
    std::memcpy(rest_.data(), from + (size - rest_size_), rest_size_);
}

Digester& Digester::number(std::uint64_t value) {
    bytes(&value, sizeof value);
    return *this;
}

Digester& Digester::number(double value) {
    bytes(&value, sizeof value);
    return *this;
}

Digester& Digester::text(std::string_view value) {
    number(std::uint64_t{value.size()});
    bytes(value.data(), value.size());
    return *this;
}

Digester& Digester::digest(const Digest& value) { return number(value.high).number(value.low); }

Digester& Digester::array(const SinewArray& value) {
    const std::size_t item = size_of(value.element) * value.components;
    const auto count = static_cast<std::size_t>(value.count), stride = static_cast<std::size_t>(value.stride);
    const auto element = static_cast<std::uint64_t>(static_cast<std::uint32_t>(value.element));
    number(element).number(std::uint64_t{value.components}).number(std::uint64_t{count});
    const auto* from = static_cast<const unsigned char*>(value.data);
    if (item == 0 || count == 0) return *this;
    if (from == nullptr) throw std::invalid_argument("An array with items has no memory.");
    if (stride == 0 || stride == item) {
        bytes(from, item * count);
        return *this;
    }
    // Packed in blocks, so that the lanes have whole stripes.
    std::array<unsigned char, 4096> block;
    if (item > block.size()) throw std::invalid_argument("An item of an array is too large.");
    std::size_t filled = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (filled + item > block.size()) {
            bytes(block.data(), filled);
            filled = 0;
        }
        std::memcpy(block.data() + filled, from + i * stride, item);
        filled += item;
    }
    bytes(block.data(), filled);
    return *this;
}

Digest Digester::finish() const {
    std::array<std::uint64_t, 4> lanes = lanes_;
    std::array<unsigned char, stripe> last{};
    std::memcpy(last.data(), rest_.data(), rest_size_);
    // The size counts, so that zeros at the end do.
    take(lanes, last.data(), 1);
    return {fold(lanes, size_, 0), fold(lanes, size_, 2)};
}

} // namespace sinew::host
