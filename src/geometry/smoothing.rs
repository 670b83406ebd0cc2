//! The rules of subdivision surfaces at borders and seams; available in builds without OpenSubdiv too.

/// What happens at the open borders of the cage. The numbers are OpenSubdiv's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Boundary {
    /// Borders are smooth curves, corners are rounded.
    EdgeOnly = 1,
    /// Borders are smooth curves, vertices of a single face stay put. Maya's and Blender's default.
    #[default]
    EdgeAndCorner = 2,
}

/// How UVs are smoothed. The numbers are OpenSubdiv's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum UvSmoothing {
    /// Smooth everywhere, also along island borders.
    Smooth = 0,
    /// Smooth, but corners of islands stay put.
    CornersOnly = 1,
    /// As `CornersOnly`, and junctions of three or more islands stay put.
    #[default]
    CornersPlus1 = 2,
    /// As `CornersPlus1`, and darts and concave corners stay put.
    CornersPlus2 = 3,
    /// Smooth inside islands, linear along their borders.
    Boundaries = 4,
    /// Linear everywhere.
    Linear = 5,
}
