//! Builds a model from a scene: names become indices, places in the world become places on bodies.

mod changes;
mod goals;
mod posture;
mod ties;

use super::limits::check_mass;
use super::names::{FREE, Names, WORLD, at, wrong};
use super::units::{mesh_in, shown};
use super::values::{BodyMode, Triple};
use super::{BodyElement, Script, SettingsElement, StrandScene};
use crate::schema::Line;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{MassProperties, Mesh, Solid, shapes};
use sinew_math::{Affine, Placement, Real, Space, Vec3};
use sinew_strand::model::Model;
use sinew_strand::parts::{
    Body, Carrier, Curve, CurveShape, Effort, Lie, Mode, Parts, Plane, Point, Settings, Velocity,
};
use std::collections::HashMap;

/// A scene, ready to simulate.
pub struct Built {
    /// The model; bodies in it are placed by their centres of mass and principal axes.
    pub model: Model,
    /// The centre of mass and principal axes of each body, in the axes that the scene places.
    pub inner: Vec<Placement>,
    /// The names of the rules.
    pub rules: Vec<String>,
    /// The names of the goals.
    pub goals: Vec<String>,
    /// What changes over time.
    pub script: Script,
    /// The longest step in s.
    pub step: Real,
    /// The units and axes of the scene; everything here is in metres with y up.
    pub space: Space,
    /// The strands that are longer in the start posture than as modelled.
    pub stretched: Vec<usize>,
}

impl Built {
    /// Where the axes are that the scene gave a body, when its centre of mass is at a place.
    pub fn axes(&self, body: usize, place: &Placement) -> Placement {
        *place * self.inner[body].inverse()
    }

    /// The same as a matrix in the scene's unit and axes.
    pub fn shown(&self, body: usize, place: &Placement) -> Affine {
        shown(&self.space, &self.axes(body, place))
    }

    /// Where each body is led to at a time: its centre of mass and principal axes.
    pub fn led(&self, time: Real) -> Vec<Placement> {
        self.script.places(time).zip(&self.inner).map(|(place, inner)| place * *inner).collect()
    }
}

/// How the start differs from what was modelled.
struct Start {
    /// Where bodies were modelled.
    modelled: Vec<Placement>,
    /// The values with which the motions of joints start.
    starts: Vec<[Real; 6]>,
}

/// The elements that others may refer to.
struct Known<'a> {
    bodies: Names<'a>,
    points: Names<'a>,
    curves: Names<'a>,
    planes: Names<'a>,
    joints: Names<'a>,
    strands: Names<'a>,
    contacts: Names<'a>,
}

impl Known<'_> {
    /// The strand and the segment that an element names.
    fn segment(
        &self,
        parts: &Parts,
        strand: &str,
        segment: u32,
        element: &str,
        line: Line,
    ) -> Result<(usize, usize)> {
        let found = self.strands.find(strand, element, line)?;
        let (segment, count) = (segment as usize, parts.strands[found].nodes.len().saturating_sub(1));
        if segment < count {
            return Ok((found, segment));
        }
        let message = format!("strand {strand:?} has no segment {segment} of {count}");
        Err(wrong(Kind::NotFound, message, element, line))
    }
}

impl StrandScene {
    /// Builds the scene's model; `meshes` holds the contents of its files, by the names of [`StrandScene::files`].
    pub fn build(&self, meshes: &HashMap<String, Mesh>) -> Result<Built> {
        self.check_numbers()?;
        if let Some(armature) = self.armatures.first() {
            let message = format!("the joints of {} were not read", armature.file);
            return Err(wrong(Kind::MissingInput, message, "armature", armature.line));
        }
        let space = self.units()?;
        self.in_world()?.in_metres()?.model(meshes, space)
    }

