//! What a file says about itself: its units, its times, its sublayers.

use super::prim::Value;
use super::stage::{LEFT_HANDED, NORMAL_NAMES, Stage, UV_NAMES};
use crate::over::{Over, UsdNormals, UsdOver};
use sinew_base::error::Result;
use sinew_math::{Real, Space, UpAxis};

impl Stage {
    /// What a layer over a mesh needs to know.
    pub fn over(&self, mesh: &str) -> Result<Over> {
        let prim = self.prim(mesh)?;
        let uvs = self.uv_primvar(prim).and_then(|name| name.strip_prefix("primvars:").map(String::from));
        let uv_type = uvs.as_ref().and_then(|name| prim.properties.get(&format!("primvars:{name}")));
        let orientation = self.texts(prim, "orientation", 0.0);
        let usd = UsdOver {
            default_prim: self.root().text("defaultPrim"),
            space: self.space().ok(),
            time_codes_per_second: self.time_codes_per_second(),
            range: self.range(),
            uv_type: uv_type.map_or("texCoord2f[]", |property| written_type(&property.type_name)),
            uvs: uvs.unwrap_or_else(|| UV_NAMES[0].to_string()),
            left_handed: orientation
                .map_err(|e| e.prim(mesh).file(self.path()))?
                .is_some_and(|t| t == LEFT_HANDED),
            normals: self.normals(mesh)?,
            rates: ["velocities", "accelerations"].map(|name| prim.properties.contains_key(name)),
            posed: self.posing(mesh)?.is_some(),
            instances: prim.instances.iter().map(|path| path.to_string()).collect(),
        };
        Ok(Over { file: self.path().to_path_buf(), mesh: mesh.to_string(), usd: Some(usd) })
    }

    /// The normals of a mesh, if it has any: those that count are listed first.
    fn normals(&self, mesh: &str) -> Result<Option<UsdNormals>> {
        let prim = self.prim(mesh)?;
        let time = self.sample_times(mesh)?.first().copied().unwrap_or(0.0);
        for name in NORMAL_NAMES {
            let found = self.read_primvar(prim, name, time);
            let found = found.map_err(|e| e.prim(mesh).file(self.path()))?;
            if let Some(found) = found.filter(|found| found.components == 3) {
                let by_vertex = matches!(found.interpolation.as_str(), "vertex" | "varying");
                return Ok(Some(UsdNormals { name, by_vertex, indexed: found.indices.is_some() }));
            }
        }
        Ok(None)
    }

    /// The sublayers of this file, as it names them.
    pub fn sublayers(&self) -> Vec<String> {
        self.root().contents.sublayers.iter().map(|(file, _)| file.clone()).collect()
    }

    /// Time codes per second; 24 if the file says nothing sensible.
    pub fn time_codes_per_second(&self) -> Real {
        self.root().time_codes_per_second()
    }

    /// Time codes and frames per second, if the file specifies them.
    pub fn rates(&self) -> [Option<Real>; 2] {
        self.root().rates()
    }

    /// The first and the last time code of the shot, if the file gives them.
    pub fn range(&self) -> [Option<Real>; 2] {
        ["startTimeCode", "endTimeCode"].map(|name| self.root().number(name))
    }

    /// The file's unit of length and up axis; USD's defaults, centimetres with y up, if it says nothing.
    pub fn space(&self) -> Result<Space> {
        let metres = match self.root().metadata("metersPerUnit") {
            Some(Value::Numbers(n)) if n.len() == 1 => n[0],
            _ => 0.01,
        };
        let up = match self.root().metadata("upAxis") {
            Some(Value::Texts(t)) if t == ["Z"] => UpAxis::Z,
            _ => UpAxis::Y,
        };
        Space::new(metres, up).map_err(|e| e.file(self.path()))
    }

    /// The frames of some time codes at a frame rate.
    pub fn frames(&self, times: &[Real], fps: Real) -> Vec<Real> {
        let rate = self.time_codes_per_second();
        times.iter().map(|time| if rate == fps { *time } else { time * fps / rate }).collect()
    }
}

/// The type in which UVs are written over those of a type. Halves become single precision: they are off by a texel of a
/// 4k texture.
fn written_type(type_name: &str) -> &'static str {
    let kept = ["texCoord2d[]", "float2[]", "double2[]"];
    kept.into_iter().find(|kept| *kept == type_name).unwrap_or("texCoord2f[]")
}
