//! Authored data: the rest surface, the maps, the constraints, the settings.

mod acting;

use crate::membrane::Patch;
use crate::rest::Rest;
use crate::thresholds::Thresholds;
use crate::turns::{self, Turn};
use sinew_base::error::{Error, Kind, Result};
use sinew_energy::{Material, MembraneEnergy};
use sinew_geometry::{SurfacePoint, TriMesh, counted};
use sinew_math::{Real, Vec3};

/// How the skin at a body vertex is tied to the body.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Hold {
    /// It may slide anywhere.
    #[default]
    Free,
    /// It is fixed.
    Fixed,
    /// It may slide along this direction of the body at rest, forwards and backwards.
    Along(Vec3),
}

/// A ligament between a body vertex and the skin that was there at rest: a spring that is soft while short (the toe)
/// and stiff beyond \[ThinSkin §3.6\].
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Anchor {
    /// Its stiffness from the start, in N/m.
    pub soft: Real,
    /// Its stiffness beyond the toe, in N/m.
    pub stiff: Real,
    /// Where the toe ends, in metres of slide.
    pub toe: Real,
}

/// A constraint, one row of G v = g \[ThinSkin §3.6\]: the velocities at which the skin slides over some body vertices,
/// seen on the surface at rest, each multiplied by a vector, sum to a speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Vertices and their vectors.
    pub terms: Vec<(u32, Vec3)>,
    /// In m/s.
    pub speed: Real,
}

/// Whether the skin has inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Every frame is the equilibrium.
    #[default]
    Quasistatic,
    /// The skin lags behind, overshoots and comes to rest.
    Dynamic,
}

/// The parameters of the material and of the time stepping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The material.
    pub material: Material,
    /// Thickness in metres. Human skin has 1 to 3 mm.
    pub thickness: Real,
    /// Density in kg/m^3. Skin has about 1100.
    pub density: Real,
    /// Quasi-static or dynamic.
    pub mode: Mode,
    /// zeta: the share of the body's tangential motion that the skin follows, 0..1. In the body's frame, the skin
    /// slides by -(1 - zeta) times that motion in a step.
    pub zeta: Real,
    /// The fastest motion of the body that can carry the skin, in m/s; infinite for no limit. \[ThinSkin §3.6\] instead
    /// has a length per step of 1 ms: delta_max metres there are delta_max / 1 ms here.
    pub fastest_carried: Real,
    /// In dynamic mode, the time in seconds after which sliding over the body has lost 63 % of its speed; infinite for
    /// no friction. A share zeta regained in each step of h seconds is the time -h / ln(1 - zeta).
    pub friction_time: Real,
    /// Gravity, in m/s^2.
    pub gravity: Vec3,
    /// How fast skin may snap from one resting position to another in quasi-static mode, in body sizes per second;
    /// infinite for instantly.
    pub snap_speed: Real,
    /// Newton's method stops when no point is farther from its equilibrium than this fraction of the body's size
    /// ([`Rest::extent`](crate::rest::Rest::extent)), judging by the last steps.
    pub tolerance: Real,
    /// Newton's method stops after this many steps and keeps the best result so far.
    pub max_iterations: usize,
}

impl Settings {
    /// The defaults for a material.
    ///
    /// tolerance: a tenth of a millimetre on a person, a pixel if a picture of the person has 20,000 from head to foot.
    /// max_iterations: most frames take 2 to 5; a teleport takes 20, and exponential skin on a body that squeezes it
    /// 30.
    pub fn new(material: Material) -> Self {
        Settings {
            material,
            thickness: 2e-3,
            density: 1100.0,
            mode: Mode::Quasistatic,
            zeta: 1.0,
            fastest_carried: Real::INFINITY,
            friction_time: Real::INFINITY,
            gravity: Vec3::zeros(),
            snap_speed: 0.03,
            tolerance: 5e-5,
            max_iterations: 60,
        }
    }
}

/// The longest step in dynamic mode. Frames of any rate are divided into steps of about this length, so that the look
/// does not depend on the rate; 1/96 s is 4 steps at 24 frames per second.
const LONGEST_STEP: Real = 1.0 / 96.0;

impl Settings {
    /// The membrane's resistance to a change of length where nothing is painted, in N/m.
    pub fn stiffness(&self) -> Real {
        self.thickness * self.material.hessian(&[0.0; 3])[1][1]
    }