    /// The model, from places in the world in metres with y up.
    fn model(&self, meshes: &HashMap<String, Mesh>, space: Space) -> Result<Built> {
        let known = self.known()?;
        let settings = self.settings.clone().unwrap_or_default();
        let mut parts = Parts {
            settings: Settings {
                gravity: settings.gravity.map_or(Settings::default().gravity, |gravity| gravity.vec()),
                axial: settings.axial.into(),
                effort: effort(&settings)?,
                ..Settings::default()
            },
            ..Parts::default()
        };
        let mut inner = Vec::new();
        for element in &self.bodies {
            let (body, centre) = body(element, meshes, &space)?;
            parts.bodies.push(body);
            parts.velocities.push(velocity(element)?);
            inner.push(centre);
        }
        self.add_points(&known, &mut parts)?;
        self.add_curves(&known, &mut parts)?;
        self.add_planes(&known, &mut parts)?;
        self.add_joints(&known, &mut parts)?;
        self.add_strands(&known, &mut parts)?;
        let rules = self.add_rules(&known, &mut parts)?;
        self.add_muscles(&known, &mut parts)?;
        self.add_contacts(&known, &mut parts)?;
        let events = self.events(&known, &parts, &rules)?;
        let modelled: Vec<Placement> = parts.bodies.iter().map(|body| body.place).collect();
        let starts = self.joint_starts();
        let stretched = self.take_posture(&mut parts, &inner, &starts)?;
        let (goals, pursued) = self.goals(&known, &parts, &Start { modelled, starts })?;
        let script = Script::new(self, events, pursued)?;
        let model = Model::new(parts).map_err(|e| self.locate(e))?;
        Ok(Built { model, inner, rules, goals, script, step: settings.step, space, stretched })
    }

    /// Attaches the element to an error of the model or its steps, which names the culprit (`body "thumb" ...`).
    pub fn locate(&self, error: Error) -> Error {
        let mut all = self.elements();
        let named = |(what, _, name, _): &(&str, &str, &str, Line)| {
            error.message().starts_with(&format!("{what} \"{name}\""))
        };
        match all.find(named) {
            Some((_, element, _, line)) => at(error, element, line),
            None => error,
        }
    }

    /// The model's word for an element, the element, its name, its line.
    fn elements(&self) -> impl Iterator<Item = (&'static str, &'static str, &str, Line)> {
        macro_rules! list {
            ($($field:ident $name:ident $what:literal $element:literal),*) => {
                std::iter::empty()$(.chain(
                    self.$field.iter().map(|e| ($what, $element, e.$name.as_str(), e.line))
                ))*
            };
        }
        list!(
            bodies name "body" "body", points name "point" "point", lines name "curve" "line",
            circles name "curve" "circle", planes name "plane" "plane", joints name "joint" "joint",
            strands name "strand" "strand", frames point "frame of point" "frame",
            links first "link of point" "link", on_curves point "curve of point" "on_curve",
            in_planes point "plane of point" "in_plane", off_bones point "bone of point" "off_bone",
            muscles name "muscle" "muscle", reels name "muscle" "reel", hills name "muscle" "hill",
            contacts name "contact" "contact"
        )
    }

