//! Sinew: sliding skin, routed tendons and bulging muscles, as a post-process on finished animation.
//!
//! # The map
//! Each folder of `src` is a crate of its own, `sinew-skin` and so on, but for [`ffi`], which is in this one; this one
//! passes them on. A crate depends only on crates of layers with a lower number, and within a crate, imports of modules
//! must not form cycles. `tests/architecture.rs` reads this table and refuses anything else.
//!
//! | layer | crate | what it holds |
//! |---|---|---|
//! | 0 | `base` | what went wrong and where ([`error`]); progress, cancelling, log lines ([`control`]); little-endian numbers in bytes, for saved states and binary tables ([`bytes`]) |
//! | 0 | `version` | the program's version, with the commit in release builds |
//! | 1 | [`math`] | numbers, rotations, rigid motions, polar and singular value decompositions, host space |
//! | 2 | [`linalg`] | sparse assembly, elimination orders, Cholesky, constrained and iterative solvers |
//! | 3 | [`energy`] | membrane energies: materials as functions of strain, and their table |
//! | 3 | [`geometry`] | meshes, adjacency, measures, walking, closest points, charts, decimation, subdivision, solids and their sections |
//! | 3 | [`solve`] | quadratic programs: velocities under constraints with bounded multipliers, bounded least squares; Newton's method for a potential |
//! | 4 | [`drawing`] | still images: a rasteriser, lines and letters, textures from formulas |
//! | 4 | [`muscle`] | BezierMuscle: muscles on Bézier curves that bulge and jiggle |
//! | 4 | [`skin`] | ThinSkin: skin that slides over an animated body |
//! | 4 | [`skinning`] | linear blend and dual quaternion skinning, relaxed folds |
//! | 4 | [`strand`] | HandThesis: strands, rigid bones, joints and their constraints |
//! | 4 | [`texture`] | where skin was painted, texel by texel: ST-maps, and textures that slide with the skin |
//! | 5 | [`pose`] | what depends on poses: corrective shapes by joint angle |
//! | 5 | [`scene`] | plain data of a scene, and the tables of its elements |
//! | 6 | [`anatomy`] | the tendon hand, an arm and a head, from tables and formulas; what the joints of a rig do; muscles fitted to bodies |
//! | 6 | [`formats`] | file formats: one module each, one table |
//! | 7 | [`document`] | authored documents as hosts and tools edit them: strand scenes, muscle sets, plans |
//! | 7 | [`nodes`] | what hosts see: descriptors, the registry, instances |
//! | 7 | [`report`] | pages for reviewing sliding skin, muscles under skin, and sets of muscles; pictures of bodies |
//! | 8 | [`job`] | runs a scene frame by frame, from its input files to all outputs |
//! | 9 | [`cli`] | the command line, one file per command |
//! | 9 | [`ffi`] | the C ABI, the only place with `extern "C"` |
//!
//! # Where to begin
//! A vertex on its way from a file to a solver: `src/formats/points/mod.rs` opens the file with the reader in its
//! format's row (Alembic: `src/formats/points/stored.rs` over `src/formats/alembic/moving.rs`, in world space),
//! `src/job/graph/feed.rs` reads the points of a frame, `src/job/graph/mod.rs` and `src/job/graph/bind.rs` set them as
//! an input of the node, which `src/nodes/transfer.rs` converts to metres with y up, and the node hands them to its
//! solver: `src/nodes/skin_slider/mod.rs` as the body of [`skin::production::Inputs`], `src/nodes/skinning.rs` to
//! [`skinning::Skinner`]. Before that, `src/nodes/skin_slider/sound.rs` merges coincident vertices and drops what
//! cannot carry skin, so the solver's vertices have other indices; results are mapped back there. A host's array
//! follows the same path from `src/ffi/node.rs` on.
//!
//! A parameter: its row in the node's `params.rs` has the permanent id and the display name, `given.rs` reads it into
//! the settings of the model, and the solver uses it by the field's name. So a search for `zeta` leads from
//! `src/nodes/skin_slider/params.rs` via `src/skin/model/mod.rs` to `src/skin/production/inertia.rs`, where it acts (in
//! the paper's integrator, `src/skin/paper/couple.rs` and `src/skin/paper/mod.rs`).
//!
//! `zeta` is not a damping ratio: it is the share of the body's tangential motion that the skin follows.
//! What damps sliding is `friction_time`, in `src/skin/production/mod.rs`. Strands have `axial_damping` (a time in s)
//! and `lateral_damping` (a rate in 1/s), attributes in `src/scene/strand/mod.rs` that act in
//! `src/strand/segment/mod.rs` and `src/strand/elements/mod.rs`; springs of joints damp in `src/strand/rows/joint.rs`.
//! The only damping ratio, a fraction of critical damping, is that of the springs of [`muscle`], in
//! `src/muscle/spring.rs`.
//!
//! | to add | write | and enter it in |
//! |---|---|---|
//! | a material of the skin | a file in `src/energy` | the end of the table in `src/energy/mod.rs` |
//! | a file format | a module in `src/formats`: what reads, writes and describes its files | an entry of `FORMATS` in `src/formats/mod.rs`, from which messages, the help of commands and README's table follow (a test prints that); for its reader a line and a function in `tests/fuzz/targets.rs`, with three samples or more in `tests/fuzz/corpus` |
//! | an output of a node | a port in the node's `describe.rs`, written in its `results.rs` (in nodes of one file: there); its count there too, if it is not that of an input with the same items | |
//! | a mesh of a node | its id in the `meshes` of the node's descriptor; ports whose domains name it | |
//! | a kind of output of jobs | an element in `src/scene/outputs.rs`, its writer in `src/job/outputs` | `src/job/outputs/mod.rs` |
//! | a muscle of the human | an element in `src/anatomy/muscles/human.xml` | the pages that state how many muscles there are: `grep -rn "54 muscles"`, the head of `human.xml` |
//! | a word for joints in the naming of a program | its line in `src/anatomy/roles/words.rs` | |
//! | a tendon of the hand | its entry in `src/anatomy/tendon_hand/tendons.rs`: radius, muscle with its shares, path, places | `sh tests/presets.sh` writes the presets; the numbers in `tests/hand` that it changes |
//! | a type of muscle for strands | a variant of `Pull` in `src/strand/parts/muscle.rs`, its force in `src/strand/elements` | wherever the compiler then asks for it; its XML in `src/scene/strand/muscles.rs`, `src/scene/strand/build/ties.rs` and `src/scene/strand/of_parts.rs` |
//! | an attribute or element of a strand scene | its line in `src/scene/strand/mod.rs`, or beside it in `muscles.rs` or `goals.rs` | `src/scene/strand/build`, which makes parts of it, and `src/scene/strand/of_parts.rs`, the way back. Documents, the reference and hosts' panels read the line |
//! | a number of a muscle | its attribute in `src/scene/muscles/mod.rs`, with its heading in panels; its port in `src/nodes/muscle_skin/describe.rs` | a row of `src/scene/muscles/numbers.rs`, which leads from one to the other and to the muscle |
//! | a crate | its folder with `Cargo.toml` and `mod.rs` | the table above, the list in the top `Cargo.toml`, `pub use` below |
//! | a node | a file in `src/nodes` | `src/nodes/mod.rs`: its `Registration`, listed in `ALL`; `tests/wires.rs` |
//! | a parameter of a node | its use in the solver, a field in the solver's settings, such as `src/skin/model/mod.rs` | `params.rs` of the node, such as `src/nodes/skin_slider/params.rs`; it is read in `given.rs`, or, where it decides what is built or how a frame runs, in `mod.rs`, `rig.rs` (strands) or `layers.rs` (muscles); small nodes are one file |
//!
//! Materials, nodes, ports and parameters also need lines in `tests/data/frozen_ids.txt`, because ids never change, and
//! a test each in `tests/wires`. Hosts' panels, the C ABI and the reference need nothing: they read the descriptors.
//! What an output says it ignores, and how many items it says it will have, is tested in `tests/wires/outputs.rs`,
//! where a new node needs a scene.
//!
//! Beside `src`: `cpp` holds the C header, which is generated, its C++ wrapper and what packs archives;
//! `blender_addon` the add-on, and in `blender_addon/sinew` the Python package that it shares with farm scripts and
//! other hosts; `maya_plugin` the plug-in for Maya: `maya_plugin/host` without a word of Maya, `maya_plugin/adapter`
//! the only files that include its headers, `maya_plugin/scripts` its Python, `maya_plugin/tests/maya_api` a stand-in
//! of its API in which the tests drive it; `tests` a test binary for each subject, hosts driven in `tests/blender`,
//! `tests/abi` and `tests/maya.rs`, benches in `tests/bench`; `examples` scenes and programs that README names.
//!
//! # Where the next systems belong
//! Solvers are siblings in layer 4, which never import each other; nodes and scenes combine them. Each is a crate.
//! - **Energies of solids** stand beside those of membranes in `src/energy`: a file each, a row of its table, the same
//!   value, gradient and projected second derivatives, the same tests by differences. **Tetrahedral meshes** are
//!   geometry: a module in `src/geometry`. When a node has one, [`nodes::Domain`] gets a variant for its tetrahedra,
//!   named after its mesh as the others are, and [`nodes::MadeMesh`] the outputs that make it up.
//! - **Flesh** (README's LayeredHand) is a solver, the crate `tissue` in layer 4: the layers of a body, each driven by
//!   those before it (fascia, rods, muscles and fat of finite elements), as potentials that [`solve`] minimises. Its
//!   shapes and attachments are authored in a document (a table in `src/scene`); volumes are read in `src/formats`.
//! - **Pose space** (DeepPSD), meshes predicted from poses at several resolutions, belongs into the crate [`pose`].
//!   Training is a module in it and a command in `src/cli`, since it takes a whole set of frames; a node evaluates what
//!   a trained file holds, whose format is a module in `src/formats`. Decimation and prolongation are geometry.
//! - **Dynamics of a hand** (HelpingHand), forward and inverse, are the crate `hand` in layer 4, over the bounded least
//!   squares of [`solve`]; its tables of joints, muscles and moment arms are anatomy, in `src/anatomy` beside
//!   [`anatomy::tendon_hand`], whose `measures.rs`, `bones.rs` and `sites.rs` hold part of them already.
//! - **A host** has a folder of its own beside `src`, as `blender_addon` and `maya_plugin` have, and sees nothing but
//!   the ABI: `src/ffi` describes nodes, with names for hosts where ids collide (`src/nodes/descriptor/mod.rs`).
//!
//! # Glossary
//! - **Body**: the animated mesh as the host supplies it; Sinew never moves it unless asked to.
//! - **Rest**: the shape of the body to which maps, weights and joint bindings belong.
//! - **Skin**: the material that covers the body and may slide over it.
//! - **Map**: one value per vertex, face or corner, usually painted.
//! - **Node**: a processing unit shown by hosts, with ports (arrays, meshes) and parameters (single values).
//! - **Corner**: one vertex of one face; UVs and normals live there.
//! - **Seam**: an edge where the UVs of its two faces differ.
//! - **Island**: a set of faces connected through edges that are not seams.
//! - **Space**: a host's unit of length and up axis; inside, everything is in metres with y up.
//! - **Chart**: a part of a surface with coordinates of its own; a *transition* leads from one chart to its neighbour.
//! - **Settle**: reach a state in which nothing would move farther than a tolerance.
//! - **Tie**: a soft spring that holds skin at its place on the body; a *fixed* vertex is held exactly. An *anchor* is
//!   a painted tie with slack.
//! - **Stitch**: coincident vertices of two open edges that fit together, merged so that the skin slides across.
//! - **Stand**: the point of the skin at a body vertex, and the directions in which it may move.
//! - **Proxy**: a coarser mesh on which the skin is solved in place of the body's own.
//! - **Potential**: what Newton's method minimises: value, gradient, projected second derivatives, largest steps.
//! - **Strand**: a tendon or rope of nodes. A *Lagrangian* node moves with its material, an *Eulerian* node lets it
//!   through.
//! - **Rule**: a constraint on a point of a strand: a place on a body, another point, a curve, a plane, a bone.
//! - **Reel**: a muscle that draws in the end of a strand.
//! - **Goal**: a motion of a joint, or a place on a body, that muscles are to reach; activations are then chosen for
//!   it.
//! - **Led body**: a kinematic body, whose motion is given by keys, an animation or the host.
//! - **ST-map**: an image that holds for each texel the UV to fetch.
//! - **Plan**: a body's muscles in coordinates of its bones, before they are fitted to a rig and its skin.
//! - **Rider**: a point that lies on the body and is carried along by the skin, such as the root of a hair.
//! - **Job**: a scene and the files to be written from it; a *graph* is its nodes and what feeds them.
//! - **Port**: an input or output of a node; a *wire* connects an output to an input.
//! - **Frame record**: the results of all nodes in one frame, stored until all files are written from them; a *sample*
//!   is a point in time at or between frames, for motion blur.
//! - **Lean state**: the part of a node's state that the next frame needs, small enough to keep for every frame.
//! - **Layer**: a USD or Alembic file that adds UVs and maps to the mesh of another file; in USD it may move points.
//! - **Model, State, Scratch**: authored data, data that evolves, and reused memory that never influences a result.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod ffi;

pub use sinew_anatomy as anatomy;
pub use sinew_base::{bytes, control, error};
pub use sinew_cli as cli;
pub use sinew_document as document;
pub use sinew_drawing as drawing;
pub use sinew_energy as energy;
pub use sinew_formats as formats;
pub use sinew_geometry as geometry;
pub use sinew_job as job;
pub use sinew_linalg as linalg;
pub use sinew_math as math;
pub use sinew_muscle as muscle;
pub use sinew_nodes as nodes;
pub use sinew_pose as pose;
pub use sinew_report as report;
pub use sinew_scene as scene;
pub use sinew_skin as skin;
pub use sinew_skinning as skinning;
pub use sinew_solve as solve;
pub use sinew_strand as strand;
pub use sinew_texture as texture;