    /// The number of steps for a frame of that length.
    pub fn automatic_substeps(&self, seconds: Real) -> u32 {
        match self.mode {
            Mode::Quasistatic => 1,
            Mode::Dynamic => (seconds / LONGEST_STEP - 1e-6).ceil().clamp(1.0, 10_000.0) as u32,
        }
    }
}

/// Painted maps, one value per vertex of the rest mesh. They belong to the material and move with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    /// Factor on the thickness.
    pub thickness: Vec<Real>,
    /// Factor on Young's modulus.
    pub stiffness: Vec<Real>,
    /// Factor on the density.
    pub density: Vec<Real>,
    /// How much longer the skin is at rest than when unstressed: 0.1 is 10 %.
    pub prestrain: Vec<Real>,
    /// The direction of the fibres.
    pub fibres: Vec<Vec3>,
}

/// The values of the maps at one material point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Painted {
    thickness: Real,
    stiffness: Real,
    prestrain: Real,
    fibres: Vec3,
}

impl Maps {
    /// No maps.
    pub fn plain(vertices: usize) -> Self {
        Maps {
            thickness: vec![1.0; vertices],
            stiffness: vec![1.0; vertices],
            density: vec![1.0; vertices],
            prestrain: vec![0.0; vertices],
            fibres: vec![Vec3::zeros(); vertices],
        }
    }

    fn are_even(&self) -> bool {
        let maps = [&self.thickness, &self.stiffness, &self.density, &self.prestrain];
        let even = |map: &&Vec<Real>| map.iter().all(|value| *value == map[0]);
        maps.iter().all(even) && self.fibres.iter().all(|along| *along == self.fibres[0])
    }

    fn check(&self, vertices: usize) -> Result<()> {
        let positive =
            [("thickness", &self.thickness), ("stiffness", &self.stiffness), ("density", &self.density)];
        for (name, values) in positive {
            check_map(name, values, vertices, |v| v > 0.0, "must be positive")?;
        }
        check_map("prestrain", &self.prestrain, vertices, |v| v > -0.9, "must be above -0.9")?;
        if self.fibres.len() != vertices {
            return Err(wrong_count("fibres", self.fibres.len(), vertices));
        }
        match self.fibres.iter().position(|f| !f.iter().all(|v| v.is_finite())) {
            Some(v) => {
                Err(Error::new(Kind::NotFinite, "the direction of the fibres is not finite").vertex(v))
            }
            None => Ok(()),
        }
    }
}

fn wrong_count(name: &str, found: usize, vertices: usize) -> Error {
    let (found, vertices) = (counted(found, "value", "values"), counted(vertices, "vertex", "vertices"));
    Error::new(Kind::CountMismatch, format!("the map {name} has {found} for {vertices}"))
}

fn check_map(
    name: &str,
    values: &[Real],
    vertices: usize,
    valid: fn(Real) -> bool,
    rule: &str,
) -> Result<()> {
    if values.len() != vertices {
        return Err(wrong_count(name, values.len(), vertices));
    }
    match values.iter().position(|&v| !(v.is_finite() && valid(v))) {
        Some(vertex) => {
            let message = format!("the map {name} is {}; it {rule}", values[vertex]);
            Err(Error::new(Kind::OutOfRange, message).vertex(vertex))
        }
        None => Ok(()),
    }
}

/// Everything that does not change while the skin moves.
pub struct Model {
    /// The surface at rest, in the shape that [`Model::act`] gave it last.
    pub rest: Rest,
    /// The same as it was made, if it has another shape; and how often that has changed.
    at_rest: Option<Rest>,
    shape: u64,
    /// Parameters; may be changed between steps.
    pub settings: Settings,
    /// Tuned numbers of the solver; those of [`Thresholds::default`] unless a test changes them.
    pub thresholds: Thresholds,
    /// Painted maps; may be changed between steps, see [`Model::set_maps`]. And whether each is uniform.
    maps: Maps,
    evenly_painted: bool,
    holds: Vec<Hold>,
    anchors: Vec<Anchor>,
    rows: Vec<Row>,
    /// The triangles whose skin is computed.
    active: Vec<u32>,
    /// The first unknown of each vertex, and the end.
    unknowns: Vec<u32>,
    /// The connected piece of the surface that each vertex belongs to, and whether it is tied to the body somewhere.
    piece_of: Vec<u32>,
    tied: Vec<bool>,
    turns: Vec<Turn>,
}

