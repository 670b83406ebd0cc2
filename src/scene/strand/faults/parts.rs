//! What each kind of part needs, of a scene all of which can be read and whose names all refer to something.

use super::at;
use crate::faults::{Fault, Weight};
use crate::schema::Line;
use crate::strand::names::FREE;
use crate::strand::values::{BodyMode, EndWord, May, NodeKind, Relation};
use crate::strand::{BodyElement, JointElement, PlaneElement, StrandElement, StrandScene};
use sinew_math::motion::{rotation_by, rotation_vector};
use sinew_math::{Placement, Real, Vec3};
use std::collections::{HashMap, HashSet};

/// How far a point may be from its plane, as part of the scene's size: more than rounding and drawing by hand, less
/// than is seen.
const OFF_PLANE: Real = 1e-3;
/// Places of one node and the next that differ by less, relative to their size, coincide.
const SAME_PLACE: Real = 1e-9;

/// Looks at all parts.
pub(super) fn look(scene: &StrandScene, found: &mut Vec<Fault>) {
    let (world, is_placed) = match scene.in_world() {
        Ok(world) => (world, true),
        // Where the joints of its animation are is not known here.
        Err(_) if !scene.armatures.is_empty() => (scene.clone(), false),
        Err(error) => {
            let line = Line(error.place().line.unwrap_or(0));
            found.push(at(Weight::Wrong, "body", line, Some("in"), error.message()));
            return;
        }
    };
    let places = world.points.iter().map(|point| (point.name.as_str(), point.at.vec())).collect();
    let mut look = Look { scene: &world, is_placed, places, loose: loose(&world), found };
    world.bodies.iter().for_each(|body| look.body(body));
    world.joints.iter().for_each(|joint| look.joint(joint));
    look.planes();
    world.strands.iter().for_each(|strand| look.strand(strand));
    look.points();
    look.rules();
    look.muscles();
    look.goals();
    look.events();
}

struct Look<'a> {
    scene: &'a StrandScene,
    /// Whether its places are those of the world.
    is_placed: bool,
    /// Where points are modelled, by their names.
    places: HashMap<&'a str, Vec3>,
    /// The points that neither a body nor a rule holds.
    loose: HashSet<&'a str>,
    found: &'a mut Vec<Fault>,
}

