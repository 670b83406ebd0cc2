// UVs that slide as keys of a host: for each number that moves, how far it is from where the mesh has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::host {

struct UvKey {
    double frame = 0;
    float offset = 0;
};

/// The keys of U (`axis` 0) or V (1) of one of a mesh's UVs. A number plus its offset is what it has slid to, to the
/// last bit, if that is at least twice as far from 0 as it has slid; otherwise no float may be exact.
struct UvTrack {
    std::uint32_t uv = 0, axis = 0;
    std::vector<UvKey> keys;
};

/// The UVs of a mesh in a frame: as it comes in, and for each corner the number of its UV and where that has slid (two
/// numbers for each).
struct UvFrame {
    std::vector<float> u, v;
    std::vector<int> corner_uvs;
    std::vector<float> slid;
};

class UvTracks {
public:
    /// `frames`: how many will be added; `most`: keys that the host can bear.
    UvTracks(std::size_t frames, std::size_t most) : frames_(frames), most_(most) {}

    /// Throws std::runtime_error with a sentence if there would be more keys than the host can bear, or if keys cannot
    /// say what slides: as soon as that is known.
    void add(double frame, const UvFrame& uvs);

    /// Linear between its keys, each track gives the offsets of all frames. Numbers that never move have none.
    std::vector<UvTrack> tracks() const;

private:
    std::size_t frames_, most_, moving_ = 0;
    std::vector<double> numbers_;
    /// By frame: U and V of each UV in turn.
    std::vector<std::vector<float>> offsets_;
    std::vector<char> moves_;
};

} // namespace sinew::host
