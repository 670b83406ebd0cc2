//! The tuned thresholds of the equilibrium and of the production integrator, in one table.
//!
//! A row is a threshold: why it is there, its value and unit, and what half and twice the value change. First, where
//! the skin follows its body without trouble: how far it ends elsewhere, at most, as a fraction of the body's size;
//! 1e-3 is 1.7 mm on a person. Then, in a scene that reaches the threshold, what changes. The tests run all of it.

use sinew_math::Real;

/// In place of a distance: some of the skin does not settle.
pub const UNSETTLED: Real = Real::INFINITY;

/// A row of [`THRESHOLDS`].
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// The field of [`Thresholds`].
    pub name: &'static str,
    /// What it is measured in.
    pub unit: &'static str,
    /// Multiplies it; counts are rounded.
    pub scale: fn(&mut Thresholds, Real),
    /// How far the skin of ordinary scenes ends elsewhere at half and at twice the value, as a fraction of the body's
    /// size.
    pub ordinary: [Real; 2],
    /// The scene of the tests that reaches it.
    pub scene: &'static str,
    /// What half and twice the value change there.
    pub changes: [Change; 2],
}

/// What another value of a threshold changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: not a bit.
    Same,
    /// The skin ends elsewhere.
    Elsewhere,
    /// The same, after more steps of Newton's method.
    MoreSteps,
    /// After fewer.
    FewerSteps,
    /// More vertices are held.
    MoreHeld,
    /// Fewer are.
    FewerHeld,
    /// The skin restarts more often.
    MoreRestarts,
    /// Less often.
    FewerRestarts,
    /// Fewer snaps are reported.
    FewerSnaps,
    /// More vertices jump.
    MoreJumps,
    /// Fewer do.
    FewerJumps,
}

/// A threshold that can be multiplied.
trait Scaled {
    fn scaled(self, factor: Real) -> Self;
}

impl Scaled for Real {
    fn scaled(self, factor: Real) -> Real {
        self * factor
    }
}

impl Scaled for usize {
    fn scaled(self, factor: Real) -> usize {
        (self as Real * factor).round() as usize
    }
}

macro_rules! thresholds {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $kind:ty = $value:expr, $unit:literal,
        $half:tt $twice:tt, $scene:literal $at_half:ident $at_twice:ident;
    )*) => {
        /// The thresholds of a model; [`THRESHOLDS`] says what they do.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Thresholds {
            $( $(#[doc = $doc])+ #[doc = concat!("\n\nIn ", $unit, ".")] pub $name: $kind, )*
        }

        impl Default for Thresholds {
            fn default() -> Self {
                Thresholds { $( $name: $value, )* }
            }
        }

        /// All of them.
        pub const THRESHOLDS: &[Threshold] = &[
            $( Threshold {
                name: stringify!($name),
                unit: $unit,
                scale: |thresholds, factor| thresholds.$name = thresholds.$name.scaled(factor),
                ordinary: [$half, $twice],
                scene: $scene,
                changes: [Change::$at_half, Change::$at_twice],
            }, )*
        ];
    };
}

