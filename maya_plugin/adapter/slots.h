// Functions without arguments for Maya, one pair for each type of node: Maya calls plain functions, and which types
// there are is only known when the library is loaded.
#pragma once

#include "adapter/compute_node.h"
#include "adapter/deform_node.h"
#include "adapter/state.h"

#include <maya/MStatus.h>

#include <array>
#include <cstddef>
#include <utility>

namespace sinew::maya {

/// How many types of nodes one plug-in can register.
constexpr std::size_t slots = 64;

struct Slot {
    void* (*create)();
    MStatus (*initialize)();
};

template <std::size_t N> void* create_node() {
    try {
        const Kind& kind = state().kinds.at(N);
        // What Maya expects is a pointer to its own class.
        if (kind.deforms()) return static_cast<MPxNode*>(new DeformNode(kind));
        return static_cast<MPxNode*>(new ComputeNode(kind));
    } catch (...) {
        return nullptr;
    }
}

template <std::size_t N> MStatus initialize_node() { return make_attributes(state().kinds[N]); }

template <std::size_t... N> constexpr std::array<Slot, sizeof...(N)> make_slots(std::index_sequence<N...>) {
    return {{Slot{&create_node<N>, &initialize_node<N>}...}};
}

constexpr std::array<Slot, slots> slot_table = make_slots(std::make_index_sequence<slots>());

} // namespace sinew::maya
