// A timeline by itself: what is valid, what is found again, what goes first.
#include "check.h"

#include "host/session.h"
#include "host/timeline.h"

#include <limits>

using namespace sinew::host;

namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t plenty = std::uint64_t{1} << 40;

Digest hash(std::uint64_t value) { return Digester().number(value).finish(); }

/// An entry that can be told from others, and takes about a thousand bytes.
Entry entry(std::uint8_t number) {
    Entry made;
    made.outputs = std::make_shared<const Outputs>();
    made.state = std::make_shared<const std::vector<std::uint8_t>>(1000, number);
    return made;
}

/// Frames that follow from each other, with marks of their own.
struct Chain {
    explicit Chain(std::uint64_t limit = plenty) : timeline(limit, any_number) {}

    bool get(std::int64_t frame, std::uint64_t mark) {
        return timeline.get(root, frame, hash(mark), frame > 0) != nullptr;
    }
    void put(std::int64_t frame, std::uint64_t mark, Entry made = entry(0)) {
        const auto before = timeline.before(root, frame);
        CHECK(frame <= 0 || before);
        timeline.put(root, frame, frame > 0 ? before->link : root, hash(mark), std::move(made), frame > 0);
    }
    void put_all(std::int64_t last, std::uint64_t mark = 0) {
        for (std::int64_t frame = 0; frame <= last; ++frame) put(frame, mark);
    }
    std::string frames() const {
        std::string text;
        for (const std::int64_t frame : timeline.frames(root)) text += std::to_string(frame) + " ";
        return text;
    }

    Timeline timeline;
    Digest root = hash(77);
};

void what_is_known_follows() {
    Chain chain;
    CHECK(!chain.get(0, 0) && !chain.get(3, 0));
    chain.put_all(3);
    CHECK(chain.get(3, 0) && chain.get(1, 0));
    CHECK_EQUAL(chain.timeline.nearest(chain.root, 9).value_or(-1), 3);
    CHECK(!chain.timeline.nearest(chain.root, 0));
    // Another mark: this frame and later ones are no longer valid, and come back with the old one.
    CHECK(!chain.get(2, 5));
    CHECK_EQUAL(chain.frames(), "0 1 ");
    CHECK(!chain.get(3, 0));
    CHECK(chain.get(2, 0) && chain.get(3, 0));
    // Nothing holds under another root.
    chain.root = hash(78);
    CHECK(!chain.get(0, 0));
    chain.root = hash(77);
    CHECK(chain.get(3, 0));
}

void a_frame_is_not_taken_for_one_that_follows_from_something_else() {
    Chain chain;
    chain.put_all(3);
    chain.put(1, 8);
    CHECK_EQUAL(chain.frames(), "0 1 ");
    // The same mark as before, after another frame 1.
    CHECK(!chain.get(2, 0));
    chain.put(2, 0);
    CHECK(chain.get(1, 8) && chain.get(2, 0) && !chain.get(3, 0));
}

void distrusted_frames_are_proved_again() {
    Chain chain;
    chain.put_all(4);
    chain.timeline.distrust(2);
    CHECK_EQUAL(chain.frames(), "0 1 ");
    CHECK(!chain.get(4, 0));
    CHECK(chain.get(2, 0) && chain.get(3, 0) && chain.get(4, 0));
    chain.timeline.distrust();
    CHECK_EQUAL(chain.frames(), "");
    CHECK(!chain.get(1, 0));
    CHECK(chain.get(0, 0) && chain.get(1, 0));
}

void a_frame_that_was_computed_before_a_distrust_is_kept_but_not_known() {
    Chain chain;
    chain.put_all(2);
    const auto before = chain.timeline.before(chain.root, 3);
    chain.timeline.distrust();
    chain.timeline.put(chain.root, 3, before->link, hash(0), entry(0), true);
    CHECK_EQUAL(chain.frames(), "");
    CHECK(chain.get(0, 0) && chain.get(1, 0) && chain.get(2, 0) && chain.get(3, 0));
    // Neither does it count once the frame before is another one.
    const auto old = chain.timeline.before(chain.root, 4);
    chain.put(3, 9);
    chain.timeline.put(chain.root, 4, old->link, hash(0), entry(0), true);
    CHECK_EQUAL(chain.frames(), "0 1 2 3 ");
}

