//! Charts on a surface: coordinates in the plane that continue past the border of their chart.
//!
//! - `transition`: from the coordinates of one quad chart to those of the chart beside it.
//! - `chart`: which triangles a quad chart has, and what is across its sides.
//! - `segment`: quad charts for any surface.
//! - `parameterize`: smooth coordinates over all charts at once.
//! - `lookup`: from places to coordinates and back, and from chart to chart.
//! - `island`: the charts that an artist's UVs make, each continued across its seams.

mod chart;
mod island;
mod lookup;
mod parameterize;
mod segment;
mod transition;

pub use chart::{Charts, Quad, Side};
pub use island::{IslandUvs, SeamFaces, SeamSide, SlidUvs, Unfolded, UvScratch};
pub use lookup::{Atlas, Located};
pub use parameterize::{Coordinates, Sides, parameterize};
pub use segment::Segmentation;
pub use transition::Transition;

#[cfg(test)]
mod tests;
