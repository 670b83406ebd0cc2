//! A character with its muscles: the files, and the nodes that move it.

use super::super::split;
use super::range::{left_out, nothing, of_plan};
use super::{Chosen, Joints};
use sinew_anatomy::muscles::Range;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::weights::{self, Carrier, VertexWeights};
use sinew_formats::{map, mesh, xml};
use sinew_geometry::Mesh;
use sinew_math::{Affine, Real, Space, Vec3};
use sinew_nodes::{ArrayView, ArrayViewMut, Instance, Report};
use sinew_scene::few::few;
use sinew_scene::muscles::{Built, Readable, join_names};
use std::path::{Path, PathBuf};

/// The files of a character with its muscles.
#[derive(clap::Args)]
pub(super) struct Files {
    /// The muscle set (XML).
    set: PathBuf,
    /// The joints at rest (CSV, BVH, USD or glTF), in the unit of the set.
    #[arg(long)]
    joints: PathBuf,
    /// The skin at rest (OBJ, Alembic, USD or glTF); by default in the file of the joints.
    #[arg(long)]
    skin: Option<PathBuf>,
    /// The weights of the joints (CSV: vertex,joint,weight; or glTF); by default in the file of the joints.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The plan whose `joint` elements give the ranges of motion, and the joint hierarchy where the file has none.
    #[arg(long, default_value = "human")]
    plan: String,
    /// No joint turns further than this from where its range counts from.
    #[arg(long, allow_negative_numbers = true)]
    degrees: Option<Real>,
    #[command(flatten)]
    chosen: Chosen,
    /// A painted map of the node muscle_skin: NAME=FILE (CSV, JSON, PNG, EXR, JPEG, TIFF), such as muscle_map.
    #[arg(long = "map", value_name = "NAME=FILE")]
    maps: Vec<String>,
    /// A parameter of the node muscle_skin: NAME=VALUE; the others have their defaults.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    params: Vec<String>,
}

impl Files {
    pub fn set(&self) -> &Path {
        &self.set
    }

    pub fn joints(&self) -> &Path {
        &self.joints
    }

    pub fn skin(&self) -> &Path {
        self.skin.as_deref().unwrap_or(&self.joints)
    }
}

/// A character with its muscles, in metres with y up.
pub(super) struct Body {
    /// The unit and the up axis of its files.
    pub space: Space,
    pub joints: Joints,
    pub mesh: Mesh,
    pub weights: VertexWeights,
    pub built: Built,
    pub range: Range,
    /// What was left out.
    pub warnings: Vec<String>,
}

impl Body {
    pub fn read(files: &Files) -> Result<Self> {
        let in_set = |e: Error| e.file(&files.set);
        let readable = Readable::new(&xml::read_tree(&files.set)?).map_err(in_set)?;
        let space = readable.set().units().map_err(in_set)?;
        let joints = Joints::read(&files.joints)?.choose(&files.chosen)?.in_space(&space);
        let built = readable.parts(joints.rig().names).map_err(in_set)?;
        if built.parts.muscles.is_empty() {
            return Err(in_set(nothing(&readable, &built, &joints.rig())));
        }
        let range = of_plan(&files.plan, &joints.rig(), files.degrees, &files.joints)?;
        let mut mesh = mesh::read(files.skin())?.mesh;
        let vertices = mesh.positions.len();
        if mesh.face_count() == 0 {
            return Err(Error::new(Kind::MissingInput, "the skin has no faces").file(files.skin()));
        }
        let path = files.weights.as_ref().unwrap_or(&files.joints);
        let weights = weights::read(path, vertices, Carrier::Joint, joints.rig().names)?;
        mesh.positions.iter_mut().for_each(|p| *p = space.point_in(*p));
        // The nodes compute their own.
        mesh.normals = None;
        let mut warnings = left_out(&built, &range, &joints.rig(), &files.set);
        warnings.extend(left_behind(&weights, range.parents(), joints.rig().names));
        Ok(Body { space, joints, mesh, weights, built, range, warnings })
    }

