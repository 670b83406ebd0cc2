#include "timeline.h"

#include "session.h"

#include <algorithm>
#include <iterator>

namespace sinew::host {

namespace {
Digest link_of(const Digest& before, const Digest& mark) { return Digester().digest(before).digest(mark).finish(); }
} // namespace

std::uint64_t Entry::bytes() const {
    // What an entry takes beside its arrays.
    constexpr std::uint64_t own = 256;
    return own + failure.size() + (outputs ? outputs->bytes() : 0) + (state ? state->size() : 0);
}

const Entry* Timeline::get(const Digest& root, std::int64_t frame, const Digest& mark, bool follows) {
    auto links = valid_.find(root);
    if (links != valid_.end()) {
        const auto link = links->second.find(frame);
        if (link != links->second.end()) {
            Slot& slot = slots_.at({frame, link->second});
            if (slot.mark == mark) {
                slot.used = ++uses_;
                return &slot.entry;
            }
            forget(root, frame);
            links = valid_.find(root);
        }
    }
    Digest before = root;
    if (follows) {
        if (links == valid_.end()) return nullptr;
        const auto link = links->second.find(frame - 1);
        if (link == links->second.end()) return nullptr;
        before = link->second;
    }
    const Key key{frame, link_of(before, mark)};
    const auto slot = slots_.find(key);
    if (slot == slots_.end()) return nullptr;
    slot->second.used = ++uses_;
    know(root, key);
    return &slot->second.entry;
}

std::optional<Before> Timeline::before(const Digest& root, std::int64_t frame) const {
    const auto links = valid_.find(root);
    if (links == valid_.end()) return {};
    const auto link = links->second.find(frame - 1);
    if (link == links->second.end()) return {};
    return Before{link->second, slots_.at({frame - 1, link->second}).entry.state};
}

std::vector<Outdated> Timeline::outdated_before(const Digest& root, std::int64_t frame) const {
    std::vector<std::pair<std::uint64_t, Outdated>> found;
    for (auto slot = slots_.lower_bound({frame, Digest{}}); slot != slots_.begin();) {
        --slot;
        const auto& [key, kept] = *slot;
        if (!found.empty() && key.first < found.front().second.frame) break;
        if (!kept.entry.state) continue;
        const Before before{key.second, kept.entry.state};
        found.emplace_back(kept.used, Outdated{key.first, before, is_valid(root, key), kept.root == root});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.valid, a.first) > std::pair(b.second.valid, b.first);
    });
    std::vector<Outdated> sorted;
    for (auto& [used, one] : found) sorted.push_back(std::move(one));
    return sorted;
}

const Entry* Timeline::after(const Before& before, std::int64_t frame, const Digest& mark) {
    const auto slot = slots_.find({frame, link_of(before.link, mark)});
    if (slot == slots_.end()) return nullptr;
    slot->second.used = ++uses_;
    return &slot->second.entry;
}

const Entry* Timeline::preview(const Digest& key) {
    const auto shown = previews_.find(key);
    if (shown == previews_.end()) return nullptr;
    shown->second.used = ++uses_;
    return &shown->second.entry;
}

void Timeline::put_preview(const Digest& key, Entry entry) {
    used_ += entry.bytes();
    const auto [shown, is_new] = previews_.try_emplace(key);
    if (!is_new) used_ -= shown->second.entry.bytes();
    shown->second = {std::move(entry), ++uses_};
    drop_previews();
}

Digest Timeline::put(const Digest& root, std::int64_t frame, const Digest& before, const Digest& mark, Entry entry,
                     bool follows) {
    const Key key{frame, link_of(before, mark)};
    const auto old = slots_.find(key);
    if (old != slots_.end()) {
        // What followed from a frame that had failed does not follow from one that has not.
        const bool differs = old->second.entry.failure.empty() != entry.failure.empty();
        drop(old);
        if (differs) {
            for (auto slot = slots_.lower_bound({frame + 1, Digest{}}); slot != slots_.end();) drop(slot++);
        }
    }
    drop_oldest_of(frame);
    used_ += entry.bytes();
    slots_[key] = {std::move(entry), root, mark, ++uses_, follows};
    last_put_ = key;
    // While it was computed, the frames before may have changed.
    const auto now = follows ? this->before(root, frame) : std::nullopt;
    if (!follows || (now && now->link == before)) know(root, key);
    shrink();
    return key.second;
}

