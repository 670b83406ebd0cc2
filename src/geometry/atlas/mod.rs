//! Charts on a surface: coordinates in the plane that continue past the border of their chart.
//!
//! - `island`: the charts that an artist's UVs make, each continued across its seams.

mod island;

pub use island::IslandUvs;
