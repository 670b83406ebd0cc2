//! The clean surface behind the given mesh, on which the skin is computed. Inputs are mapped to it, outputs back.

use super::super::descriptor::{Direction, Domain, Port};
use super::super::store::{InputStore, PortValue};
use super::super::value::{Inputs, Outputs};
use super::DESCRIPTOR;
use super::given::vectors;
use super::pose::odd_pose;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Mended, Mesh, NO_SKIN, Stitch, counted, odd_size};
use sinew_math::{Real, Vec2, Vec3};

/// Coincident rest vertices have come apart when their distance exceeds this multiple of the joined edge's length:
/// below it, the gap that is closed is invisible.
const APART: Real = 0.05;
/// An edge whose length changed by more than this factor belongs to a broken frame, and opens nothing.
const MOST_STRETCHED: Real = 10.0;

/// The surface, the inputs on it, and the mapping back.
pub(super) struct Sound {
    mended: Option<Mended>,
    /// The revision of the original mesh.
    revision: u64,
    /// Counts the surfaces so far.
    number: u64,
    /// The corners of stitches that have opened.
    opened: Vec<u32>,
    /// The previous index of each vertex, if stitches have just opened.
    parents: Option<Vec<u32>>,
    store: InputStore,
    /// The revisions of the original inputs that are in the store.
    seen: Vec<u64>,
    /// Warnings to report with the next good frame.
    notes: Vec<String>,
    spare: Vec<Real>,
}

