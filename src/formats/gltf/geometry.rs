//! The mesh of a file, unposed and in its own space, with what its vertices are skinned by and how blend shapes move
//! them.

use super::accessor::{Numbers, Offsets};
use super::asset::Asset;
use super::document::{FLOAT, Material, MeshEntry, Primitive, Target, missing};
use crate::weights::VertexWeights;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
use sinew_math::{Real, Vec2, Vec3};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A mesh that is not posed.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    pub mesh: Mesh,
    /// By index into the joints of a skin; none if no primitive is skinned.
    pub weights: Option<VertexWeights>,
    pub shapes: Vec<Offsets>,
}

/// Vertices as the file has them, one for each UV and normal, with indices into all that primitives name.
#[derive(Default)]
struct Split {
    positions: Vec<Vec3>,
    uvs: Vec<Option<Vec2>>,
    normals: Vec<Option<Vec3>>,
    influences: Vec<Vec<(u32, Real)>>,
    is_skinned: bool,
    shapes: Vec<Offsets>,
    triangles: Vec<[u32; 3]>,
    materials: FaceLabels,
}

/// What makes the vertices of a primitive: its material matters where that scales UVs.
type Sources<'a> = (&'a BTreeMap<String, usize>, &'a [Target], Option<usize>);

const UVS: &str = "TEXCOORD_0";

impl Asset {
    /// A mesh of the file, without a pose.
    pub(super) fn geometry(&self, index: usize) -> Result<Geometry> {
        let read = || {
            let all = &self.document.meshes;
            let entry = all.get(index).ok_or_else(|| missing("mesh", index, all.len()))?;
            self.split(entry)?.merged()
        };
        read().map_err(|e: Error| e.element(&format!("mesh {index}")))
    }

    fn split(&self, entry: &MeshEntry) -> Result<Split> {
        const TRIANGLES: u32 = 4;
        let mode = |primitive: &Primitive| primitive.mode.unwrap_or(TRIANGLES);
        // Lines and points are no part of a surface.
        let solid: Vec<&Primitive> = entry.primitives.iter().filter(|p| mode(p) >= TRIANGLES).collect();
        let Some(first) = solid.first() else {
            return Err(Error::new(Kind::MissingInput, "the mesh has no triangles"));
        };
        let mut split = Split { shapes: Vec::new(), ..Split::default() };
        split.shapes.resize_with(first.targets.len(), Offsets::default);
        let mut known: BTreeMap<Sources, (u32, u32)> = BTreeMap::new();
        let mut labels = HashMap::new();
        for primitive in solid {
            if primitive.targets.len() != split.shapes.len() {
                let message = "its primitives differ in the number of blend shapes";
                return Err(Error::new(Kind::CountMismatch, message));
            }
            let scaling = primitive.material.filter(|_| self.has_whole_uvs(primitive));
            let sources = (&primitive.attributes, primitive.targets.as_slice(), scaling);
            let (start, count) = match known.get(&sources) {
                Some(&vertices) => vertices,
                None => {
                    let start = split.positions.len() as u32;
                    self.vertices(sources, &mut split)?;
                    let vertices = (start, split.positions.len() as u32 - start);
                    known.insert(sources, vertices);
                    vertices
                }
            };
            let corners = match primitive.indices {
                Some(index) => self.corners(index, start, count)?,
                None => {
                    self.charge(count as usize)?;
                    (start..start + count).collect()
                }
            };
            let faces = split.triangles.len();
            triangles(&corners, mode(primitive), &mut split.triangles)?;
            let label = match primitive.material {
                None => NO_VALUE,
                Some(material) => *labels.entry(material).or_insert_with(|| {
                    let named = self.document.materials.get(material).and_then(|m| m.name.clone());
                    split.materials.names.push(named.unwrap_or_else(|| format!("material{material}")));
                    split.materials.names.len() as u32 - 1
                }),
            };
            split.materials.of_face.extend((faces..split.triangles.len()).map(|_| label));
        }
        Ok(split)
    }

    fn corners(&self, index: usize, start: u32, count: u32) -> Result<Vec<u32>> {
        if self.accessor(index)?.buffer_view.is_none() {
            let message = "the faces have no data: is the mesh compressed? Export it without compression";
            return Err(Error::new(Kind::Unsupported, message).element(&format!("accessor {index}")));
        }
        let places = self.numbers(index, &["SCALAR"])?.values;
        let vertex = |(corner, &place): (usize, &Real)| {
            let known = (place >= 0.0 && place < Real::from(count) && place.fract() == 0.0)
                .then(|| start + place as u32);
            known.ok_or_else(|| {
                let message = format!("the corner {corner} has the vertex {place}; there are {count}");
                Error::new(Kind::OutOfRange, message).element(&format!("accessor {index}"))
            })
        };
        places.iter().enumerate().map(vertex).collect()
    }