impl Model {
    /// A model of a mesh at rest with no holds.
    pub fn new(mesh: TriMesh, settings: Settings) -> Result<Self> {
        let rest = Rest::new(mesh)?;
        let n = rest.mesh().positions.len();
        let mut model = Model {
            rest,
            at_rest: None,
            shape: 0,
            settings,
            thresholds: Thresholds::default(),
            maps: Maps::plain(n),
            evenly_painted: true,
            holds: vec![Hold::Free; n],
            anchors: vec![Anchor::default(); n],
            rows: Vec::new(),
            active: Vec::new(),
            unknowns: Vec::new(),
            piece_of: Vec::new(),
            tied: Vec::new(),
            turns: Vec::new(),
        };
        model.number();
        Ok(model)
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.holds.len()
    }

    /// Whether there are no vertices; a model always has some.
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// Holds vertices. The scratch of the steps must be recreated.
    pub fn set_holds(&mut self, holds: &[Hold]) -> Result<()> {
        if holds.len() != self.len() {
            return Err(wrong_count("fixed", holds.len(), self.len()));
        }
        let bad = |h: &Hold| matches!(h, Hold::Along(d) if !(d.norm() > 0.0 && d.norm().is_finite()));
        if let Some(vertex) = holds.iter().position(bad) {
            return Err(Error::new(Kind::OutOfRange, "the direction to slide along is zero or not finite")
                .vertex(vertex));
        }
        self.holds.copy_from_slice(holds);
        self.number();
        Ok(())
    }

    /// Ties vertices softly.
    pub fn set_anchors(&mut self, anchors: &[Anchor]) -> Result<()> {
        if anchors.len() != self.len() {
            return Err(wrong_count("anchor", anchors.len(), self.len()));
        }
        let good =
            |a: &Anchor| a.soft >= 0.0 && a.stiff >= a.soft && a.toe >= 0.0 && (a.stiff + a.toe).is_finite();
        if let Some(vertex) = anchors.iter().position(|a| !good(a)) {
            let message = "an anchor needs stiffnesses with 0 <= soft <= stiff and a toe of 0 or more";
            return Err(Error::new(Kind::OutOfRange, message).vertex(vertex));
        }
        self.anchors.copy_from_slice(anchors);
        self.number();
        Ok(())
    }

    /// Sets the constraints. The scratch of the steps must be recreated.
    pub fn set_rows(&mut self, rows: Vec<Row>) -> Result<()> {
        for (r, row) in rows.iter().enumerate() {
            let refuse = |kind: Kind, text: String| {
                Err(Error::new(kind, format!("row {r} of the constraints {text}")))
            };
            if let Some((v, _)) = row.terms.iter().find(|(v, _)| *v as usize >= self.len()) {
                return refuse(
                    Kind::OutOfRange,
                    format!("names vertex {v}, but there are only {}, counted from 0", self.len()),
                );
            }
            let finite = row.terms.iter().all(|(_, f)| f.iter().all(|x| x.is_finite()));
            if !(finite && row.speed.is_finite()) {
                return refuse(Kind::NotFinite, "is not finite".into());
            }
            if row.terms.iter().all(|(_, f)| *f == Vec3::zeros()) {
                return refuse(Kind::Degenerate, "has no vector".into());
            }
        }
        self.rows = rows;
        self.number();
        Ok(())
    }

    /// The constraints.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Sets the maps.
    pub fn set_maps(&mut self, maps: Maps) -> Result<()> {
        maps.check(self.len())?;
        self.evenly_painted = maps.are_even();
        self.maps = maps;
        Ok(())
    }

    /// The vertices at which a directed material has no direction.
    pub fn without_fibres(&self) -> impl Iterator<Item = usize> {
        let directed = self.settings.material.about().directed;
        let none = move |(_, along): &(usize, &Vec3)| directed && **along == Vec3::zeros();
        self.maps.fibres.iter().enumerate().filter(none).map(|(v, _)| v)
    }

    /// Whether all maps are uniform, so that it does not matter which skin is where.
    pub fn is_evenly_painted(&self) -> bool {
        self.evenly_painted
    }

    /// The holds.
    pub fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// The soft ties.
    pub fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// The triangles whose skin is computed: those with area at rest that are not held at all corners.
    pub fn active(&self) -> &[u32] {
        &self.active
    }

    /// The unknowns of a vertex: two if it is free, one if it slides along a direction.
    pub fn unknowns_of(&self, vertex: usize) -> std::ops::Range<usize> {
        self.unknowns[vertex] as usize..self.unknowns[vertex + 1] as usize
    }

    /// The number of unknowns.
    pub fn unknown_count(&self) -> usize {
        self.unknowns[self.len()] as usize
    }

