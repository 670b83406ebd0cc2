//! Mirrors a scene: a right hand from a left one. Gravity belongs to the world, not the model: it pulls the mirrored
//! scene as it did the original, whether the scene sets it or not.

use super::StrandScene;
use crate::quantity::{Mapping, Quantity, applied};
use crate::schema::{AttributeSchema, Element, ElementSchema, Tree};
use crate::sides::other_side;
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Mat3, Real, Vec3};
use std::collections::HashMap;

/// The mirror at the plane through the origin that is perpendicular to an axis: 0, 1, 2 for x, y, z.
struct Mirror(usize);

/// Takes an axis to its opposite.
fn flip(axis: usize) -> Mat3 {
    Mat3::from_diagonal(&Vec3::from_fn(|k, _| if k == axis { -1.0 } else { 1.0 }))
}

impl Mapping for Mirror {
    fn world(&self) -> Mat3 {
        flip(self.0)
    }

    fn gravity(&self) -> Mat3 {
        Mat3::identity()
    }

    fn inside(&self, axes: Quantity) -> Mat3 {
        match axes {
            // The normal stays the normal.
            Quantity::TurnOfPlane => flip(0),
            // The way round stays from x to y.
            Quantity::TurnOfCircle => flip(2),
            _ => flip(self.0),
        }
    }

    fn scale(&self) -> Real {
        1.0
    }

    fn motion(&self, axis: usize) -> Real {
        // Rotations about the mirror's axis keep their sign; translations along it change theirs.
        let about = axis < 3;
        if about == (axis % 3 == self.0) { 1.0 } else { -1.0 }
    }
}

/// Swaps left and right in the names of elements, wherever they stand.
fn rename(tree: &mut Tree, schema: &ElementSchema) {
    for (name, value) in &mut tree.attributes {
        let known = schema.attributes.iter().find(|known| known.name == name);
        if known.is_some_and(AttributeSchema::is_name) {
            *value = other_side(value);
        }
    }
    let children = (schema.children)();
    for child in &mut tree.children {
        if let Some(known) = children.iter().find(|known| known.element.name == child.name) {
            rename(child, known.element);
        }
    }
}

/// The name of a file's mirrored mesh: in the same folder, whatever sides the names contain.
fn file(name: &str) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "obj"));
    match stem.strip_suffix("_mirrored") {
        Some(stem) => format!("{stem}.{ending}"),
        None => format!("{stem}_mirrored.{ending}"),
    }
}

/// Reverses the winding of faces and mirrors the normals.
fn turn_inside_out(mesh: &mut Mesh, flip: &Mat3) {
    for face in 0..mesh.face_count() {
        let corners = mesh.face_offsets[face] as usize..mesh.face_offsets[face + 1] as usize;
        mesh.corner_vertices[corners.clone()].reverse();
        mesh.uvs.iter_mut().for_each(|layer| layer.indices[corners.clone()].reverse());
        mesh.normals.iter_mut().for_each(|layer| layer.indices[corners.clone()].reverse());
    }
    mesh.normals.iter_mut().flat_map(|layer| &mut layer.values).for_each(|normal| *normal = flip * *normal);
}

impl StrandScene {
    /// The scene and its meshes mirrored at the plane through the origin perpendicular to an axis (0, 1, 2 for x, y,
    /// z), left and right swapped in names; gravity stays. Places are in world space afterwards.
    pub fn mirrored(
        &self,
        axis: usize,
        meshes: &HashMap<String, Mesh>,
    ) -> Result<(Self, HashMap<String, Mesh>)> {
        let mut scene = self.in_world()?;
        let mirror = Mirror(axis);
        scene.measure(&mut applied(&mirror));
        // Where a motion changes its sign, the ends of its range change places.
        let axes = scene.joints.iter_mut().flat_map(|joint| &mut joint.axes);
        for ligaments in
            axes.filter(|axis| mirror.motion(axis.name.index()) < 0.0).flat_map(|axis| &mut axis.ligaments)
        {
            std::mem::swap(&mut ligaments.from, &mut ligaments.to);
        }
        scene.files_mut().for_each(|name| *name = file(name));
        let mut tree = scene.to_tree();
        rename(&mut tree, StrandScene::schema());
        let flip = flip(axis);
        let turned = |(name, mesh): (&String, &Mesh)| {
            let mut mesh = mesh.clone();
            mesh.positions.iter_mut().for_each(|p| *p = flip * *p);
            turn_inside_out(&mut mesh, &flip);
            (file(name), mesh)
        };
        Ok((StrandScene::from_tree(&tree)?, meshes.iter().map(turned).collect()))
    }
}
