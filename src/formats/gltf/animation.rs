//! Animations: values of nodes over time [glTF 2.0, appendix C].

use super::asset::Asset;
use super::document::{Animation, Channel, Interpolation, missing};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Placement, Real, Rotation, Vec3};
use std::collections::BTreeMap;

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

/// A property over time.
#[derive(Debug)]
pub(super) struct Track {
    property: Property,
    interpolation: Interpolation,
    /// In seconds, rising; at least one.
    times: Vec<Real>,
    /// Numbers of a value.
    width: usize,
    /// A value for each time; with cubic splines, the tangent into it, the value, and the tangent out of it.
    values: Vec<Real>,
}

/// What moves which nodes.
pub(super) type Tracks = BTreeMap<(usize, Property), Track>;

impl Asset {
    /// The names of all animations.
    pub(super) fn animation_names(&self) -> Vec<String> {
        let name = |(index, animation): (usize, &Animation)| {
            animation.name.clone().unwrap_or_else(|| format!("animation{index}"))
        };
        self.document.animations.iter().enumerate().map(name).collect()
    }

    /// The tracks that move some nodes, by the animation of that name. Without a name, by all that do: an armature and
    /// its blend shapes often have one each; if two move the same, a name is needed. `shapes` are the weights of the
    /// node with the mesh.
    pub(super) fn tracks(
        &self,
        name: Option<&str>,
        moves: &dyn Fn(usize, Property) -> Option<usize>,
    ) -> Result<Tracks> {
        let names = self.animation_names();
        if let Some(name) = name.filter(|name| !names.iter().any(|n| n == name)) {
            let message = format!("there is no animation {name:?}; there are {}", list(&names));
            return Err(Error::new(Kind::NotFound, message));
        }
        let mut tracks = Tracks::new();
        let mut by = BTreeMap::new();
        let chosen = |index: &usize| name.is_none_or(|name| names[*index] == name);
        for index in (0..names.len()).filter(chosen) {
            let animation = &self.document.animations[index];
            for channel in &animation.channels {
                let Some((node, property)) = target(channel) else { continue };
                let Some(width) = moves(node, property) else { continue };
                if let Some(other) = by.insert((node, property), index) {
                    return Err(twice(&names, other, index));
                }
                let track = self.track(animation, channel, property, width);
                let track = track.map_err(|e| e.element(&format!("animation {:?}", names[index])))?;
                tracks.insert((node, property), track);
            }
        }
        Ok(tracks)
    }

    fn track(
        &self,
        animation: &Animation,
        channel: &Channel,
        property: Property,
        width: usize,
    ) -> Result<Track> {
        let count = animation.samplers.len();
        let sampler = animation.samplers.get(channel.sampler);
        let sampler = sampler.ok_or_else(|| missing("sampler", channel.sampler, count))?;
        let times = self.key_times(sampler.input)?;
        let shape = match property {
            Property::Weights => "SCALAR",
            Property::Rotation => "VEC4",
            Property::Translation | Property::Scale => "VEC3",
        };
        let values = self.numbers(sampler.output, &[shape])?.values;
        let per_key = if sampler.interpolation == Interpolation::Cubic { 3 * width } else { width };
        if times.len().checked_mul(per_key) != Some(values.len()) {
            let message = format!("{} numbers for {} keys of {per_key}", values.len(), times.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        Ok(Track { property, interpolation: sampler.interpolation, times, width, values })
    }

    /// The times of an accessor of keys.
    pub(super) fn key_times(&self, input: usize) -> Result<Vec<Real>> {
        let times = self.numbers(input, &["SCALAR"])?.values;
        if times.is_empty() || times.windows(2).any(|pair| pair[0] >= pair[1]) {
            let message = "the times of an animation must rise from key to key";
            return Err(Error::new(Kind::Parse, message).element(&format!("accessor {input}")));
        }
        Ok(times)
    }
}

/// The node and the property that a channel moves; none if it moves something else.
fn target(channel: &Channel) -> Option<(usize, Property)> {
    let property = match channel.target.path.as_str() {
        "translation" => Property::Translation,
        "rotation" => Property::Rotation,
        "scale" => Property::Scale,
        "weights" => Property::Weights,
        _ => return None,
    };
    channel.target.node.map(|node| (node, property))
}

fn list(names: &[String]) -> String {
    names.iter().take(20).cloned().collect::<Vec<_>>().join(", ")
}

fn twice(names: &[String], first: usize, second: usize) -> Error {
    let message = if first == second {
        format!("the animation {:?} moves the same twice", names[first])
    } else {
        format!(
            "{} animations, of which several move this: {}; name one at the end of the path, as in shot.glb/@{}",
            names.len(),
            list(names),
            names[first]
        )
    };
    Error::new(Kind::InvalidArgument, message)
}

impl Track {
    pub fn times(&self) -> &[Real] {
        &self.times
    }

    /// The value at a time; before the first key and after the last it is theirs.
    pub fn at(&self, time: Real) -> Vec<Real> {
        let after = self.times.partition_point(|t| *t <= time);
        let (from, to) = (after.saturating_sub(1), after.min(self.times.len() - 1));
        if after == 0 || from == to || self.interpolation == Interpolation::Step || self.times[from] == time {
            return self.key(from).to_vec();
        }
        let apart = self.times[to] - self.times[from];
        let part = (time - self.times[from]) / apart;
        match (self.interpolation, self.property) {
            (Interpolation::Cubic, _) => self.spline(from, to, part, apart),
            (_, Property::Rotation) => {
                let turn = |k: usize| Placement::new(rotation(self.key(k)), Vec3::zeros());
                let q = turn(from).blend(&turn(to), part).rotation;
                vec![q.i, q.j, q.k, q.w]
            }
            _ => self.key(from).iter().zip(self.key(to)).map(|(a, b)| a + (b - a) * part).collect(),
        }
    }

    /// The value at a key.
    fn key(&self, k: usize) -> &[Real] {
        match self.interpolation {
            Interpolation::Cubic => self.piece(3 * k + 1),
            _ => self.piece(k),
        }
    }

    fn piece(&self, k: usize) -> &[Real] {
        &self.values[k * self.width..][..self.width]
    }

    /// p(t) = (2 t^3 - 3 t^2 + 1) v0 + d (t^3 - 2 t^2 + t) b0 + (-2 t^3 + 3 t^2) v1 + d (t^3 - t^2) a1, with the
    /// tangent b0 out of the first key and a1 into the second, d seconds apart [glTF 2.0, C.5].
    fn spline(&self, from: usize, to: usize, t: Real, d: Real) -> Vec<Real> {
        let (t2, t3) = (t * t, t * t * t);
        let (v0, b0) = (self.key(from), self.piece(3 * from + 2));
        let (a1, v1) = (self.piece(3 * to), self.key(to));
        let at = |k: usize| {
            (2.0 * t3 - 3.0 * t2 + 1.0) * v0[k]
                + d * (t3 - 2.0 * t2 + t) * b0[k]
                + (3.0 * t2 - 2.0 * t3) * v1[k]
                + d * (t3 - t2) * a1[k]
        };
        (0..self.width).map(at).collect()
    }
}

/// The rotation of four numbers x, y, z, w; none for zero length.
pub(super) fn rotation(q: &[Real]) -> Rotation {
    Rotation::try_new(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]), 0.0)
        .unwrap_or_else(Rotation::identity)
}
