#include "uv_tracks.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace sinew::host {
namespace {

std::string in_frame(double frame) { return " in frame " + std::to_string(std::lround(frame)); }

/// Where each UV of the mesh has slid, U and V in turn; those that no corner has stay.
std::vector<float> offsets_of(double frame, const UvFrame& uvs) {
    if (2 * uvs.corner_uvs.size() != uvs.slid.size())
        throw std::runtime_error("Some faces have no UVs" + in_frame(frame) +
                                 ", which keys cannot give them: bake to Alembic with -file, or give all faces UVs.");
    std::vector<float> offsets(2 * uvs.u.size(), 0.0F);
    std::vector<std::size_t> corner_of(uvs.u.size(), uvs.corner_uvs.size());
    for (std::size_t corner = 0; corner < uvs.corner_uvs.size(); ++corner) {
        const std::size_t uv = static_cast<std::size_t>(uvs.corner_uvs[corner]), before = corner_of.at(uv);
        const float u = uvs.slid[2 * corner], v = uvs.slid[2 * corner + 1];
        if (before != uvs.corner_uvs.size() && (uvs.slid[2 * before] != u || uvs.slid[2 * before + 1] != v))
            throw std::runtime_error("The faces at map[" + std::to_string(uv) + "] share a UV and slide apart" +
                                     in_frame(frame) + ", which keys cannot do: bake to Alembic with -file.");
        corner_of[uv] = corner;
        offsets[2 * uv] = u - uvs.u[uv];
        offsets[2 * uv + 1] = v - uvs.v[uv];
    }
    return offsets;
}

} // namespace

void UvTracks::add(double frame, const UvFrame& uvs) {
    std::vector<float> offsets = offsets_of(frame, uvs);
    if (offsets_.empty()) moves_.assign(offsets.size(), 0);
    if (offsets.size() != moves_.size())
        throw std::runtime_error("The mesh has another number of UVs" + in_frame(frame) +
                                 ", which keys cannot do: bake to Alembic with -file.");
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (offsets[i] == 0 || moves_[i]) continue;
        moves_[i] = 1;
        ++moving_;
    }
    if (moving_ * frames_ > most_)
        throw std::runtime_error(
            std::to_string(moving_) + " or more numbers of UVs slide, which in " + std::to_string(frames_) +
            " frames is over " + std::to_string(most_) +
            " keys: Maya becomes slow with so many. Bake to Alembic with -file, or raise -mostKeys.");
    numbers_.push_back(frame);
    offsets_.push_back(std::move(offsets));
}

std::vector<UvTrack> UvTracks::tracks() const {
    std::vector<UvTrack> found;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        if (!moves_[i]) continue;
        UvTrack track{static_cast<std::uint32_t>(i / 2), static_cast<std::uint32_t>(i % 2), {}};
        const std::size_t last = offsets_.size() - 1;
        for (std::size_t k = 0; k <= last; ++k) {
            const float now = offsets_[k][i];
            // Between two that are the same a straight line passes through it.
            if (k > 0 && k < last && offsets_[k - 1][i] == now && offsets_[k + 1][i] == now) continue;
            track.keys.push_back({numbers_[k], now});
        }
        found.push_back(std::move(track));
    }
    return found;
}

} // namespace sinew::host