impl Look<'_> {
    fn wrong(&mut self, element: &str, line: Line, attribute: Option<&str>, message: impl Into<String>) {
        self.found.push(at(Weight::Wrong, element, line, attribute, message));
    }

    fn doubt(&mut self, element: &str, line: Line, attribute: Option<&str>, message: impl Into<String>) {
        self.found.push(at(Weight::Doubt, element, line, attribute, message));
    }

    fn body(&mut self, body: &BodyElement) {
        if body.mode != BodyMode::Free {
            return;
        }
        if body.cuboid.is_none() && body.shape.is_none() && body.inertia.is_none() {
            self.wrong("body", body.line, None, "a free body needs a mass: a mesh, a cuboid or an inertia");
        }
        let (scene, name) = (self.scene, &body.name);
        let is_held = scene.joints.iter().any(|joint| joint.child == *name || joint.parent == *name)
            || scene.points.iter().any(|point| point.on == *name)
            || scene.frames.iter().any(|frame| frame.body == *name)
            || scene.contacts.iter().any(|contact| contact.first == *name || contact.second == *name);
        if !is_held {
            self.doubt("body", body.line, None, "no joint, strand or contact holds it: it falls");
        }
    }

    fn joint(&mut self, joint: &JointElement) {
        if joint.parent == joint.child {
            self.wrong("joint", joint.line, Some("child"), "it ties a body to itself");
        }
        for axis in &joint.axes {
            if let May::Limits([low, high]) = axis.may
                && low > high
            {
                let message = format!("the limits {low} {high} are the wrong way round");
                self.wrong("joint/axis", axis.line, Some("may"), message);
            }
        }
        if joint.axes.is_empty() {
            self.doubt("joint", joint.line, None, "no degree of freedom is free: its two bodies move as one");
        }
    }

    fn planes(&mut self) {
        let rules = self.scene.in_planes.iter().map(|rule| &rule.plane);
        let used: HashSet<&String> =
            rules.chain(self.scene.off_bones.iter().map(|rule| &rule.plane)).collect();
        for plane in self.scene.planes.iter().filter(|plane| !used.contains(&plane.name)) {
            self.doubt("plane", plane.line, None, "no node uses it");
        }
    }

    fn strand(&mut self, strand: &StrandElement) {
        let nodes = &strand.nodes;
        let [Some(first), Some(last)] =
            [nodes.first(), nodes.last()].map(|node| node.filter(|_| nodes.len() > 1))
        else {
            let message = format!("a strand needs at least two nodes; this one has {}", nodes.len());
            return self.wrong("strand", strand.line, None, message);
        };
        if strand.young.is_some() == strand.stiffness.is_some() {
            self.wrong("strand", strand.line, Some("stiffness"), "give exactly one of stiffness and young");
        }
        let mut faults = Vec::new();
        for pair in nodes.windows(2) {
            let ends = [&pair[0], &pair[1]].map(|node| self.places.get(node.point.as_str()).copied());
            if let [Some(a), Some(b)] = ends
                && self.is_placed
                && (a - b).norm() <= SAME_PLACE * a.amax().max(1.0)
            {
                faults.push((
                    Weight::Wrong,
                    pair[1].line,
                    "it coincides with the node before it".to_string(),
                ));
            }
        }
        let slides = |kind: Option<NodeKind>| kind == Some(NodeKind::Eulerian);
        for node in nodes.iter().filter(|node| slides(node.kind) && self.loose.contains(node.point.as_str()))
        {
            let message = "material may slide through it, but nothing holds its point: put it on a body, a plane or \
                           a curve";
            faults.push((Weight::Wrong, node.line, message.into()));
        }
        for (end, word, node) in [(EndWord::First, "first", first), (EndWord::Last, "last", last)] {
            let mut reels = self.scene.reels.iter();
            if slides(node.kind) && !reels.any(|reel| reel.strand == strand.name && reel.end == end) {
                let message = format!(
                    "the {word} node lets material through and no reel holds it: the strand runs off"
                );
                faults.push((Weight::Doubt, node.line, message));
            }
        }
        let faults = faults.into_iter();
        self.found
            .extend(faults.map(|(weight, line, message)| at(weight, "strand/node", line, None, message)));
    }

    fn points(&mut self) {
        let nodes = self.scene.strands.iter().flat_map(|strand| &strand.nodes);
        let used: HashSet<&String> = nodes.map(|node| &node.point).collect();
        for point in self.scene.points.iter().filter(|point| !used.contains(&point.name)) {
            self.doubt("point", point.line, None, "no strand runs through it");
        }
    }

    /// The size of the scene: the diagonal of a box around its points.
    fn extent(&self) -> Real {
        let (low, high) =
            self.scene.points.iter().map(|point| point.at.vec()).fold(
                (Vec3::repeat(Real::INFINITY), Vec3::repeat(Real::NEG_INFINITY)),
                |(low, high), place| (low.inf(&place), high.sup(&place)),
            );
        (high - low).norm()
    }

    /// How far it is from a point to the closest of its neighbours along strands; infinite without any.
    fn next_to(&self, point: &str) -> Real {
        let place = |name: &str| self.places.get(name);
        let way = |a: &str, b: &str| Some((place(a)? - place(b)?).norm());
        let pairs = self.scene.strands.iter().flat_map(|strand| strand.nodes.windows(2));
        let ways = pairs.filter(|pair| pair.iter().any(|node| node.point == point));
        let ways = ways.filter_map(|pair| way(&pair[0].point, &pair[1].point));
        ways.filter(|way| *way > 0.0).fold(Real::INFINITY, Real::min)
    }

    fn rules(&mut self) {
        let scene = self.scene;
        let extent = self.extent();
        let unit = scene.units().map_or(1.0, |space| space.metres_per_unit());
        let mut faults = Vec::new();
        for rule in &scene.in_planes {
            let plane = scene.planes.iter().find(|plane| plane.name == rule.plane);
            let (Some(plane), Some(place)) = (plane, self.places.get(rule.point.as_str())) else { continue };
            let axes = between(plane);
            let height = axes.point_inside(place).z;
            let (off, is_above) = match rule.relation {
                Relation::Above => (-height, true),
                Relation::Equal => (height.abs(), false),
            };
            if self.is_placed && off > OFF_PLANE * extent {
                let shown: Real = format!("{:.1e}", 1000.0 * off * unit).parse().unwrap_or(off);
                let way = if is_above { "below" } else { "off" };
                // Pulled there, it passes its neighbour, and the strand turns inside out.
                let (weight, what) = match off > self.next_to(&rule.point) {
                    true => (
                        Weight::Wrong,
                        ", farther than to the next node of its strand: move one to the other",
                    ),
                    false => (Weight::Doubt, ": move one to the other, or the simulation begins with a jerk"),
                };
                let message = format!("its point is {shown} mm {way} plane {:?}{what}", plane.name);
                faults.push(at(weight, "in_plane", rule.line, Some("point"), message));
            }
        }
        for rule in &scene.off_bones {
            let Some(plane) = scene.planes.iter().find(|plane| plane.name == rule.plane) else { continue };
            let bone =
                plane.bone.as_ref().and_then(|bone| scene.bodies.iter().find(|body| body.name == *bone));
            let mut push = |weight, attribute, message: String| {
                faults.push(at(weight, "off_bone", rule.line, Some(attribute), message));
            };
            match (&plane.bone, bone) {
                (None, _) => {
                    push(
                        Weight::Wrong,
                        "plane",
                        format!("plane {:?} names no bone to stay out of", plane.name),
                    );
                    continue;
                }
                (_, Some(bone)) if bone.shape.is_none() && bone.cuboid.is_none() => {
                    push(Weight::Wrong, "plane", format!("bone {:?} has no shape to stay out of", bone.name));
                }
                _ => {}
            }
            if !scene.in_planes.iter().any(|other| other.point == rule.point && other.plane == rule.plane) {
                let message = "its point is not tied to that plane by in_plane, so it may leave it";
                push(Weight::Doubt, "point", message.into());
            }
        }
        self.found.extend(faults);
    }

    fn muscles(&mut self) {
        for muscle in &self.scene.muscles {
            let mut ties = self.scene.on_curves.iter();
            if !ties.any(|tie| tie.point == muscle.point && tie.curve == muscle.curve) {
                let message = format!("its point {:?} is not kept on its curve by on_curve", muscle.point);
                self.doubt("muscle", muscle.line, Some("point"), message);
            }
        }
        for reel in self.scene.reels.iter().filter(|reel| reel.damping <= 0.0) {
            let message = "its damping must be above 0, or the strand runs off while nothing pulls";
            self.wrong("reel", reel.line, Some("damping"), message);
        }
        for hill in &self.scene.hills {
            self.segment("hill", hill.line, &hill.strand, hill.segment);
        }
        let goal = self.scene.goal_motions.iter().map(|goal| ("goal_motion", goal.line, &goal.name));
        let goal = goal
            .chain(self.scene.goal_places.iter().map(|goal| ("goal_place", goal.line, &goal.name)))
            .next();
        if let (Some((element, line, _)), None) = (goal, self.scene.muscle_names().next()) {
            self.wrong(element, line, None, "goals need muscles, and there are none");
        }
        let scene = self.scene;
        for (level, keys, _, element, line) in scene.activations() {
            if std::iter::once(level)
                .chain(keys.iter().map(|key| key.value))
                .any(|x| !(0.0..=1.0).contains(&x))
            {
                self.wrong(element, line, Some("activation"), "activations lie between 0 and 1");
            }
            if let Some((goal, _, name)) = goal
                && (level != 0.0 || !keys.is_empty())
            {
                let called =
                    name.as_ref().map_or_else(|| goal.to_string(), |name| format!("{goal} {name:?}"));
                let message = format!("its activation is given, but {called} chooses activations");
                self.wrong(element, line, Some("activation"), message);
            }
        }
    }

    fn goals(&mut self) {
        let scene = self.scene;
        for goal in &scene.goal_motions {
            let Some(joint) = scene.joints.iter().find(|joint| joint.name == goal.joint) else { continue };
            let axis = joint.axes.iter().find(|axis| axis.name == goal.axis);
            let Some(May::Limits([low, high])) = axis.map(|axis| axis.may) else { continue };
            let beyond = |value: Real| (value - high).max(low - value);
            let worst =
                goal.keys.iter().map(|key| key.value).max_by(|a, b| beyond(*a).total_cmp(&beyond(*b)));
            if let Some(value) = worst.filter(|value| beyond(*value) > 0.0) {
                let message = format!(
                    "its target {value} is beyond what joint {:?} allows, {low} to {high}",
                    joint.name
                );
                self.doubt("goal_motion", goal.line, None, message);
            }
        }
    }

    fn events(&mut self) {
        let scene = self.scene;
        for cut in &scene.cuts {
            self.segment("cut", cut.line, &cut.strand, cut.segment);
        }
        for event in &scene.lengthenings {
            self.segment("lengthen", event.line, &event.strand, event.segment);
        }
    }

    fn segment(&mut self, element: &str, line: Line, strand: &str, segment: u32) {
        let Some(strand) = self.scene.strands.iter().find(|known| known.name == strand) else { return };
        let count = strand.nodes.len().saturating_sub(1);
        if segment as usize >= count {
            let message = format!("there is no segment {segment}: the strand has {count}, counted from 0");
            self.wrong(element, line, Some("segment"), message);
        }
    }
}