    fn known(&self) -> Result<Known<'_>> {
        let named = |what: &'static str| {
            let all = self.elements().filter(move |(of, ..)| *of == what);
            Names::new(what, all.map(|(_, element, name, line)| (name, element, line)))
        };
        // Nothing refers to these, but reports do.
        named("muscle")?;
        Ok(Known {
            bodies: named("body")?,
            points: named("point")?,
            curves: named("curve")?,
            planes: named("plane")?,
            joints: named("joint")?,
            strands: named("strand")?,
            contacts: named("contact")?,
        })
    }

    fn add_points(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for element in &self.points {
            let carrier = match element.on.as_str() {
                FREE => Carrier::Nothing,
                WORLD => Carrier::World,
                body => Carrier::Body(known.bodies.find(body, "point", element.line)?),
            };
            parts.points.push(Point { name: element.name.clone(), place: element.at.vec(), carrier });
        }
        Ok(())
    }

    fn add_curves(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for element in &self.lines {
            let body = known.bodies.find_or_world(&element.on, "line", element.line)?;
            let inside = |place: Vec3| match body {
                Some(b) => parts.bodies[b].place.point_inside(&place),
                None => place,
            };
            let shape = CurveShape::Line(inside(element.from.vec()), inside(element.to.vec()));
            parts.curves.push(Curve { name: element.name.clone(), body, shape });
        }
        for element in &self.circles {
            let body = known.bodies.find_or_world(&element.on, "circle", element.line)?;
            let frame = inside(parts, body, element.at.turned(element.turn), "circle", element.line)?;
            let shape = CurveShape::Circle(frame, element.radius);
            parts.curves.push(Curve { name: element.name.clone(), body, shape });
        }
        Ok(())
    }

    fn add_planes(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for element in &self.planes {
            let line = element.line;
            let find = |body: &str| known.bodies.find(body, "plane", line);
            let first = find(&element.on)?;
            let place = inside(parts, Some(first), element.at.turned(element.turn), "plane", line)?;
            let lie = match &element.and_on {
                None if element.and_at.is_some() || element.and_turn.is_some() => {
                    let message = "and_at and and_turn need and_on, a second body";
                    return Err(wrong(Kind::MissingInput, message, "plane", line));
                }
                None => Lie::Fixed(first, place),
                Some(second) => {
                    let second = find(second)?;
                    let (at, turn) = (element.and_at, element.and_turn);
                    let there = at.unwrap_or(element.at).turned(turn.unwrap_or(element.turn));
                    let other = inside(parts, Some(second), there, "plane", line)?;
                    Lie::Blending([first, second], [place, other], element.weight)
                }
            };
            let bone = element.bone.as_ref().map(|bone| find(bone)).transpose()?;
            parts.planes.push(Plane { name: element.name.clone(), lie, bone });
        }
        Ok(())
    }
}

/// The cost of activations that goals choose; values outside the valid range are refused.
fn effort(settings: &SettingsElement) -> Result<Effort> {
    let refuse = |message: String| Err(wrong(Kind::OutOfRange, message, "settings", settings.line));
    if settings.step <= 0.0 {
        return refuse(format!("the step is {} s; it must be more than 0", settings.step));
    }
    let SettingsElement { effort, smooth, hold, tone, .. } = *settings;
    let effort = Effort { effort, smooth, hold, tone };
    if ![effort.effort, effort.smooth, effort.hold].iter().all(|x| *x >= 0.0) {
        return refuse("effort, smooth and hold cannot be less than 0".into());
    }
    match (0.0..=1.0).contains(&effort.tone) {
        true => Ok(effort),
        false => refuse(format!("a tone of {}; it must lie between 0 and 1", effort.tone)),
    }
}

/// A placement of the world as one in the axes of a body.
fn inside(
    parts: &Parts,
    body: Option<usize>,
    place: Placement,
    element: &str,
    line: Line,
) -> Result<Placement> {
    let local = body.map_or(place, |b| parts.bodies[b].place.inverse() * place);
    finite(&local, element, line)?;
    Ok(local)
}

/// The numbers of a scene are finite; what is computed from huge ones may overflow.
fn finite(place: &Placement, element: &str, line: Line) -> Result<()> {
    if place.origin.iter().chain(place.rotation.coords.iter()).all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(wrong(Kind::NotFinite, "the place is too far away", element, line))
}

