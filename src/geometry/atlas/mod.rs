//! Charts on a surface: coordinates in the plane that extend past the border of their chart.
//!
//! - `transition`: from the coordinates of one quad chart to those of its neighbour.
//! - `chart`: the triangles of a quad chart, and the neighbours of its sides.
//! - `segment`: quad charts for any surface.
//! - `parameterize`: smooth coordinates over all charts at once.
//! - `lookup`: from points to coordinates and back, and from chart to chart.
//! - `unwrap`: UVs from borders that are marked on edges, or found.
//! - `island`: the charts given by an artist's UVs, each extended across its seams.

mod chart;
mod growth;
mod harmonic;
mod island;
mod lookup;
mod parameterize;
mod segment;
mod transition;
mod unwrap;

pub use chart::{Charts, Quad, Side};
pub use island::{IslandUvs, SeamFaces, SeamSide, SlidUvs, Unfolded, UvScratch};
pub use lookup::{Atlas, Located};
pub use parameterize::{Coordinates, Sides, parameterize};
pub use segment::Segmentation;
pub use transition::Transition;
pub use unwrap::{AutoCharts, Unwrapped};

#[cfg(test)]
mod tests;