void the_least_recently_used_go_first() {
    const std::uint64_t one = entry(0).bytes();
    Chain chain(5 * one);
    chain.put_all(4);
    CHECK_EQUAL(chain.timeline.used(), 5 * one);
    CHECK(chain.get(0, 0));
    chain.put(5, 0);
    CHECK_EQUAL(chain.frames(), "0 2 3 4 5 ");
    // The one that was put last stays, whatever was used after it.
    CHECK(chain.get(0, 0) && chain.get(2, 0) && chain.get(3, 0) && chain.get(4, 0));
    chain.timeline.set_limit(1);
    CHECK_EQUAL(chain.frames(), "5 ");
    CHECK_EQUAL(chain.timeline.used(), one);
    CHECK(chain.timeline.before(chain.root, 6)->state != nullptr);
    Chain few;
    few.timeline = Timeline(plenty, 3);
    few.put_all(9);
    CHECK_EQUAL(few.frames(), "7 8 9 ");
}

/// Frame 2 went for lack of memory, and comes back otherwise: those after it must not stay valid.
void what_comes_back_otherwise_has_no_successors() {
    const std::uint64_t one = entry(0).bytes();
    const auto with_gap = [&] {
        Chain chain(5 * one);
        chain.put_all(4);
        for (const int frame : {0, 1, 3, 4}) CHECK(chain.get(frame, 0));
        chain.timeline.set_limit(4 * one);
        CHECK_EQUAL(chain.frames(), "0 1 3 4 ");
        chain.timeline.set_limit(plenty);
        return chain;
    };
    Chain same = with_gap();
    same.put(2, 0);
    CHECK_EQUAL(same.frames(), "0 1 2 3 4 ");
    Chain other = with_gap();
    other.put(2, 6);
    CHECK_EQUAL(other.frames(), "0 1 2 ");
    // Nor across a wider gap.
    Chain wide = with_gap();
    wide.put(1, 6);
    CHECK_EQUAL(wide.frames(), "0 1 ");
    CHECK(!wide.get(3, 0));
}

void several_results_of_a_frame_are_kept() {
    Chain chain;
    for (std::uint64_t mark = 0; mark < 6; ++mark) chain.put(0, mark);
    for (const std::uint64_t mark : {0U, 1U}) CHECK(!chain.get(0, mark));
    for (const std::uint64_t mark : {2U, 3U, 4U, 5U}) CHECK(chain.get(0, mark));
    CHECK_EQUAL(chain.timeline.used(), 4 * entry(0).bytes());
}

void what_followed_from_a_failure_goes_with_it() {
    Chain chain;
    chain.put_all(1);
    Entry failed = entry(0);
    failed.outputs = nullptr;
    failed.failure = "It failed.";
    chain.put(2, 0, failed);
    chain.put(3, 0);
    CHECK_EQUAL(chain.frames(), "0 1 3 ");
    chain.put(2, 0);
    CHECK_EQUAL(chain.frames(), "0 1 2 ");
    CHECK(!chain.get(3, 0));
    CHECK_EQUAL(chain.timeline.used(), 3 * entry(0).bytes());
}

} // namespace

int main() {
    what_is_known_follows();
    a_frame_is_not_taken_for_one_that_follows_from_something_else();
    distrusted_frames_are_proved_again();
    a_frame_that_was_computed_before_a_distrust_is_kept_but_not_known();
    the_least_recently_used_go_first();
    what_comes_back_otherwise_has_no_successors();
    several_results_of_a_frame_are_kept();
    what_followed_from_a_failure_goes_with_it();
    return sinew::tests::finish();
}