/// The axes of a plane as modelled: one between two bodies lies between its two places, by its weight.
fn between(plane: &PlaneElement) -> Placement {
    let one = plane.at.turned(plane.turn);
    if plane.and_on.is_none() {
        return one;
    }
    let other = plane.and_at.unwrap_or(plane.at).turned(plane.and_turn.unwrap_or(plane.turn));
    let turned = rotation_vector(&(one.rotation.inverse() * other.rotation)) * plane.weight;
    Placement::new(one.rotation * rotation_by(&turned), one.origin.lerp(&other.origin, plane.weight))
}

/// The points of a scene that neither a body nor a rule holds.
fn loose(scene: &StrandScene) -> HashSet<&str> {
    let ruled = scene.frames.iter().map(|rule| &rule.point);
    let ruled = ruled.chain(scene.links.iter().flat_map(|rule| [&rule.first, &rule.second]));
    let ruled = ruled.chain(scene.on_curves.iter().map(|rule| &rule.point));
    let ruled = ruled.chain(scene.in_planes.iter().map(|rule| &rule.point));
    let ruled: HashSet<&String> = ruled.chain(scene.off_bones.iter().map(|rule| &rule.point)).collect();
    let free = scene.points.iter().filter(|point| point.on == FREE && !ruled.contains(&point.name));
    free.map(|point| point.name.as_str()).collect()
}
