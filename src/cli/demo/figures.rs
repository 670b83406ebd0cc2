//! The demo's figures, measured on the files that its job wrote.

use super::body::{SWALLOWING, TURNED, marks, moved, region, swallowed, time};
use serde_json::{Value, json};
use sinew_anatomy::head::{SWALLOW, UP};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{obj, read_text};
use sinew_geometry::measure::{larger_stretch, triangle_area_vector};
use sinew_geometry::{Mesh, TriMesh};
use sinew_math::{Affine, Real, Vec3, transform_point};
use sinew_report::frame_file;
use std::fmt;
use std::path::Path;

/// What the demo shows, in numbers: with standard skinning and with sliding skin.
pub struct Figures {
    /// The share of the neck's skin that the turn stretches by more than a fifth, and the largest stretch.
    turn: [[Real; 2]; 2],
    /// How far the skin over the Adam's apple moves with it, as a fraction of its travel.
    swallow: [Real; 2],
}

/// Measures the results.
pub fn measure(results: &Path, rest: &Mesh) -> Result<Figures> {
    let skin = skin_points(&frame_file(results, "skin", "csv", TURNED))?;
    let body = obj::read(&frame_file(results, "uv", "obj", TURNED))?.mesh.positions;
    let region = region(rest);
    let turn = [&rest.positions, &skin].map(|skin| turn_stretch(rest, &region, skin, &body));
    let marks = marks(rest);
    let slid = ridden(&frame_file(results, "marks", "csv", SWALLOWING), &marks)?;
    let carried: Vec<Vec3> = marks.iter().map(|&p| moved(p, time(SWALLOWING))).collect();
    let way = |now: &[Vec3]| {
        let along: Real = now.iter().zip(&marks).map(|(now, mark)| (now - mark).dot(&UP)).sum();
        along / marks.len() as Real / (SWALLOW * swallowed(time(SWALLOWING)))
    };
    Ok(Figures { turn, swallow: [way(&carried), way(&slid)] })
}

fn turn_stretch(rest: &Mesh, region: &[Real], skin: &[Vec3], body: &[Vec3]) -> [Real; 2] {
    let Ok(tri) = TriMesh::from_mesh(rest) else { return [0.0; 2] };
    let (mut area, mut stretched, mut largest) = (0.0, 0.0, 0.0);
    for triangle in tri.triangles.iter().filter(|t| t.iter().all(|&v| region[v as usize] > 0.5)) {
        let (from, to) = (triangle.map(|v| skin[v as usize]), triangle.map(|v| body[v as usize]));
        let (stretch, size) = (larger_stretch(from, to), triangle_area_vector(to).norm());
        area += size;
        stretched += if stretch > 1.2 { size } else { 0.0 };
        largest = stretch.max(largest);
    }
    [stretched / area, largest]
}

/// The points of a table `vertex,x,y,z,...`.
fn skin_points(path: &Path) -> Result<Vec<Vec3>> {
    table(path, 4).map(|rows| rows.iter().map(|row| Vec3::from_column_slice(&row[1..4])).collect())
}

/// Points transformed by a table of matrices.
fn ridden(path: &Path, points: &[Vec3]) -> Result<Vec<Vec3>> {
    let rows = table(path, 14)?;
    let carried = |row: &[Real], p: &Vec3| transform_point(&Affine::from_row_slice(&row[2..14]), p);
    Ok(rows.iter().zip(points).map(|(row, p)| carried(row, p)).collect())
}

fn table(path: &Path, columns: usize) -> Result<Vec<Vec<Real>>> {
    let text = read_text(path)?;
    let row = |line: &str| -> Option<Vec<Real>> {
        let cells: Vec<Real> = line.split(',').map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        (cells.len() >= columns).then_some(cells)
    };
    let rows = text.lines().skip(1).map(row).collect::<Option<_>>();
    rows.ok_or_else(|| Error::new(Kind::Parse, "a row does not consist of numbers").file(path))
}

impl Figures {
    pub fn to_json(&self) -> Value {
        let pair = |values: [Real; 2]| json!({ "skinning": values[0], "sliding": values[1] });
        json!({
            "stretched_by_a_fifth": pair(self.turn.map(|t| t[0])), "largest_stretch": pair(self.turn.map(|t| t[1])),
            "goes_along": pair(self.swallow),
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [skinning, sliding] = self.turn;
        let percent = |part: Real| format!("{:.0} %", 100.0 * part);
        writeln!(f, "{:58}{:>10}{:>10}", "", "skinning", "sliding")?;
        let mut row = |what: &str, a: String, b: String| writeln!(f, "{what:58}{a:>10}{b:>10}");
        row("head turned: skin stretched by more than 20 %", percent(skinning[0]), percent(sliding[0]))?;
        row("head turned: largest stretch", format!("{:.2}", skinning[1]), format!("{:.2}", sliding[1]))?;
        let [skinning, sliding] = self.swallow.map(percent);
        row("swallow: skin carried along by the Adam's apple", skinning, sliding)
    }
}