    /// Reads the vertices of a primitive.
    fn vertices(&self, (attributes, targets, scaling): Sources, split: &mut Split) -> Result<()> {
        let position = attributes.get("POSITION");
        let position =
            *position.ok_or_else(|| Error::new(Kind::MissingInput, "a primitive has no POSITION"))?;
        let accessor = self.accessor(position)?;
        if accessor.buffer_view.is_none() && accessor.sparse.is_none() {
            let message = "the points have no data: is the mesh compressed? Export it without compression";
            return Err(Error::new(Kind::Unsupported, message).element(&format!("accessor {position}")));
        }
        let points = self.numbers(position, &["VEC3"])?;
        let (start, count) = (split.positions.len(), points.values.len() / 3);
        if start + count >= NO_VALUE as usize {
            return Err(Error::new(Kind::TooLarge, "too many vertices"));
        }
        // Adding 0 makes -0 and 0 the same bits.
        split
            .positions
            .extend(points.values.chunks_exact(3).map(|v| Vec3::from_column_slice(v).add_scalar(0.0)));
        self.corner_values((attributes, scaling), count, start, split)?;
        split.influences.resize(start + count, Vec::new());
        self.skinning(attributes, count, start, split)?;
        for (shape, target) in targets.iter().enumerate() {
            let Some(index) = target.position else { continue };
            let Offsets { places, vectors } = self.offsets(index, count)?;
            split.shapes[shape].places.extend(places.into_iter().map(|place| start as u32 + place));
            split.shapes[shape].vectors.extend(vectors);
        }
        Ok(())
    }

    /// An attribute of so many vertices, if the primitive has it.
    fn attribute(
        &self,
        attributes: &BTreeMap<String, usize>,
        name: &str,
        shape: &str,
        count: usize,
    ) -> Result<Option<Numbers>> {
        let Some(&index) = attributes.get(name) else { return Ok(None) };
        let numbers =
            self.numbers(index, &[shape]).map_err(|e| e.element(&format!("{name}, accessor {index}")))?;
        match numbers.values.len() == count * numbers.width {
            true => Ok(Some(numbers)),
            false => {
                let given = numbers.values.len() / numbers.width;
                Err(Error::new(Kind::CountMismatch, format!("{name} of {given} vertices; there are {count}")))
            }
        }
    }

    /// Whether the UVs of a primitive are integers, which `KHR_texture_transform` scales back. UVs of floats are where
    /// the artist laid them, whatever a material does with them.
    fn has_whole_uvs(&self, primitive: &Primitive) -> bool {
        let accessor = primitive.attributes.get(UVS).and_then(|&index| self.accessor(index).ok());
        accessor.is_some_and(|accessor| accessor.component_type != FLOAT)
    }

    /// Reads what belongs to corners in other formats: UVs and normals.
    fn corner_values(
        &self,
        (attributes, scaling): (&BTreeMap<String, usize>, Option<usize>),
        count: usize,
        start: usize,
        split: &mut Split,
    ) -> Result<()> {
        if let Some(uvs) = self.attribute(attributes, UVS, "VEC2", count)? {
            let material = scaling.and_then(|material| self.document.materials.get(material));
            let transform = material.and_then(Material::texture_transform).unwrap_or_default();
            let placed = uvs.values.chunks_exact(2).map(|uv| transform.apply([uv[0], uv[1]]));
            // In glTF v points down.
            split.uvs.resize(start, None);
            split.uvs.extend(placed.map(|[u, v]| Some(Vec2::new(u, 1.0 - v))));
        }
        if let Some(normals) = self.attribute(attributes, "NORMAL", "VEC3", count)? {
            split.normals.resize(start, None);
            split.normals.extend(normals.values.chunks_exact(3).map(|v| Some(Vec3::from_column_slice(v))));
        }
        Ok(())
    }

    /// Reads all sets of joints and weights.
    fn skinning(
        &self,
        attributes: &BTreeMap<String, usize>,
        count: usize,
        start: usize,
        split: &mut Split,
    ) -> Result<()> {
        for set in 0.. {
            let [joints, weights] = ["JOINTS", "WEIGHTS"].map(|name| format!("{name}_{set}"));
            let read = |name: &str| self.attribute(attributes, name, "VEC4", count);
            match (read(&joints)?, read(&weights)?) {
                (None, None) => break,
                (Some(joints), Some(weights)) => {
                    influences(&joints.values, &weights.values, &mut split.influences[start..])?;
                    split.is_skinned = true;
                }
                _ => {
                    let message = format!("one of {joints} and {weights} is missing");
                    return Err(Error::new(Kind::MissingInput, message));
                }
            }
        }
        Ok(())
    }
}

/// Adds what one set of joints and weights says about vertices.
fn influences(joints: &[Real], weights: &[Real], all: &mut [Vec<(u32, Real)>]) -> Result<()> {
    let each = joints.chunks_exact(4).zip(weights.chunks_exact(4)).zip(all).enumerate();
    for (vertex, ((joints, weights), own)) in each {
        for (&joint, &weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            if !(weight > 0.0 && joint >= 0.0 && joint.fract() == 0.0 && joint < Real::from(u32::MAX)) {
                let message = format!("the joint {joint} has the weight {weight}");
                return Err(Error::new(Kind::OutOfRange, message).vertex(vertex));
            }
            match own.iter_mut().find(|(other, _)| *other == joint as u32) {
                Some((_, sum)) => *sum += weight,
                None => own.push((joint as u32, weight)),
            }
        }
    }
    Ok(())
}

