// Type ids, which Maya writes into scene files: a node's id is `block` plus the permanent number of the library's node.
//
// Autodesk keeps 0x00000000 to 0x0007ffff for plug-ins that are used in one place only, and registers blocks for those
// that are handed out (MTypeId in the Maya C++ API reference). Until such a block is registered, these are ours:
//
//   | ids                      | what                                                      |
//   |--------------------------|-----------------------------------------------------------|
//   | 0x0005e100 to 0x0005e1ef | nodes: 0x0005e100 + Plan::number, which is from 0 to 239  |
//   | 0x0005e1f0               | sinewView, which shows outputs in the viewport            |
//   | 0x0005e1f1 to 0x0005e1ff | not used                                                  |
//
// A registered block replaces this one constant. Scenes in ASCII name types, not ids, and go on working.
#pragma once

#include <cstdint>

namespace sinew::maya {

constexpr std::uint32_t block = 0x0005e100;
/// How many of the ids are for nodes of the library.
constexpr std::uint32_t block_size = 0xf0;
constexpr std::uint32_t view_number = 0xf0;

} // namespace sinew::maya