    /// The node of the muscles with the parameters and maps of the command line.
    pub fn muscles(&self, files: &Files) -> Result<Host> {
        let mut host = self.host("muscle_skin")?;
        let set = files.set.to_string_lossy();
        host.node.set_param_text("muscles", &set)?;
        host.node.set_param_text("joint_names", &join_names(self.joints.rig().names))?;
        host.node.set_mesh("mesh", self.mesh.clone())?;
        for text in &files.params {
            let (id, value) = split("--set", text)?;
            let wrong =
                |e: Error| Error::new(Kind::InvalidArgument, format!("--set {text}: {}", e.message()));
            host.node.set_param_text(&id, &value).map_err(wrong)?;
        }
        for text in &files.maps {
            let (port, file) = split("--map", text)?;
            let file = Path::new(&file);
            let map = map::read(file, &self.mesh)?;
            let array = ArrayView::from_slice(&map.values, map.components as u32)?;
            host.node.set_array(&port, &array).map_err(|e| e.file(file))?;
        }
        Ok(host)
    }

    /// The joints alone, by a method of the node `skinning`.
    pub fn joints_alone(&self, method: &str) -> Result<Host> {
        let mut host = self.host("skinning")?;
        host.node.set_param_text("method", method)?;
        Ok(host)
    }

    /// A node with the skin and its weights.
    fn host(&self, kind: &str) -> Result<Host> {
        let mut node = Instance::new(kind)?;
        node.set_array("rest_joints", &ArrayView::from_slice(&flat(self.joints.rig().rest), 16)?)?;
        let all = &self.weights.0;
        let counts: Vec<u32> = all.iter().map(|influences| influences.len() as u32).collect();
        let (joints, weights): (Vec<u32>, Vec<Real>) = all.iter().flatten().copied().unzip();
        node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1)?)?;
        node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1)?)?;
        node.set_array("influence_weights", &ArrayView::from_slice(&weights, 1)?)?;
        let points: Vec<Real> = self.mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        node.set_array("points", &ArrayView::from_slice(&points, 3)?)?;
        Ok(Host { node })
    }
}

/// A sentence about joints that carry skin, but hang on nothing and carry nothing: in a table, which has no hierarchy,
/// those that the plan does not know.
fn left_behind(weights: &VertexWeights, parents: &[Option<usize>], names: &[String]) -> Option<String> {
    let mut carries = vec![false; names.len()];
    let all = weights.0.iter().flatten().filter(|(_, weight)| *weight > 0.0);
    all.for_each(|&(joint, _)| carries[joint as usize] = true);
    parents.iter().flatten().for_each(|&parent| carries[parent] = false);
    let behind = (0..names.len()).filter(|&joint| carries[joint] && parents[joint].is_none());
    let behind: Vec<String> = behind.map(|joint| names[joint].clone()).collect();
    // A body of one joint has nowhere to go.
    (!behind.is_empty() && names.len() > 1).then(|| {
        format!(
            "{}: nobody gives a parent, so the skin on it stays behind as other joints turn; give the joints in a file \
             that has a hierarchy (BVH, USD, glTF)",
            few(&behind, behind.len())
        )
    })
}

/// A node that moves a skin.
pub(super) struct Host {
    pub node: Instance,
}

impl Host {
    /// A pose from which nothing swings.
    pub fn pose(&mut self, joints: &[Affine]) -> Result<Report> {
        self.node.set_array("joints", &ArrayView::from_slice(&flat(joints), 16)?)?;
        self.node.reset();
        self.node.step(0, 0.0, &Control::default())
    }

    pub fn vectors(&self, port: &str) -> Result<Vec<Vec3>> {
        let mut values = vec![0.0; 3 * self.node.output_count(port)?];
        self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, 3)?)?;
        Ok(values.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)).collect())
    }

    pub fn numbers(&self, port: &str) -> Result<Vec<Real>> {
        let mut values = vec![0.0; self.node.output_count(port)?];
        self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, 1)?)?;
        Ok(values)
    }
}

/// Row by row, as hosts have them.
fn flat(joints: &[Affine]) -> Vec<Real> {
    joints.iter().flat_map(|m| std::array::from_fn::<Real, 16, _>(|k| whole(m, k / 4, k % 4))).collect()
}

fn whole(m: &Affine, row: usize, column: usize) -> Real {
    if row < 3 { m[(row, column)] } else { Real::from(column == 3) }
}
