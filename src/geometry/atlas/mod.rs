//! Charts on a surface: coordinates in the plane that continue past the border of their chart.
//!
//! - `transition`: from the coordinates of one quad chart to those of the chart beside it.
//! - `island`: the charts that an artist's UVs make, each continued across its seams.

mod island;
mod transition;

pub use island::IslandUvs;
pub use transition::Transition;
