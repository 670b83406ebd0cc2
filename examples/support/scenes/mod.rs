//! The seven scenes of the thin skin paper, rebuilt from formulas at its counts of vertices, triangles and constraints.
//!
//! - \[ThinSkin\] Li, Sueda, Neog and Pai, "Thin skin elastodynamics", 2013, §4 and table 2.
//!
//! A scene moves space, not only its mesh: whatever else is in the picture (hair, arms, feet) moves with the body.

mod cloth;
mod dinosaur;
mod hand;
pub mod head;
pub mod numbers;
mod round;
mod weave;

use sinew::drawing::Camera;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};

/// Where a point of the rest pose is at a time in seconds.
pub type Motion = Box<dyn Fn(Vec3, Real) -> Vec3 + Send + Sync>;
/// The colour of the skin, in linear light, for every UV.
pub type Texture = Box<dyn Fn(Vec2) -> Vec3 + Send + Sync>;

/// A body that moves, where its skin is held, and how to look at it.
pub struct SkinScene {
    /// The row of the paper's table.
    pub name: &'static str,
    /// What tells scenes of one name apart; file names can end with it.
    pub variant: &'static str,
    /// The rest pose, with UVs.
    pub rest: Mesh,
    /// How many frames there are; frame `k` is at the time `k / fps`.
    pub frames: usize,
    /// Frames per second.
    pub fps: Real,
    /// When a body that shakes or walks has come to its stop, in seconds.
    pub stop: Option<Real>,
    /// Vertices at which the skin is held: two rows of constraints each.
    pub fixed: Vec<bool>,
    /// Vertices at which the skin may only slide along this direction of the rest pose: one row each.
    pub slide: Vec<Option<Vec3>>,
    /// Vertices at which the skin may not slide along this direction of the rest pose, and nothing else is asked: one
    /// row of G v = 0 each.
    pub rows: Vec<(u32, Vec3)>,
    /// How the body moves; at time 0 everything is at rest.
    pub motion: Motion,
    /// Points of the rest surface whose travel is reported, such as those over a lump.
    pub watched: Vec<Vec3>,
    /// What else is there, in one colour each.
    pub props: Vec<(Mesh, Vec3)>,
    /// The texture of the skin.
    pub texture: Texture,
    /// Its normal map: the direction of the fine relief in the frame of u, v and the smooth normal, for every UV.
    pub relief: Option<Texture>,
    /// Where to look from at the time 0.
    pub camera: Camera,
    /// Whether the camera follows the body.
    pub follow: bool,
    /// Width and height of a picture in pixels.
    pub size: [usize; 2],
    /// Frames that get a picture, and its caption.
    pub shown: Vec<(usize, &'static str)>,
    /// Points whose height at rest is marked in the pictures.
    pub guides: Vec<Vec3>,
    /// Points of the rest surface whose slide is drawn as an arrow, and the arrows' scale.
    pub arrows: (Vec<Vec3>, Real),
}

impl SkinScene {
    /// A scene of 48 frames at 24 a second without constraints, seen from the front.
    fn new(name: &'static str, variant: &'static str, rest: Mesh, motion: Motion, texture: Texture) -> Self {
        let n = rest.positions.len();
        SkinScene {
            name,
            variant,
            rest,
            frames: 48,
            fps: 24.0,
            stop: None,
            fixed: vec![false; n],
            slide: vec![None; n],
            rows: Vec::new(),
            motion,
            watched: Vec::new(),
            props: Vec::new(),
            texture,
            relief: None,
            camera: Camera::front(Vec3::zeros(), 1.0),
            follow: false,
            size: [640, 560],
            shown: Vec::new(),
            guides: Vec::new(),
            arrows: (Vec::new(), 1.0),
        }
    }

    /// The name, with the variant behind it when there is one.
    pub fn title(&self) -> String {
        [self.name, self.variant]
            .map(str::to_string)
            .into_iter()
            .filter(|s| !s.is_empty())
            .collect::<Vec<_>>()
            .join("_")
    }

    /// The time of a frame in seconds.
    pub fn time(&self, frame: usize) -> Real {
        frame as Real / self.fps
    }

    /// The points of the body.
    pub fn body(&self, time: Real) -> Vec<Vec3> {
        self.rest.positions.iter().map(|&p| (self.motion)(p, time)).collect()
    }

    /// The mesh of the body.
    pub fn posed(&self, time: Real) -> Mesh {
        Mesh { positions: self.body(time), ..self.rest.clone() }
    }

    /// Everything else, moved.
    pub fn posed_props(&self, time: Real) -> Vec<(Mesh, Vec3)> {
        let moved = |mesh: &Mesh| mesh.positions.iter().map(|&p| (self.motion)(p, time)).collect();
        self.props.iter().map(|(m, colour)| (Mesh { positions: moved(m), ..m.clone() }, *colour)).collect()
    }

    /// The camera at a time.
    pub fn view(&self, time: Real) -> Camera {
        if !self.follow {
            return self.camera;
        }
        let mean = |points: &[Vec3]| points.iter().sum::<Vec3>() / points.len() as Real;
        let travel = mean(&self.body(time)) - mean(&self.rest.positions);
        // Along the ground only, so that the bobbing shows.
        Camera { target: self.camera.target + Vec3::new(travel.x, 0.0, travel.z), ..self.camera }
    }

    /// Rows of constraints: the column "Cons" of the table.
    pub fn constraints(&self) -> usize {
        2 * self.fixed.iter().filter(|&&f| f).count() + self.slide.iter().flatten().count() + self.rows.len()
    }

    /// Two per vertex: the column "DoFs" of the table.
    pub fn dofs(&self) -> usize {
        2 * self.rest.positions.len()
    }

    /// The column "Tris" of the table: the triangle count after triangulation.
    pub fn triangles(&self) -> usize {
        self.rest.corner_vertices.len() - 2 * self.rest.face_count()
    }
}

/// The paper's table 2: triangles, degrees of freedom and rows of constraints.
pub fn table(name: &str) -> [usize; 3] {
    match name {
        "torus" | "torus_shaking" => [1152, 1152, 0],
        "cylinder" => [1276, 1320, 44],
        "head" => [1593, 1724, 258],
        "hand" => [445, 516, 118],
        "cloth" => [3162, 3320, 278],
        "dinosaur" => [461, 560, 198],
        _ => panic!("{name} is not in the table"),
    }
}

/// All scenes, in the order of the table.
pub fn all() -> Vec<SkinScene> {
    let mut scenes = vec![round::torus(), round::cylinder(false), round::cylinder(true)];
    scenes.extend(["lift", "open", "swallow"].map(head::head));
    scenes.extend([hand::hand(), cloth::cloth(), round::torus_shaking(), dinosaur::dinosaur()]);
    scenes
}
