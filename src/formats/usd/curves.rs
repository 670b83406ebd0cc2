//! Curves of a file at a time.

use super::stage::Stage;
use super::write::CurvesData;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3, linear, transform_point};

impl Stage {
    /// The paths of the curves.
    pub fn curves(&self) -> Vec<&str> {
        self.prims_of("BasisCurves")
    }

    /// Curves with their widths at a time, in the file's units and in world space. Other primvars are read by
    /// [`Stage::primvar_at`].
    pub fn curves_at(&self, path: &str, time: Real) -> Result<CurvesData> {
        self.read_curves(path, time).map_err(|e| e.prim(path).file(self.path()))
    }

    fn read_curves(&self, path: &str, time: Real) -> Result<CurvesData> {
        let prim = self.prim(path)?;
        let needed = |name: &str| Error::new(Kind::MissingInput, format!("the curves have no {name}"));
        let counts =
            self.indices(prim, "curveVertexCounts", time)?.ok_or_else(|| needed("curveVertexCounts"))?;
        let points = self.points(prim, time)?;
        let vertices: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if vertices != points.len() as u64 {
            let message = format!("there are {} points, but the curves need {vertices}", points.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let place = self.world(path, time)?;
        let velocities = self.numbers(prim, "velocities", time)?.unwrap_or_default();
        Ok(CurvesData {
            counts,
            points: points.iter().map(|p| transform_point(&place, p)).collect(),
            velocities: velocities
                .chunks_exact(3)
                .map(|v| linear(&place) * Vec3::from_column_slice(v))
                .collect(),
            widths: self.numbers(prim, "widths", time)?.unwrap_or_default(),
            ..CurvesData::default()
        })
    }
}