impl Default for Sound {
    fn default() -> Self {
        let ports = DESCRIPTOR.ports.len();
        Sound {
            mended: None,
            revision: 0,
            number: 0,
            opened: Vec::new(),
            parents: None,
            store: InputStore::new(ports),
            seen: vec![u64::MAX; ports],
            notes: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl Sound {
    /// Follows the inputs of a frame. `begins`: the past is forgotten; `resumed`: the corners that had opened on a
    /// saved skin that is continued, all of them already reported.
    pub(super) fn update(&mut self, inputs: &Inputs, begins: bool, resumed: Option<&[u32]>) -> Result<()> {
        let (mesh, revision) = (inputs.mesh("rest")?, inputs.revision("rest")?);
        let points = vectors(inputs.map("points")?);
        let reopened = resumed.is_some_and(|opened| opened != self.opened);
        if self.mended.is_none() || self.revision != revision || reopened {
            self.mend(Mended::new(mesh, resumed.unwrap_or_default()).map_err(|e| e.port("rest"))?);
            self.opened = resumed.unwrap_or_default().to_vec();
            self.revision = revision;
            self.notes.clear();
            check_count(mesh, "points", points.len())?;
            if let (Some(mended), None) = (&self.mended, resumed) {
                self.notes = mended.findings.sentences();
                self.notes.extend(odd_size(&mesh.positions));
                self.notes.extend(odd_pose(mesh, &points));
            }
        } else if !self.opened.is_empty() && begins {
            // The skin starts from rest, and so do the stitches.
            self.opened.clear();
            self.mend(Mended::new(mesh, &[])?);
        }
        check_count(mesh, "points", points.len())?;
        let acted = vectors(inputs.map("acted")?);
        if !acted.is_empty() {
            check_count(mesh, "acted", acted.len())?;
        }
        self.open(mesh, &points);
        if self.is_plain() { Ok(()) } else { self.bring(inputs, mesh) }
    }

    fn mend(&mut self, mended: Mended) {
        self.mended = Some(mended);
        self.parents = None;
        self.number += 1;
        self.seen.fill(u64::MAX);
    }

    /// Removes the stitches that opened in this frame.
    fn open(&mut self, mesh: &Mesh, points: &[Vec3]) {
        let Some(mended) = &self.mended else { return };
        let apart: Vec<&Stitch> = mended.stitches.iter().filter(|s| is_apart(s, points)).collect();
        let Some(first) = apart.first() else { return };
        let mut opened: Vec<u32> = apart.iter().flat_map(|stitch| stitch.corners).collect();
        opened.extend(&self.opened);
        opened.sort_unstable();
        // What would fall into lone triangles stays joined: nothing could slide.
        let Ok(other) = Mended::new(mesh, &opened) else { return };
        self.notes.push(format!(
            "{} of {} that were merged because their vertices coincide at rest have come apart, the first at vertex \
             {}: from now on the skin does not slide across them",
            apart.len(),
            counted(mended.stitches.len(), "edge", "edges"),
            first.ends[0][0]
        ));
        // After a failed frame in between, the running skin is older than the surface.
        let parents = parents(mended, &other).filter(|_| self.parents.is_none());
        self.opened = opened;
        self.mend(other);
        self.parents = parents;
    }

    /// Whether the given mesh is used as it is.
    fn is_plain(&self) -> bool {
        self.mended.as_ref().is_none_or(Mended::is_plain)
    }

    /// A number that changes with the surface.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The corners of stitches that have opened.
    pub(super) fn opened(&self) -> &[u32] {
        &self.opened
    }

    /// The previous index of each vertex, if nothing but stitches has changed.
    pub(super) fn parents(&self) -> Option<&[u32]> {
        self.parents.as_deref()
    }

    /// Warnings to report with the next good frame.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A frame was good: its warnings have been reported.
    pub(super) fn keep(&mut self) {
        self.parents = None;
        self.notes.clear();
    }

    /// The original face of each face of the surface; empty if they are the same.
    pub(super) fn faces(&self) -> &[u32] {
        match &self.mended {
            Some(mended) if !mended.is_plain() => mended.faces(),
            _ => &[],
        }
    }

    /// The first original vertex of each vertex of the surface; empty if they are the same.
    pub(super) fn vertices(&self) -> Vec<u32> {
        match &self.mended {
            Some(mended) if !mended.is_plain() => {
                (0..mended.mesh.positions.len()).map(|vertex| mended.members(vertex)[0]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The inputs on the surface.
    pub(super) fn inputs<'a>(&'a self, given: &Inputs<'a>) -> Inputs<'a> {
        let store = if self.is_plain() { given.store } else { &self.store };
        Inputs { store, ..*given }
    }

    /// Maps inputs that have changed to the surface.
    fn bring(&mut self, inputs: &Inputs, mesh: &Mesh) -> Result<()> {
        let Some(mended) = &self.mended else { return Ok(()) };
        for (index, port) in DESCRIPTOR.ports.iter().enumerate() {
            let revision = inputs.store.revision(index);
            if port.direction == Direction::Output || self.seen[index] == revision {
                continue;
            }
            let value = match (inputs.store.value(index), port.id) {
                (Some(PortValue::Mesh(_)), _) => Some(PortValue::Mesh(Box::new(mended.mesh.clone()))),
                (Some(PortValue::Reals(given)), "points" | "acted") => {
                    let given: Vec<Vec3> = given.chunks_exact(3).map(Vec3::from_column_slice).collect();
                    let places = mended.places(&given);
                    Some(PortValue::Reals(places.iter().flat_map(|p| [p.x, p.y, p.z]).collect()))
                }
                (None, "fixed") => {
                    Some(PortValue::Reals(held_alone(mended, vec![0.0; mended.mesh.positions.len()])))
                }
                (Some(PortValue::Reals(values)), id) if port.domain.is_vertex() => {
                    let components = port.kind.components() as usize;
                    check_count(mesh, id, values.len() / components)?;
                    let values = combined(mended, id, components, values);
                    Some(PortValue::Reals(if id == "fixed" { held_alone(mended, values) } else { values }))
                }
                (Some(PortValue::Ints(entries)), "rows") => Some(PortValue::Ints(rows(mended, entries)?)),
                (value, _) => value.cloned(),
            };
            self.store.set(index, value);
            self.seen[index] = revision;
        }
        Ok(())
    }

    /// Maps the outputs to the original vertices and corners.
    pub(super) fn spread(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<()> {
        let Some(mended) = self.mended.as_ref().filter(|mended| !mended.is_plain()) else { return Ok(()) };
        let (rest, points) = (inputs.mesh("rest")?, inputs.reals("points")?);
        for (index, port) in DESCRIPTOR.ports.iter().enumerate() {
            if port.direction == Direction::Input || outputs.array(index).is_empty() {
                continue;
            }
            let found = outputs.array_mut(index);
            match port.domain {
                Domain::Vertex(_) => {
                    spread_vertices(mended, port, found, [&flat(rest), points], &mut self.spare)
                }
                Domain::Corner(_) => {
                    let uvs: Vec<Vec2> = found.chunks_exact(2).map(Vec2::from_column_slice).collect();
                    self.spare.clear();
                    self.spare.extend(mended.spread_uvs(&uvs).iter().flat_map(|uv| [uv.x, uv.y]));
                }
                _ => continue,
            }
            std::mem::swap(found, &mut self.spare);
        }
        Ok(())
    }

    /// An error with its location on the original mesh.
    pub(super) fn place(&self, error: Error) -> Error {
        match &self.mended {
            Some(mended) if !mended.is_plain() => mended.given_place(error),
            _ => error,
        }
    }
}

fn is_apart(stitch: &Stitch, points: &[Vec3]) -> bool {
    let off = |[a, b]: [u32; 2]| (points[b as usize] - points[a as usize]).norm();
    let now = off([stitch.ends[0][0], stitch.ends[1][0]]);
    let sane = now > stitch.length / MOST_STRETCHED && now < stitch.length * MOST_STRETCHED;
    sane && stitch.ends.iter().any(|pair| off(*pair) > APART * now.max(stitch.length))
}

/// For each vertex of a surface that of another one, which has the same corners.
fn parents(old: &Mended, new: &Mended) -> Option<Vec<u32>> {
    if old.mesh.face_offsets != new.mesh.face_offsets || old.faces() != new.faces() {
        return None;
    }
    let mut parents = vec![0; new.mesh.positions.len()];
    for (&own, &parent) in new.mesh.corner_vertices.iter().zip(&old.mesh.corner_vertices) {
        parents[own as usize] = parent;
    }
    Some(parents)
}

fn check_count(mesh: &Mesh, port: &str, count: usize) -> Result<()> {
    let vertices = mesh.positions.len();
    if count == vertices {
        return Ok(());
    }
    let message = match port {
        "points" => format!("the body has {count} vertices, the mesh at rest {vertices}"),
        _ => {
            let vertices = counted(vertices, "vertex", "vertices");
            format!("{} for {vertices}", counted(count, "value", "values"))
        }
    };
    Err(Error::new(Kind::CountMismatch, message).port(port))
}

/// A map on the surface. Where original vertices are merged, the largest hold or keep value applies, forces add up, the
/// first non-zero direction is used, and everything else is averaged.
fn combined(mended: &Mended, id: &str, components: usize, values: &[Real]) -> Vec<Real> {
    let mut made = Vec::with_capacity(mended.mesh.positions.len() * components);
    for vertex in 0..mended.mesh.positions.len() {
        let members = mended.members(vertex);
        let value = |v: u32, k: usize| values[components * v as usize + k];
        let own = |v: &&u32| mended.vertex_of()[**v as usize] == vertex as u32;
        let set = |v: &&u32| (0..components).any(|k| value(**v, k) != 0.0);
        let chosen = *members.iter().find(set).unwrap_or(&members[0]);
        for k in 0..components {
            let first = value(members[0], k);
            made.push(match id {
                "fixed" | "hold" | "proxy_keep" => {
                    members.iter().fold(first, |most, &v| most.max(value(v, k)))
                }
                "region" => members.iter().fold(first, |least, &v| least.min(value(v, k))),
                "forces" => members.iter().filter(own).map(|&v| value(v, k)).sum(),
                _ if components > 1 => value(chosen, k),
                _ => {
                    let off: Real = members.iter().map(|&v| value(v, k) - first).sum();
                    first + off / members.len() as Real
                }
            });
        }
    }
    made
}

/// Holds lone triangles.
fn held_alone(mended: &Mended, mut fixed: Vec<Real>) -> Vec<Real> {
    fixed.iter_mut().zip(mended.alone()).filter(|(_, alone)| **alone).for_each(|(fixed, _)| *fixed = 1.0);
    fixed
}

/// The entries of constraints with the vertices of the surface.
fn rows(mended: &Mended, entries: &[u32]) -> Result<Vec<u32>> {
    let mut made = entries.to_vec();
    for entry in made.chunks_exact_mut(2) {
        let of = mended.vertex_of();
        entry[1] = match of.get(entry[1] as usize) {
            Some(&vertex) if vertex != NO_SKIN => vertex,
            Some(_) => {
                let message = format!("row {} of the constraints names a vertex without skin", entry[0]);
                return Err(Error::new(Kind::OutOfRange, message).vertex(entry[1] as usize).port("rows"));
            }
            None => {
                let message = format!(
                    "row {} of the constraints names vertex {}, but there are only {}, counted from 0",
                    entry[0],
                    entry[1],
                    of.len()
                );
                return Err(Error::new(Kind::OutOfRange, message).port("rows"));
            }
        };
    }
    Ok(made)
}

fn flat(mesh: &Mesh) -> Vec<Real> {
    mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

/// Outputs by vertex. A vertex without skin stays where it is, unstretched.
fn spread_vertices(
    mended: &Mended,
    port: &Port,
    found: &[Real],
    [rest, points]: [&[Real]; 2],
    out: &mut Vec<Real>,
) {
    let components = port.kind.components() as usize;
    out.clear();
    for (v, &own) in mended.vertex_of().iter().enumerate() {
        let at = |values: &[Real], v: usize, k: usize| values[components * v + k];
        for k in 0..components {
            out.push(match port.id {
                _ if own != NO_SKIN && port.id == "skin_faces" => {
                    Real::from(mended.faces()[at(found, own as usize, k) as usize])
                }
                _ if own != NO_SKIN => at(found, own as usize, k),
                "skin_points" => at(rest, v, k),
                "slid_points" => at(points, v, k),
                "stretch" => 1.0,
                "skin_weights" if k == 0 => 1.0,
                _ => 0.0,
            });
        }
    }
}
