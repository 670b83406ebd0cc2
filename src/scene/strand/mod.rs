//! Scenes of strands, bodies and joints as plain data.
//!
//! All places are world positions as modelled, in metres, angles in degrees: parts of a body are given where they lie
//! then, and move with the body afterwards. Elements refer to each other by name.

pub mod armature;
mod build;
pub mod edits;
mod faults;
pub mod goals;
mod limits;
mod mirror;
pub mod muscles;
mod names;
mod of_parts;
mod relative;
mod script;
mod starting;
mod track;
pub mod turn;
pub(super) mod units;
pub mod values;

pub use build::Built;
pub use faults::{RULES, family_of, faults, rule_name};
pub use names::RESERVED;
pub use script::Script;
pub use starting::{Numbers, rod_inertia, starting_numbers};

use super::schema::{Line, elements};
use super::{SpaceElement, Version};
use armature::ArmatureElement;
use goals::{GoalMotionElement, GoalPlaceElement};
use muscles::{ActivationElement, HillElement, MuscleElement, ReelElement};
use sinew_strand::parts::Effort;
use turn::Turn;
use values::{AxialWord, AxisName, BodyMode, May, NodeKind, Relation, Triple};

elements! {
    /// A scene of strands, bodies, joints and what ties them together. Lengths are in the scene's unit, m unless a
    /// space says otherwise, and velocities of bodies in it per second; angles are in degrees; everything else, gravity
    /// included, is in SI units. Everything is given as modelled; starts, keys at 0 and velocities set the initial
    /// state.
    "strand_scene" => StrandScene {
        /// The version of this file format.
        "version" version: Version = "1";
        children {
            /// The unit of length and the up axis.
            space: Option<SpaceElement>;
            /// Global numbers.
            settings: Option<SettingsElement>;
            /// Bodies led by the joints of an animation.
            armatures: Vec<ArmatureElement>;
            /// Rigid bodies.
            bodies: Vec<BodyElement>;
            /// Points.
            points: Vec<PointElement>;
            /// Straight curves.
            lines: Vec<LineElement>;
            /// Round curves.
            circles: Vec<CircleElement>;
            /// Planes.
            planes: Vec<PlaneElement>;
            /// Joints.
            joints: Vec<JointElement>;
            /// Strands.
            strands: Vec<StrandElement>;
            /// Points bound to bodies.
            frames: Vec<FrameElement>;
            /// Points bound to points.
            links: Vec<LinkElement>;
            /// Points bound to curves.
            on_curves: Vec<OnCurveElement>;
            /// Points bound to planes.
            in_planes: Vec<InPlaneElement>;
            /// Points kept out of bones.
            off_bones: Vec<OffBoneElement>;
            /// Muscles.
            muscles: Vec<MuscleElement>;
            /// Muscles that reel strands in at their ends.
            reels: Vec<ReelElement>;
            /// Segments of strands that are muscles.
            hills: Vec<HillElement>;
            /// Goals for joint motions, to be reached by muscles.
            goal_motions: Vec<GoalMotionElement>;
            /// Goals for points on bodies, to be reached by muscles.
            goal_places: Vec<GoalPlaceElement>;
            /// Bodies that may touch.
            contacts: Vec<ContactElement>;
            /// Segments that are cut.
            cuts: Vec<CutElement>;
            /// Segments that become longer or shorter.
            lengthenings: Vec<LengthenElement>;
            /// What is released.
            releases: Vec<ReleaseElement>;
        }
    }

    /// Global settings. Each has a default.
    "settings" => SettingsElement {
        /// Gravity in m/s^2, whatever the scene's unit; 9.81 downwards if omitted. It belongs to the world: a mirrored
        /// scene has the same.
        "gravity" gravity: Option<Triple>, Gravity;
        /// dynamic: strands have axial inertia; still: they are in axial equilibrium, and the kinetic energy left out
        /// is reported.
        "axial" axial: AxialWord = "dynamic";
        /// The longest step in s; a frame is divided into equal steps.
        "step" step: f64 = "0.001", Time;
        /// If goals choose the activations: the cost of full activation, relative to the largest speed at which a
        /// muscle moves a goal.
        "effort" effort: f64 = "0.005";
        /// The same for the change of an activation from one choice to the next.
        "smooth" smooth: f64 = "0.02";
        /// How long chosen activations are held, in s.
        "hold" hold: f64 = "0.01", Time;
        /// The smallest activation that goals choose, 0 to 1.
        "tone" tone: f64 = "0.001", Fraction;
    }

    /// A rigid body. A free one needs a shape or an inertia; a held or led one needs neither.
    "body" => BodyElement {
        /// Its name.
        "name" name: String;
        /// free, led by its keys (a kinematic body), or held where it is modelled.
        "mode" mode: BodyMode = "free";
        /// The origin of its axes as modelled: for a cuboid its centre, for a mesh the file's origin.
        "at" at: Triple = "0 0 0", Place;
        /// The orientation of its axes as modelled.
        "turn" turn: Turn = "0 0 0", TurnOfBody;
        /// The body whose axes, as modelled, `at` and `turn` are relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
        /// The velocity of a free body's centre of mass at the start, in the scene's unit per second; at rest if
        /// omitted.
        "velocity" velocity: Option<Triple>, Velocity;
        /// The angular velocity of a free body at the start, about the world's axes, in degrees per second; zero if
        /// omitted.
        "angular_velocity" angular_velocity: Option<Triple>, Spin;
        children {
            /// Its shape, if it is a cuboid.
            cuboid: Option<CuboidElement>;
            /// Its shape, if it is a mesh.
            shape: Option<ShapeElement>;
            /// Its mass, if it does not follow from its shape.
            inertia: Option<InertiaElement>;
            /// Its keyframes, if it is led.
            keys: Vec<KeyElement>;
        }
    }

    /// A cuboid around the body's origin.
    "cuboid" => CuboidElement {
        /// Its sides along the body's axes.
        "size" size: Triple, Sides;
        /// In kg/m^3.
        "density" density: f64 = "1000", Density;
    }

    /// A closed mesh in the body's axes, in the scene's unit.
    "shape" => ShapeElement {
        /// An OBJ file.
        "file" file: String;
        /// In kg/m^3.
        "density" density: f64 = "1000", Density;
    }

    /// A given mass, in place of the shape's.
    "inertia" => InertiaElement {
        /// In kg.
        "mass" mass: f64, Mass;
        /// The moments of inertia about axes through the centre of mass, along the body's, in kg m^2. For a point mass,
        /// which strands hold at its centre and which nothing turns, any will do.
        "moments" moments: Triple, Moments;
        /// The centre of mass in the body's axes.
        "centre" centre: Triple = "0 0 0", InBody;
    }

    /// The pose of a led body at a time: linear between keys, constant after the last. A key at 0 moves it, and
    /// everything on it, away from where it was modelled.
    "key" => KeyElement {
        /// In s, from 0; later than the key before.
        "time" time: f64, Time;
        /// The origin of the body's axes.
        "at" at: Triple, Place;
        /// The orientation of the axes; it is interpolated the shorter way round, so more than 180 degrees need keys in
        /// between.
        "turn" turn: Turn = "0 0 0", TurnOfBody;
    }

    /// A point, which nodes of strands share.
    "point" => PointElement {
        /// Its name.
        "name" name: String;
        /// Where it is as modelled.
        "at" at: Triple, Place;
        /// What carries it: world, a body, or nothing (free).
        "on" on: String = "free" => "body";
        /// The body whose axes, as modelled, `at` is relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
    }

    /// A straight curve; points on it stay between its ends.
    "line" => LineElement {
        /// Its name.
        "name" name: String;
        /// What carries it: world or a body.
        "on" on: String = "world" => "body";
        /// Where it begins, as modelled.
        "from" from: Triple, Place;
        /// Where it ends, as modelled.
        "to" to: Triple, Place;
        /// The body whose axes, as modelled, `from` and `to` are relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
    }

    /// A circle.
    "circle" => CircleElement {
        /// Its name.
        "name" name: String;
        /// What carries it: world or a body.
        "on" on: String = "world" => "body";
        /// Its centre as modelled.
        "at" at: Triple, Place;
        /// The orientation of its axes as modelled; it lies in their x-y plane.
        "turn" turn: Turn = "0 0 0", TurnOfCircle;
        /// Its radius.
        "radius" radius: f64, Length;
        /// The body whose axes, as modelled, `at` and `turn` are relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
    }

    /// A plane on a body, or between two. Its normal is the z axis. With a bone it makes a strand wrap round that: see
    /// off_bone.
    "plane" => PlaneElement {
        /// Its name.
        "name" name: String;
        /// The body that carries it.
        "on" on: String => "body";
        /// The origin of its axes as modelled.
        "at" at: Triple, Place;
        /// The orientation of its axes as modelled.
        "turn" turn: Turn = "0 0 0", TurnOfPlane;
        /// The second body, for a plane between two.
        "and_on" and_on: Option<String> => "body";
        /// The origin of its axes as modelled on the second body; if omitted, as on the first.
        "and_at" and_at: Option<Triple>, Place;
        /// The orientation of its axes as modelled on the second body; if omitted, as on the first.
        "and_turn" and_turn: Option<Turn>, TurnOfPlane;
        /// How much it follows the second body, 0 to 1.
        "weight" weight: f64 = "0.5", Fraction;
        /// The body whose cross-section nodes in the plane stay out of.
        "bone" bone: Option<String> => "body";
        /// The body whose axes, as modelled, places and turns are relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
    }

    /// A joint. Motions without an axis element are held.
    "joint" => JointElement {
        /// Its name.
        "name" name: String;
        /// The body it is attached to: world or a body.
        "parent" parent: String = "world" => "body";
        /// The body that moves.
        "child" child: String => "body";
        /// Where it is as modelled.
        "at" at: Triple, Place;
        /// The orientation of its axes as modelled.
        "turn" turn: Turn = "0 0 0", TurnOfJoint;
        /// The body whose axes, as modelled, `at` and `turn` are relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
        children {
            /// Its motions that are not simply held.
            axes: Vec<AxisElement>;
        }
    }

    /// One of the six motions of a joint. Motions are zero as modelled. A joint that rotates about one axis only counts
    /// full turns. Several rotations are components of one rotation vector, from -180 to 180 degrees: one that passes
    /// them while a spring, limits or ligaments depend on it is reported.
    "axis" => AxisElement {
        /// Which motion.
        "name" name: AxisName;
        /// free, held, or limits such as -10 90: in degrees or the scene's unit.
        "may" may: May = "free", Range;
        /// Its value at the start, in degrees or the scene's unit, if not as modelled: the child starts there, with
        /// everything on it or attached to it by joints.
        "start" start: Option<f64>, Motion;
        /// Dry friction: the moment in N m or the force in N.
        "friction" friction: f64 = "0";
        /// The stiffness of a spring, in N m/rad or N/m.
        "stiffness" stiffness: f64 = "0";
        /// The coefficient of a damper, in N m s/rad or N s/m.
        "damping" damping: f64 = "0";
        /// The rest value of the spring, in degrees or the scene's unit.
        "rest" rest: f64 = "0", Motion;
        children {
            /// What resists at both ends of its range.
            ligaments: Option<LigamentsElement>;
        }
    }

    /// Progressive resistance of a joint at both ends of a motion's range: moment (e^((from - x) / width) - e^((x - to)
    /// / width)) on the motion x. It is zero halfway between the two.
    "ligaments" => LigamentsElement {
        /// Where they resist in the positive direction with the moment, in degrees or the scene's unit.
        "from" from: f64, Motion;
        /// Where they resist in the negative direction with the moment, in degrees or the scene's unit.
        "to" to: f64, Motion;
        /// In N m or N.
        "moment" moment: f64;
        /// The distance, in degrees or units of length, over which the resistance grows by a factor of e.
        "width" width: f64, Width;
    }

    /// A strand. Its stiffness EA is given directly, or by Young's modulus and the radius.
    "strand" => StrandElement {
        /// Its name.
        "name" name: String;
        /// Its radius, in the scene's unit.
        "radius" radius: f64 = "0.001", Length;
        /// In kg/m^3.
        "density" density: f64 = "1000", Density;
        /// Young's modulus in Pa.
        "young" young: Option<f64>, Stress;
        /// The tension per unit of strain, EA, in N.
        "stiffness" stiffness: Option<f64>, Force;
        /// The time constant in s of its own viscosity.
        "axial_damping" axial_damping: f64 = "0", Time;
        /// The rate in 1/s at which lateral motion decays.
        "lateral_damping" lateral_damping: f64 = "0", Rate;
        /// The initial strain, where nodes do not specify their material coordinate.
        "prestrain" prestrain: f64 = "0";
        children {
            /// Its nodes in the order of the material.
            nodes: Vec<StrandNodeElement>;
        }
    }

    /// A node of a strand.
    "node" => StrandNodeElement {
        /// Its point.
        "point" point: String => "point";
        /// lagrangian: carries its material; constrained: the same by a constraint force; eulerian: material slides
        /// through, the default for inner nodes whose point the world or a body carries. Elsewhere, and next to a hill,
        /// the default is lagrangian.
        "kind" kind: Option<NodeKind>;
        /// The material coordinate at the start, as a rest length in the scene's unit; otherwise the distance from the
        /// node before, without the prestrain.
        "material" material: Option<f64>, Length;
    }

    /// A free point fixed to a place on a body.
    "frame" => FrameElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The point.
        "point" point: String => "point";
        /// The body.
        "body" body: String => "body";
        /// Where as modelled; the point's position if omitted.
        "at" at: Option<Triple>, Place;
        /// The body whose axes, as modelled, `at` is relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
    }

    /// Two points that coincide.
    "link" => LinkElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The first point.
        "first" first: String => "point";
        /// The second point.
        "second" second: String => "point";
    }

    /// A point that stays on a curve.
    "on_curve" => OnCurveElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The point.
        "point" point: String => "point";
        /// The line or circle.
        "curve" curve: String => "line circle";
    }

    /// A point that stays in a plane, or above it.
    "in_plane" => InPlaneElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The point.
        "point" point: String => "point";
        /// The plane.
        "plane" plane: String => "plane";
        /// equal: in the plane; above: in it or on the side of its normal.
        "relation" relation: Relation = "equal";
    }

    /// A point that stays outside the bone that a plane cuts. A strand wraps round a bone by such points: a plane
    /// across the strand, with the `bone`, on that body or, beside a joint, between two (`and_on`); a free point at the
    /// bone's surface; `in_plane` and `off_bone` for the point and the plane; and the strand's node there with kind
    /// eulerian, so that material slides through. A second plane without a bone, along the strand, and an `in_plane`
    /// keep the point from slipping off sideways. Between such points the strand is straight: where a bone is strongly
    /// curved, use more of them.
    "off_bone" => OffBoneElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The point.
        "point" point: String => "point";
        /// The plane, which names the bone.
        "plane" plane: String => "plane";
    }

    /// Two bodies with shapes that may touch. Shapes are treated as convex.
    "contact" => ContactElement {
        /// Its name.
        "name" name: String;
        /// The first body.
        "first" first: String => "body";
        /// The second body.
        "second" second: String => "body";
        /// The coefficient of dry friction.
        "friction" friction: f64 = "0";
    }

    /// A segment of a strand is cut: from then on it carries no load.
    "cut" => CutElement {
        /// In s; it happens at the start of the frame that contains this time.
        "time" time: f64, Time;
        /// The strand.
        "strand" strand: String => "strand";
        /// Which segment: 0 lies between the first two nodes.
        "segment" segment: u32;
    }

    /// Material is added to a segment of a strand, or removed.
    "lengthen" => LengthenElement {
        /// When it starts, in s; it happens at the start of frames.
        "time" time: f64, Time;
        /// The strand.
        "strand" strand: String => "strand";
        /// Which segment: 0 lies between the first two nodes.
        "segment" segment: u32;
        /// By how much, in the scene's unit; less than 0 shortens.
        "by" by: f64, Length;
        /// How long it takes, in s, at a constant rate.
        "over" over: f64 = "0", Time;
    }

    /// A joint, a rule or a contact is released: from then on it has no effect. Exactly one is named.
    "release" => ReleaseElement {
        /// In s; it happens at the start of the frame that contains this time.
        "time" time: f64, Time;
        /// A joint.
        "joint" joint: Option<String> => "joint";
        /// A rule: frame, link, on_curve, in_plane or off_bone, by the name that reports use.
        "rule" rule: Option<String> => "frame link on_curve in_plane off_bone";
        /// A contact.
        "contact" contact: Option<String> => "contact";
    }
}

