//! How far skin is from that of the node.

use serde_json::{Value, json};
use sinew_math::Real;
use sinew_pose::Errors;

/// Distances in metres: of linear skinning, and of linear skinning with corrective shapes.
pub(super) struct Measured {
    all: [Errors; 2],
    /// Those of the vertices of which a joint carries the most.
    joints: Vec<[Errors; 2]>,
}

impl Measured {
    pub fn new(joints: usize) -> Self {
        Measured { all: Default::default(), joints: vec![Default::default(); joints] }
    }

    pub fn add(&mut self, joint: Option<u32>, distances: [Real; 2]) {
        for (k, distance) in distances.into_iter().enumerate() {
            self.all[k].add(distance);
            joint.into_iter().for_each(|joint| self.joints[joint as usize][k].add(distance));
        }
    }

    pub fn sentence(&self) -> String {
        let [linear, shapes] = self.all.each_ref().map(figures);
        format!(
            "linear skinning is off by {:.2}, {:.2} and {:.2} mm (half of all, 99 %, most), with shapes by {:.2}, {:.2} \
             and {:.2} mm",
            linear[0], linear[1], linear[2], shapes[0], shapes[1], shapes[2]
        )
    }

    pub fn json(&self, names: &[String]) -> Value {
        let both = |[linear, shapes]: &[Errors; 2]| {
            let one = |errors: &Errors| {
                let [p50, p99, max] = figures(errors);
                json!({ "p50_mm": p50, "p99_mm": p99, "max_mm": max })
            };
            json!({ "linear": one(linear), "shapes": one(shapes) })
        };
        let joints = names.iter().zip(&self.joints).filter(|(_, [linear, _])| linear.most() > 0.0);
        let joints: serde_json::Map<String, Value> =
            joints.map(|(name, errors)| (name.clone(), both(errors))).collect();
        json!({ "all": both(&self.all), "joints": joints })
    }
}

/// Half of all, 99 % and the largest, in millimetres.
fn figures(errors: &Errors) -> [Real; 3] {
    [errors.quantile(0.5), errors.quantile(0.99), errors.most()].map(|distance| 1e3 * distance)
}
