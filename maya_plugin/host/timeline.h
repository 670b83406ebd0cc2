// Results and states by frame, in bounded memory: the least recently used go first.
//
// Each result has a link, the hash of everything that it follows from: what does not move (the root), and what is the
// frame's own (its mark) in it and in all frames before it. So a result that holds again, after an undo, is found
// again, and one that follows from something else is never taken for it. A frame is valid if its link is known.
#pragma once

#include "digest.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew::host {

struct Outputs;
using State = std::shared_ptr<const std::vector<std::uint8_t>>;

/// What is kept of a frame.
struct Entry {
    std::shared_ptr<const Outputs> outputs;
    /// From which the next frame goes on; null where the node has none.
    State state;
    /// Why the frame has no outputs: the next one goes on from the state before it.
    std::string failure;

    std::uint64_t bytes() const;
};

/// A state to go on from, and the link of the frame whose it is.
struct Before {
    Digest link;
    State state;
};

/// A state of a frame, which later ones need not follow from.
struct Outdated {
    std::int64_t frame = 0;
    Before before;
    /// Whether that frame is valid; if not, whether it is one with the present settings.
    bool valid = false, same_root = false;
};

/// Not for several threads at a time.
class Timeline {
public:
    /// At most so many bytes, and so many frames.
    Timeline(std::uint64_t limit, std::size_t most) : limit_(limit), most_(most) {}

    /// The frame if it is valid, or null. From a frame on whose mark has changed, nothing is known to be valid any
    /// longer. `follows` is false for frames that follow from no other. The entry lives until the next call.
    const Entry* get(const Digest& root, std::int64_t frame, const Digest& mark, bool follows);
    /// From what a frame goes on; nothing if the frame before is not valid.
    std::optional<Before> before(const Digest& root, std::int64_t frame) const;
    /// The states of the nearest frame before one that has any: first that of the valid frame, then the others, the last
    /// used first.
    std::vector<Outdated> outdated_before(const Digest& root, std::int64_t frame) const;
    /// The frame that followed from `before` when it was computed, valid or not; null where there is none. The entry
    /// lives until the next call.
    const Entry* after(const Before& before, std::int64_t frame, const Digest& mark);
    /// Keeps a frame that followed from `before`: the link of the frame before it, or the root. Returns its link.
    Digest put(const Digest& root, std::int64_t frame, const Digest& before, const Digest& mark, Entry entry,
               bool follows);

    /// What was shown in place of a frame, by the hash of all that it follows from; null if it is not kept. It lives until
    /// the next call.
    const Entry* preview(const Digest& key);
    void put_preview(const Digest& key, Entry entry);

    /// What is the frames' own was edited, from a frame on: nothing there is known to be valid until it is found again.
    void distrust(std::int64_t first);
    void distrust() { valid_.clear(); }
    void clear();

    void set_limit(std::uint64_t limit);
    /// Whether frames that were valid had to go for others that follow from the same root, since the limit was set.
    bool is_short() const { return short_; }
    /// The bytes of the largest frame that is kept.
    std::uint64_t largest() const;
    std::uint64_t used() const { return used_; }
    /// The valid frames that have outputs, in order.
    std::vector<std::int64_t> frames(const Digest& root) const;
    /// The last valid frame before one.
    std::optional<std::int64_t> nearest(const Digest& root, std::int64_t frame) const;

private:
    /// How many results of one frame are kept, with other settings or another motion.
    static constexpr std::size_t most_of_frame = 4;

    using Key = std::pair<std::int64_t, Digest>;
    using Links = std::map<std::int64_t, Digest>;
    struct Slot {
        Entry entry;
        Digest root, mark;
        /// Grows with each use.
        std::uint64_t used = 0;
        bool follows = false;
    };

    bool is_valid(const Digest& root, const Key& key) const;
    void know(const Digest& root, const Key& key);
    void forget(const Digest& root, std::int64_t first);
    void drop(std::map<Key, Slot>::iterator slot);
    void drop_oldest_of(std::int64_t frame);
    void drop_previews();
    void shrink();

    struct Shown {
        Entry entry;
        std::uint64_t used = 0;
    };

    std::map<Key, Slot> slots_;
    std::map<Digest, Shown> previews_;
    /// By root: the links of the frames that are known to be valid, each with its slot. None is empty.
    std::map<Digest, Links> valid_;
    std::optional<Key> last_put_;
    bool short_ = false;
    std::uint64_t limit_, used_ = 0, uses_ = 0;
    std::size_t most_;
};

} // namespace sinew::host