impl StrandScene {
    /// The files of meshes with their lines.
    pub fn files(&self) -> impl Iterator<Item = (&str, Line)> {
        self.bodies.iter().flat_map(|body| &body.shape).map(|shape| (shape.file.as_str(), shape.line))
    }

    /// The names of all files, mutable, so that they can be resolved against another folder.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let armatures = self.armatures.iter_mut().map(|armature| &mut armature.file);
        self.bodies.iter_mut().flat_map(|body| &mut body.shape).map(|shape| &mut shape.file).chain(armatures)
    }

    /// Whether goals choose the activations.
    pub fn has_goals(&self) -> bool {
        !(self.goal_motions.is_empty() && self.goal_places.is_empty())
    }

    /// The settings, mutable.
    pub fn settings_mut(&mut self) -> &mut SettingsElement {
        self.settings.get_or_insert_with(SettingsElement::default)
    }
}

impl Default for SettingsElement {
    fn default() -> Self {
        let (gravity, usual) = (None, Effort::default());
        SettingsElement {
            gravity,
            axial: AxialWord::Dynamic,
            step: 1e-3,
            effort: usual.effort,
            smooth: usual.smooth,
            hold: usual.hold,
            tone: usual.tone,
            line: Line(0),
        }
    }
}

impl BodyElement {
    /// A body at the origin with nothing else set yet.
    pub fn new(name: &str, mode: BodyMode) -> Self {
        BodyElement {
            name: name.into(),
            mode,
            at: Triple::default(),
            turn: Turn::default(),
            inside: None,
            velocity: None,
            angular_velocity: None,
            cuboid: None,
            shape: None,
            inertia: None,
            keys: Vec::new(),
            line: Line(0),
        }
    }
}