    /// Whether a vertex belongs to a piece of skin that is tied to the body somewhere.
    pub fn is_tied(&self, vertex: usize) -> bool {
        self.tied[self.piece_of[vertex] as usize]
    }

    /// The connected piece of the surface that a vertex belongs to.
    pub fn piece_of(&self, vertex: usize) -> u32 {
        self.piece_of[vertex]
    }

    /// The rotations of untied pieces that cost nothing.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    fn number(&mut self) {
        let has_area = |t: &usize| self.rest.has_area(*t);
        let triangles = &self.rest.mesh().triangles;
        let free = |v: u32| self.holds[v as usize] != Hold::Fixed;
        let moves = |t: &usize| triangles[*t].iter().any(|&v| free(v));
        self.active = (0..triangles.len()).filter(has_area).filter(moves).map(|t| t as u32).collect();
        let mut used = vec![false; self.len()];
        self.active.iter().flat_map(|&t| triangles[t as usize]).for_each(|v| used[v as usize] = true);
        self.unknowns.clear();
        self.unknowns.push(0);
        let mut next = 0;
        for (hold, used) in self.holds.iter().zip(used) {
            next += match hold {
                Hold::Free if used => 2,
                Hold::Along(_) if used => 1,
                _ => 0,
            };
            self.unknowns.push(next);
        }
        let (pieces, count) = self.rest.edges().components();
        // Vertices without triangles form a last piece, which nothing moves.
        self.piece_of = vec![count as u32; self.len()];
        self.tied = vec![false; count];
        self.tied.push(true);
        for (t, vertices) in triangles.iter().enumerate() {
            let holds =
                |v: &u32| self.holds[*v as usize] == Hold::Fixed || self.anchors[*v as usize].soft > 0.0;
            self.tied[pieces[t] as usize] |= vertices.iter().any(holds);
            vertices.iter().for_each(|&v| self.piece_of[v as usize] = pieces[t]);
        }
        for (v, _) in self.rows.iter().flat_map(|row| &row.terms) {
            self.tied[self.piece_of[*v as usize] as usize] = true;
        }
        self.find_turns();
    }

    fn find_turns(&mut self) {
        let free: Vec<bool> = self.tied.iter().map(|tied| !tied).collect();
        self.turns = turns::find(&self.rest, &self.piece_of, &free);
    }

    /// The constants of a triangle in space: `points` are the body's positions, `skin` the material points at its
    /// corners.
    pub fn patch(&self, metric: [Real; 3], skin: &[SurfacePoint; 3]) -> Patch {
        let painted = skin.map(|point| self.painted(&point));
        self.patch_of(metric, painted.each_ref())
    }

    /// [`Model::patch`] from the maps at the three material points.
    #[inline(always)]
    pub fn patch_of(&self, metric: [Real; 3], [a, b, c]: [&Painted; 3]) -> Patch {
        let thickness = (a.thickness + b.thickness + c.thickness) / 3.0;
        let stiffness = (a.stiffness + b.stiffness + c.stiffness) / 3.0;
        Patch {
            metric,
            thickness: self.settings.thickness * thickness * stiffness,
            prestretch: 1.0 + (a.prestrain + b.prestrain + c.prestrain) / 3.0,
            fibres: a.fibres + b.fibres + c.fibres,
        }
    }

    /// The maps at a material point.
    pub fn painted(&self, point: &SurfacePoint) -> Painted {
        let (maps, corners) = (&self.maps, self.rest.mesh().triangles[point.triangle as usize]);
        let fibres = if self.settings.material.about().directed {
            point.mix(corners.map(|v| maps.fibres[v as usize]))
        } else {
            Vec3::zeros()
        };
        Painted {
            thickness: self.rest.mix(point, &maps.thickness),
            stiffness: self.rest.mix(point, &maps.stiffness),
            prestrain: self.rest.mix(point, &maps.prestrain),
            fibres,
        }
    }

    /// The membrane's resistance to a change of length, in N/m.
    pub fn stiffness(&self) -> Real {
        self.settings.stiffness()
    }

    /// The energy of a uniform strain of about 1, in J.
    pub fn strained_energy(&self) -> Real {
        self.stiffness() * self.rest.areas().iter().sum::<Real>()
    }

    /// The mass per area at rest of the skin at a material point, in kg/m^2.
    pub fn mass_per_area(&self, point: &SurfacePoint) -> Real {
        let painted = self.rest.mix(point, &self.maps.density) * self.rest.mix(point, &self.maps.thickness);
        self.settings.density * self.settings.thickness * painted
    }
}
