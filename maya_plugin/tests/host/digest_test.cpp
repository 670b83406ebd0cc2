// Hashes: equal contents have equal ones, however they lie in memory; different contents have different ones.
#include "check.h"

#include "host/digest.h"

#include <cstring>
#include <random>
#include <set>

using namespace sinew;
using namespace sinew::host;

namespace {

Digest of(const SinewArray& values) { return Digester().array(values).finish(); }

Digest of_text(std::string_view text) { return Digester().text(text).finish(); }

std::vector<float> noise(std::size_t size) {
    std::mt19937 random(7);
    std::vector<float> values(size);
    for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
    return values;
}

void strided_items_are_those_of_packed_ones() {
    for (const std::size_t items : {0U, 1U, 5U, 341U, 342U, 1000U, 4099U}) {
        const std::vector<float> packed = noise(3 * items);
        std::vector<float> apart(5 * items + 1, 99.0F), otherwise(4 * items + 1, -7.0F);
        for (std::size_t i = 0; i < items; ++i) {
            for (std::size_t k = 0; k < 3; ++k) apart[5 * i + k] = otherwise[4 * i + k] = packed[3 * i + k];
        }
        const Digest expected = of(array<const float>({packed.data(), packed.size()}, 3));
        CHECK(of(strided(apart.data(), items, 3, 20)) == expected);
        CHECK(of(strided(otherwise.data(), items, 3, 16)) == expected);
        CHECK(of(strided(packed.data(), items, 3, 12)) == expected);
        if (items > 0) {
            apart[5 * (items - 1) + 2] += 1;
            CHECK(of(strided(apart.data(), items, 3, 20)) != expected);
        }
    }
}

void every_bit_counts() {
    std::vector<float> values = noise(67);
    const auto all = [&] { return of(array<const float>({values.data(), values.size()}, 1)); };
    std::set<Digest> seen{all()};
    for (std::size_t bit = 0; bit < 32 * values.size(); ++bit) {
        std::uint32_t word = 0;
        std::memcpy(&word, &values[bit / 32], 4);
        const std::uint32_t flipped = word ^ (1U << bit % 32);
        std::memcpy(&values[bit / 32], &flipped, 4);
        CHECK(seen.insert(all()).second);
        std::memcpy(&values[bit / 32], &word, 4);
    }
    CHECK(all() == *seen.find(all()));
}

/// Both halves spread: of so many nearly equal contents, no half of a digest comes twice.
void halves_do_not_collide() {
    std::set<std::uint64_t> high, low;
    std::vector<std::uint32_t> values(24);
    for (std::uint32_t i = 0; i < 200000; ++i) {
        values[i % 24] = i;
        const Digest digest = of(array<const std::uint32_t>({values.data(), values.size()}, 1));
        CHECK(high.insert(digest.high).second);
        CHECK(low.insert(digest.low).second);
    }
}

void shape_and_type_count() {
    const std::vector<float> six(6, 0.0F);
    const std::vector<std::uint32_t> whole(6, 0);
    const std::vector<double> wide(3, 0.0);
    const auto some = [&](std::size_t size, std::uint32_t components) {
        return of(array<const float>({six.data(), size}, components));
    };
    const std::set<Digest> digests{some(6, 1), some(6, 2), some(6, 3), some(5, 1), some(0, 1),
                                   of(array<const std::uint32_t>({whole.data(), 6}, 1)),
                                   of(array<const double>({wide.data(), 3}, 1))};
    CHECK_EQUAL(digests.size(), 7U);
    CHECK(Digester().text("ab").text("c").finish() != Digester().text("a").text("bc").finish());
    CHECK(Digester().text("").text("a").finish() != Digester().text("a").text("").finish());
    CHECK(Digester().number(1.0).number(2.0).finish() != Digester().number(2.0).number(1.0).finish());
    std::set<Digest> zeros;
    for (std::size_t size = 0; size < 200; ++size) zeros.insert(of_text(std::string(size, '\0')));
    CHECK_EQUAL(zeros.size(), 200U);
    // One item of six numbers, four of which are what two items of one number have between them.
    const std::uint32_t six_words[] = {7, SINEW_U32, 0, 1, 0, 9};
    const auto words = [&](std::size_t first, std::size_t size) {
        return array<const std::uint32_t>({six_words + first, size}, static_cast<std::uint32_t>(size));
    };
    CHECK(of(words(0, 6)) != Digester().array(words(0, 1)).array(words(5, 1)).finish());
    SinewArray none = array<const float>({six.data(), 6}, 1);
    none.data = nullptr;
    CHECK_THROWS(std::invalid_argument, of(none));
}

/// However the parts of one content come.
void pieces_do_not_count() {
    const std::vector<float> values = noise(1000);
    Digester whole, pieces;
    whole.number(std::uint64_t{1}).values(Span<const float>(values.data(), 1000));
    pieces.number(std::uint64_t{1}).number(std::uint64_t{1000});
    for (std::size_t i = 0; i < 1000; i += 2) {
        std::uint64_t pair = 0;
        std::memcpy(&pair, &values[i], 8);
        pieces.number(pair);
    }
    CHECK(whole.finish() == pieces.finish());
}

/// Compilers and platforms agree on these.
void digests_are_the_same_everywhere() {
    const Digest nothing = Digester().finish(), text = of_text("The quick brown fox jumps over the lazy dog");
    CHECK_EQUAL(nothing.high, 0x9477c4f6adf8d96dU);
    CHECK_EQUAL(nothing.low, 0x95b448ffac6d5d4bU);
    CHECK_EQUAL(text.high, 0xf679a47b6abe84edU);
    CHECK_EQUAL(text.low, 0x517ae0dfeb0a7e27U);
}

} // namespace

int main() {
    strided_items_are_those_of_packed_ones();
    every_bit_counts();
    halves_do_not_collide();
    shape_and_type_count();
    pieces_do_not_count();
    digests_are_the_same_everywhere();
    return tests::finish();
}