/// A body and its centre of mass and principal axes in the axes that the scene places.
fn body(element: &BodyElement, meshes: &HashMap<String, Mesh>, space: &Space) -> Result<(Body, Placement)> {
    let (name, line) = (element.name.as_str(), element.line);
    let refuse = |kind, message: String| Err(wrong(kind, message, "body", line));
    if [WORLD, FREE].contains(&name) {
        return refuse(Kind::InvalidArgument, format!("no body can be named {name:?}: the word is reserved"));
    }
    if element.mode != BodyMode::Led && !element.keys.is_empty() {
        return refuse(Kind::InvalidArgument, format!("body {name:?} has keys but is not led"));
    }
    let shape = shape(element, meshes, space)?;
    let of_shape = shape.as_ref().map(|(_, mass)| *mass);
    let (mass, moments, inner) = match (&element.inertia, of_shape) {
        (Some(given), _) => (given.mass, given.moments.vec(), given.centre.turned(Default::default())),
        (None, Some(mass)) => {
            let principal = mass.principal();
            (mass.mass, principal.moments, principal.placement)
        }
        (None, None) if element.mode == BodyMode::Free => {
            let message = format!("body {name:?} is free and has neither shape nor inertia");
            return refuse(Kind::MissingInput, message);
        }
        (None, None) => (0.0, Vec3::zeros(), Placement::default()),
    };
    if element.mode == BodyMode::Free {
        let found = match (&element.inertia, &element.shape, &element.cuboid) {
            (Some(inertia), ..) => ("body/inertia", inertia.line),
            (_, Some(shape), _) => ("body/shape", shape.line),
            (.., Some(cuboid)) => ("body/cuboid", cuboid.line),
            _ => ("body", line),
        };
        check_mass(mass, &moments, found)?;
    }
    let place = element.at.turned(element.turn) * inner;
    finite(&place, "body", line)?;
    let solid = shape.map(|(mut mesh, _)| {
        mesh.positions.iter_mut().for_each(|p| *p = inner.point_inside(p));
        Solid::new(&mesh).map_err(|e| at(e, "body", line))
    });
    let mode = if element.mode == BodyMode::Free { Mode::Free } else { Mode::Removed };
    let body = Body { name: name.into(), place, mass, moments, mode, solid: solid.transpose()? };
    Ok((body, inner))
}

/// How a body moves at the start.
fn velocity(element: &BodyElement) -> Result<Velocity> {
    let BodyElement { velocity, angular_velocity, mode, name, line, .. } = element;
    let [linear, degrees] = [velocity, angular_velocity].map(|v| v.map_or(Vec3::zeros(), Triple::vec));
    let velocity = Velocity { linear, angular: degrees * (1.0 as Real).to_radians() };
    if *mode != BodyMode::Free && velocity != Velocity::default() {
        let message = format!("body {name:?} is not free: its keys say how it moves");
        return Err(wrong(Kind::InvalidArgument, message, "body", *line));
    }
    Ok(velocity)
}

/// The shape of a body and its mass properties, in the axes that the scene places.
fn shape(
    element: &BodyElement,
    meshes: &HashMap<String, Mesh>,
    space: &Space,
) -> Result<Option<(Mesh, MassProperties)>> {
    match (&element.cuboid, &element.shape) {
        (None, None) => Ok(None),
        (Some(_), Some(shape)) => {
            let message = format!("body {:?} is a cuboid already", element.name);
            Err(wrong(Kind::InvalidArgument, message, "body/shape", shape.line))
        }
        (Some(cuboid), None) => {
            let size = cuboid.size.vec();
            let mass = MassProperties::of_cuboid(&size, cuboid.density)
                .map_err(|e| at(e, "body/cuboid", cuboid.line))?;
            Ok(Some((shapes::cuboid(&size), mass)))
        }
        (None, Some(shape)) => {
            let placed = |e: Error| at(e, "body/shape", shape.line);
            let mesh = meshes.get(&shape.file).ok_or_else(|| {
                placed(Error::new(Kind::MissingInput, format!("the mesh {} was not read", shape.file)))
            })?;
            let mesh = mesh_in(space, mesh);
            let solid = Solid::new(&mesh).map_err(placed)?;
            let mass = MassProperties::of_solid(&solid, shape.density).map_err(placed)?;
            Ok(Some((mesh, mass)))
        }
    }
}