/// Adds the triangles of a list, a strip or a fan.
fn triangles(corners: &[u32], mode: u32, all: &mut Vec<[u32; 3]>) -> Result<()> {
    let around = corners.len().saturating_sub(2);
    match mode {
        4 => all.extend(corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]])),
        // Every other triangle of a strip is wound the other way; where a strip jumps, triangles repeat a vertex.
        5 => {
            let strip = (0..around).map(|k| [corners[k], corners[k + 1 + k % 2], corners[k + 2 - k % 2]]);
            all.extend(strip.filter(|[a, b, c]| a != b && b != c && c != a));
        }
        6 => all.extend((0..around).map(|k| [corners[k + 1], corners[k + 2], corners[0]])),
        mode => return Err(Error::new(Kind::Parse, format!("the mode {mode} of a primitive is unknown"))),
    }
    Ok(())
}

/// Numbers keys in the order of their first use.
struct Numbered<K>(HashMap<K, u32>);

impl<K: Hash + Eq> Numbered<K> {
    fn of(&mut self, key: K) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

impl Split {
    /// The vertex of the mesh that each vertex of the file is, and the first vertex of the file that each is: vertices
    /// are the same where points, weights and all offsets have the same bits.
    fn places(&self) -> (Vec<u32>, Vec<u32>) {
        let bits = |v: &Vec3| [v.x, v.y, v.z].map(Real::to_bits);
        let mut numbered = Numbered(HashMap::new());
        let mut classes: Vec<u32> = (self.positions.iter().zip(&self.influences))
            .map(|(point, influences)| {
                let weights: Vec<(u32, u64)> = influences.iter().map(|(j, w)| (*j, w.to_bits())).collect();
                numbered.of((bits(point), weights))
            })
            .collect();
        let mut count = numbered.0.len() as u32;
        for shape in &self.shapes {
            let mut numbered = Numbered(HashMap::new());
            for (&place, vector) in shape.places.iter().zip(&shape.vectors) {
                let class = &mut classes[place as usize];
                *class = count + numbered.of((*class, bits(vector)));
            }
            count += numbered.0.len() as u32;
        }
        let (mut numbered, mut firsts) = (Numbered(HashMap::new()), Vec::new());
        for (first, class) in classes.iter_mut().enumerate() {
            *class = numbered.of(*class);
            if *class as usize == firsts.len() {
                firsts.push(first as u32);
            }
        }
        (classes, firsts)
    }

    fn merged(mut self) -> Result<Geometry> {
        let (places, firsts) = self.places();
        let corners: Vec<u32> = self.triangles.iter().flatten().copied().collect();
        let mut mesh = Mesh {
            positions: firsts.iter().map(|&first| self.positions[first as usize]).collect(),
            face_offsets: (0..=self.triangles.len() as u32).map(|face| 3 * face).collect(),
            corner_vertices: corners.iter().map(|&corner| places[corner as usize]).collect(),
            uvs: layer(&self.uvs, &corners, &places, |v| [v.x, v.y, 0.0]),
            normals: layer(&self.normals, &corners, &places, |v| [v.x, v.y, v.z]),
            ..Mesh::default()
        };
        if !self.materials.names.is_empty() {
            mesh.materials = self.materials;
        }
        mesh.check_counts()?;
        let weights = self.is_skinned.then(|| {
            VertexWeights(
                firsts.iter().map(|&first| std::mem::take(&mut self.influences[first as usize])).collect(),
            )
        });
        let shape = |shape: Offsets| {
            let each = shape.places.into_iter().zip(shape.vectors);
            // All vertices of the file that are one have the same offset.
            let once = each.filter(|(place, _)| firsts[places[*place as usize] as usize] == *place);
            let (found, vectors) = once.map(|(place, vector)| (places[place as usize], vector)).unzip();
            Offsets { places: found, vectors }
        };
        Ok(Geometry { mesh, weights, shapes: self.shapes.into_iter().map(shape).collect() })
    }
}

/// The values of corners, shared by those corners of a vertex that have the same; none if no vertex has one.
fn layer<T: Copy>(
    values: &[Option<T>],
    corners: &[u32],
    places: &[u32],
    numbers: impl Fn(T) -> [Real; 3],
) -> Option<CornerLayer<T>> {
    if values.is_empty() {
        return None;
    }
    let (mut numbered, mut kept) = (Numbered(HashMap::new()), Vec::new());
    let index = |&corner: &u32| {
        let Some(value) = values.get(corner as usize).copied().flatten() else { return NO_VALUE };
        let index = numbered.of((places[corner as usize], numbers(value).map(Real::to_bits)));
        if index as usize == kept.len() {
            kept.push(value);
        }
        index
    };
    let indices = corners.iter().map(index).collect();
    Some(CornerLayer { values: kept, indices })
}