thresholds! {
    /// In dynamic mode a step is a small part of a motion, and errors accumulate from step to step: the tolerance is
    /// smaller there.
    in_motion: Real = 0.5, "tolerances", 0.0 0.0, "plane" MoreSteps MoreSteps;
    /// A triangle whose normal is more than about 80 degrees from those of its corners lies across a fold.
    across_fold: Real = 0.17, "1, a cosine", 4e-5 4e-5, "wild" Same MoreHeld;
    /// A displacement that is tilted against the plane of a triangle is shortened by at most this fraction: straight
    /// from above a steep one would vanish, and cost nothing.
    shortened: Real = 1.0 - 0.85, "lengths", 8e-3 6e-3, "wild" FewerSteps MoreSteps;
    /// A triangle with less than this double area is a sliver, whose normal says nothing about a flip.
    sliver: Real = 0.02, "squares of its longest side", 0.0 0.0, "plane" Same MoreSteps;
    /// The fraction of its area that a triangle keeps at least in a step.
    area_kept: Real = 0.1, "areas", 0.0 0.0, "pushed" FewerSteps FewerSteps;
    /// The fraction of a step that is taken at least where a triangle would flip: skin that lies badly moves on.
    least_room: Real = 0.01, "steps", 0.0 0.0, "avalanche" Same Elsewhere;
    /// The skin follows the body if that is stretched to at most this many times its length at rest, or squeezed to at
    /// least that fraction. Beyond, in folds and where faces collapse, no skin could lie on the body.
    most_stretch: Real = 3.0, "lengths at rest", 2e-2 4e-3, "wild" FewerSteps MoreSteps;
    /// So often the corners of triangles that a step flips move half as far; then they stay.
    halved_returns: usize = 3, "attempts", 0.0 0.0, "wild" FewerSteps Same;
    /// So often only those corners move less far.
    local_returns: usize = 7, "attempts", 0.0 0.0, "avalanche" FewerHeld MoreRestarts;
    /// So often after that all skin moves half as far; then it stays. A last resort.
    whole_returns: usize = 5, "attempts", 0.0 0.0, "avalanche" Elsewhere Same;
    /// In the first steps of a solve reversals are normal; later on, a vertex that reverses moves half as far.
    first_turns: usize = 2, "steps", 1e-4 2e-4, "crowd" MoreSteps FewerSteps;
    /// If more than one vertex in this many reverses, the skin does so as a whole, which is left to the line search.
    most_turning: usize = 10, "vertices", UNSETTLED 0.0, "wild" MoreSteps FewerHeld;
    /// After this many steps vertices that make no progress stop, if they are `few`.
    patience: usize = 4, "steps", 0.0 0.0, "long crowd" Same FewerSteps;
    /// After this many, if they are `few_later`.
    long_patience: usize = 8, "steps", 0.0 0.0, "crowd" Elsewhere Elsewhere;
    /// One vertex in this many is few; two always are.
    few: usize = 200, "vertices", 0.0 0.0, "long crowd" FewerSteps FewerHeld;
    /// One vertex in this many, after long patience.
    few_later: usize = 50, "vertices", 0.0 0.0, "whip" MoreHeld FewerHeld;
    /// A vertex that would flip a triangle in this many steps is held, if all is `quiet`: its next steps would, too.
    most_refused: usize = 3, "steps", 0.0 0.0, "crowd" FewerHeld FewerHeld;
    /// All is quiet if at most one vertex in this many is not at rest.
    quiet: usize = 10, "vertices", 0.0 0.0, "long crowd" Same FewerSteps;
    /// After this many steps any vertex that would flip a triangle is held.
    late: usize = 6, "steps", 0.0 0.0, "line" FewerSteps FewerHeld;
    /// A rotation of a free piece by one edge that lowers the energy by more than this fraction is driven by the body's
    /// shape; the triangles' preference for some places is about 0.1 % on coarse meshes.
    asked_for: Real = 0.01, "energies of the membrane", 5e-4 0.0, "wild" MoreSteps MoreSteps;
    /// Skin with more than this many times the energy of skin that never slid, and more than one of the four energies
    /// below, is lost: it has slid where it cannot come back from while the body was collapsed, and restarts.
    lost: Real = 10.0, "energies of unslid skin", 0.0 0.0, "large knot" Same FewerRestarts;
    /// Settled skin with less energy is not lost.
    caught: Real = 0.01, "energies of a uniform strain of 1", 0.0 0.0, "knot" Same FewerRestarts;
    /// Skin under forces, and skin in waves, may store this much. Skin that is stuck in a wave may not, see `still`.
    wild: Real = 10.0, "energies of a uniform strain of 1", 0.0 0.0, "torn" Same FewerRestarts;
    /// In dynamic mode skin that moves less than this in a step is not in a wave.
    still: Real = 1e-3, "edges", 0.0 0.0, "stuck" Same MoreRestarts;
    /// Skin that has not settled but is hardly strained, by 1 %, is not lost.
    restless: Real = 1e-4, "energies of a uniform strain of 1", 0.0 0.0, "strewn" Same FewerRestarts;
    /// With this fraction of the smallest elastic stiffness an untied piece is held where the body's motion left it:
    /// its rigid motions have no stiffness of their own.
    loose: Real = 1e-3, "stiffnesses", 2e-3 4e-3, "wild" Elsewhere Elsewhere;
    /// With this fraction of the membrane's stiffness tied skin is held, only so that its matrix can be factored.
    tied: Real = 1e-10, "stiffnesses of the membrane", 1e-11 2e-11, "pushed" Elsewhere Elsewhere;
    /// A motion along the body that is longer is a cut or a teleport, which does not carry the skin.
    teleport: Real = 1.0, "sizes of the body", 0.0 0.0, "cut" MoreSteps Elsewhere;
    /// Skin may move this many times as far as the linear response to the body's motion without snapping.
    farther: Real = 2.0, "responses", 0.0 0.0, "lobes" Elsewhere FewerSnaps;
    /// A first excess over the allowed distance by less than this factor is not slowed down: nobody sees it.
    unseen: Real = 2.0, "allowed distances", 0.0 0.0, "lobes" Elsewhere FewerSnaps;
    /// Nor is one by less than this: it may come from the mesh alone, where that is coarse.
    coarse: Real = 0.5, "edges", 3e-5 0.0, "low lobes" FewerSteps FewerSnaps;
    /// The stiffness of the springs that slow a snap down: they yield by a few hundredths of an edge.
    brake: Real = 100.0, "stiffnesses of the membrane", 0.0 0.0, "braked" Elsewhere Elsewhere;
    /// A single vertex jumps if it moves this far, and `jump_of_edge`, farther than each of its neighbours in a frame:
    /// ten times as far as any did on characters in motion.
    jump_of_body: Real = 0.01, "sizes of the body", 0.0 0.0, "whip" MoreHeld FewerJumps;
    /// The same for coarse meshes.
    jump_of_edge: Real = 0.5, "edges", 0.0 0.0, "plane" MoreJumps FewerJumps;
}

#[cfg(test)]
mod tests;