void Timeline::distrust(std::int64_t first) {
    std::vector<Digest> roots;
    for (const auto& [root, links] : valid_) roots.push_back(root);
    for (const Digest& root : roots) forget(root, first);
}

void Timeline::clear() {
    slots_.clear();
    previews_.clear();
    valid_.clear();
    last_put_.reset();
    short_ = false;
    used_ = 0;
}

void Timeline::set_limit(std::uint64_t limit) {
    if (limit == limit_) return;
    limit_ = limit;
    short_ = false;
    shrink();
}

std::uint64_t Timeline::largest() const {
    std::uint64_t bytes = 0;
    for (const auto& [key, slot] : slots_) bytes = std::max(bytes, slot.entry.bytes());
    return bytes;
}

std::vector<std::int64_t> Timeline::frames(const Digest& root) const {
    std::vector<std::int64_t> found;
    const auto links = valid_.find(root);
    if (links == valid_.end()) return found;
    for (const auto& [frame, link] : links->second) {
        if (slots_.at({frame, link}).entry.failure.empty()) found.push_back(frame);
    }
    return found;
}

std::optional<std::int64_t> Timeline::nearest(const Digest& root, std::int64_t frame) const {
    const auto links = valid_.find(root);
    if (links == valid_.end()) return {};
    const auto after = links->second.lower_bound(frame);
    if (after == links->second.begin()) return {};
    return std::prev(after)->first;
}

bool Timeline::is_valid(const Digest& root, const Key& key) const {
    const auto links = valid_.find(root);
    if (links == valid_.end()) return false;
    const auto link = links->second.find(key.first);
    return link != links->second.end() && link->second == key.second;
}

void Timeline::know(const Digest& root, const Key& key) {
    Links& known = valid_[root];
    const auto own = known.find(key.first);
    if (own != known.end() && own->second == key.second) return;
    // Later frames stay valid if they follow from this one; across a gap that cannot be seen.
    const auto next = known.upper_bound(key.first);
    if (next != known.end()) {
        const Slot& slot = slots_.at(*next);
        const bool goes_on = next->first == key.first + 1 && next->second == link_of(key.second, slot.mark);
        if (slot.follows && !goes_on) known.erase(next, known.end());
    }
    known[key.first] = key.second;
}

void Timeline::forget(const Digest& root, std::int64_t first) {
    const auto links = valid_.find(root);
    if (links == valid_.end()) return;
    links->second.erase(links->second.lower_bound(first), links->second.end());
    if (links->second.empty()) valid_.erase(links);
}

void Timeline::drop(std::map<Key, Slot>::iterator slot) {
    const auto& [frame, link] = slot->first;
    for (auto links = valid_.begin(); links != valid_.end();) {
        const auto found = links->second.find(frame);
        if (found != links->second.end() && found->second == link) links->second.erase(found);
        links = links->second.empty() ? valid_.erase(links) : std::next(links);
    }
    used_ -= slot->second.entry.bytes();
    slots_.erase(slot);
}

void Timeline::drop_oldest_of(std::int64_t frame) {
    const auto first = slots_.lower_bound({frame, Digest{}});
    const auto end = slots_.upper_bound({frame, Digest{~std::uint64_t{0}, ~std::uint64_t{0}}});
    if (static_cast<std::size_t>(std::distance(first, end)) < most_of_frame) return;
    drop(std::min_element(first, end, [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
}

/// They go before all frames, since each is one step; the last one stays, so that a redraw does not step.
void Timeline::drop_previews() {
    while (used_ > limit_ && previews_.size() > 1) {
        const auto oldest = std::min_element(previews_.begin(), previews_.end(), [](const auto& a, const auto& b) {
            return a.second.used < b.second.used;
        });
        used_ -= oldest->second.entry.bytes();
        previews_.erase(oldest);
    }
}

void Timeline::shrink() {
    drop_previews();
    while ((used_ > limit_ || slots_.size() > most_) && slots_.size() > 1) {
        auto oldest = slots_.end();
        for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
            const bool stays = last_put_ == slot->first;
            if (!stays && (oldest == slots_.end() || slot->second.used < oldest->second.used)) oldest = slot;
        }
        if (oldest == slots_.end()) return;
        if (used_ > limit_ && last_put_ && slots_.at(*last_put_).root == oldest->second.root) {
            short_ = short_ || is_valid(oldest->second.root, oldest->first);
        }
        drop(oldest);
    }
}

} // namespace sinew::host
