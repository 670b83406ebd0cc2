//! States of strands and bodies between two steps, from which to continue with the same bits.
//!
//! Little endian: magic, format version, a checksum of the model, a fingerprint of each of its elements, the time, then
//! bodies, points, nodes, cut segments, released constraints, full turns of joints, muscles and impulses, each with its
//! count; last a CRC-32 of everything before it.

mod fingerprint;

use fingerprint::prints;
use nalgebra::Quaternion;
use sinew_base::bytes::{Reader, put_count, seal};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Placement, Real, Rotation, Vec3};
use sinew_solve::boxed::RowState;
use sinew_strand::model::Model;
use sinew_strand::state::{Moving, State};

const MAGIC: &[u8; 8] = b"SINEWSTR";
const FORMAT: u32 = 4;
/// Numbers of a body: a quaternion, an origin, three vectors.
const BODY: usize = 4 + 3 + 9;

/// The bytes of a state of a model.
pub fn encode(model: &Model, state: &State) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(FORMAT.to_le_bytes());
    out.extend(mark(model).to_le_bytes());
    let prints = prints(model);
    put_count(&mut out, prints.len());
    prints.iter().for_each(|print| out.extend(print.sum.to_le_bytes()));
    out.extend(state.time.to_le_bytes());
    let body = |moving: &Moving| {
        let turn = moving.place.rotation.coords.iter();
        let vectors = [moving.place.origin, moving.angular, moving.linear, moving.spin];
        turn.copied().chain(vectors.iter().flat_map(|v| [v.x, v.y, v.z])).collect::<Vec<_>>()
    };
    put(&mut out, state.bodies.iter().map(body));
    put(&mut out, state.places.iter().zip(&state.speeds).map(|(p, v)| [p.x, p.y, p.z, v.x, v.y, v.z]));
    put(&mut out, state.material.iter().zip(&state.flow).map(|(s, flow)| [*s, *flow]));
    put_bits(&mut out, &state.cut);
    put_bits(&mut out, &state.released);
    put(&mut out, state.turned.iter().map(|turned| [*turned]));
    put(&mut out, state.activations.iter().map(|activation| [*activation]));
    put(&mut out, state.impulses.iter().map(|impulse| [*impulse]));
    out.extend(state.active.iter().map(|active| match active {
        RowState::Enforced => 0u8,
        RowState::AtLow => 1,
        RowState::AtHigh => 2,
    }));
    seal(&mut out);
    out
}

fn put<T: IntoIterator<Item = Real>>(out: &mut Vec<u8>, items: impl ExactSizeIterator<Item = T>) {
    put_count(out, items.len());
    items.flatten().for_each(|x| out.extend(x.to_le_bytes()));
}

fn put_bits(out: &mut Vec<u8>, bits: &[bool]) {
    put_count(out, bits.len());
    out.extend(bits.iter().map(|bit| u8::from(*bit)));
}

/// Identifies models: their elements, by name, in order.
fn mark(model: &Model) -> u32 {
    let parts = model.parts();
    let strands = parts.strands.iter().map(|s| (s.name.as_str(), s.nodes.len()));
    let bodies = parts.bodies.iter().map(|b| (b.name.as_str(), 0));
    let points = parts.points.iter().map(|p| (p.name.as_str(), 0));
    let mut hasher = crc32fast::Hasher::new();
    for (name, count) in bodies.chain(points).chain(strands) {
        hasher.update(name.as_bytes());
        hasher.update(&(count as u64).to_le_bytes());
    }
    hasher.finalize()
}

/// The element that differs from when a state was saved, such as `body "hand"`, if there is one. The state does not fit
/// then.
pub fn changed(model: &Model, bytes: &[u8]) -> Result<Option<String>> {
    Ok(head(model, bytes)?.1)
}

/// What precedes the time: the reader positioned after it, and the element that has changed.
fn head<'a>(model: &Model, bytes: &'a [u8]) -> Result<(Reader<'a>, Option<String>)> {
    let mut reader = Reader::sealed("the saved state", MAGIC, bytes)?;
    let format = reader.u32()?;
    if format != FORMAT {
        let message = format!(
            "the saved state has format {format}, this version reads {FORMAT}: run again from the start"
        );
        return Err(Error::new(Kind::WrongVersion, message));
    }
    let another = || Error::new(Kind::WrongType, "the saved state belongs to another scene");
    if reader.u32()? != mark(model) {
        return Err(another());
    }
    let mut changed = None;
    let prints = prints(model);
    if reader.u64()? != prints.len() as u64 {
        return Err(another());
    }
    for print in &prints {
        if reader.u32()? != print.sum && changed.is_none() {
            changed = Some(print.to_string());
        }
    }
    Ok((reader, changed))
}

/// The state of a model, from bytes. Allowed to differ from when it was saved: settings, activations, keys, goals, and
/// the times at which something is cut, lengthened or released.
pub fn decode(model: &Model, bytes: &[u8]) -> Result<State> {
    let (mut reader, changed) = head(model, bytes)?;
    if let Some(what) = changed {
        let message = format!(
            "{what} has changed since the state was saved: continue with the scene as it was then, or run from the \
             start (settings, activations, keys, goals and timed events may change)"
        );
        return Err(Error::new(Kind::WrongType, message));
    }
    let mut state = State::new(model);
    state.time = reader.real()?;
    for moving in counted(&mut reader, &mut state.bodies)? {
        let x = reals::<BODY>(&mut reader)?;
        let vector = |k: usize| Vec3::new(x[k], x[k + 1], x[k + 2]);
        // Unchanged: normalising it again could change a bit.
        let rotation = Rotation::new_unchecked(Quaternion::new(x[3], x[0], x[1], x[2]));
        if (rotation.quaternion().norm() - 1.0).abs() > 1e-6 {
            return Err(reader.error("holds an invalid rotation"));
        }
        let place = Placement { rotation, origin: vector(4) };
        *moving = Moving { place, angular: vector(7), linear: vector(10), spin: vector(13) };
    }
    let mut points: Vec<_> = state.places.iter_mut().zip(&mut state.speeds).collect();
    for (place, speed) in counted(&mut reader, &mut points)? {
        let x = reals::<6>(&mut reader)?;
        (**place, **speed) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
    }
    let mut nodes: Vec<_> = state.material.iter_mut().zip(&mut state.flow).collect();
    for (material, flow) in counted(&mut reader, &mut nodes)? {
        [**material, **flow] = reals(&mut reader)?;
    }
    for bit in counted(&mut reader, &mut state.cut)? {
        *bit = reader.bit()?;
    }
    for bit in counted(&mut reader, &mut state.released)? {
        *bit = reader.bit()?;
    }
    for turned in counted(&mut reader, &mut state.turned)? {
        *turned = reader.real()?;
    }
    for activation in counted(&mut reader, &mut state.activations)? {
        *activation = reader.real()?;
    }
    for impulse in counted(&mut reader, &mut state.impulses)? {
        *impulse = reader.real()?;
    }
    for active in &mut state.active {
        *active = match reader.u8()? {
            0 => RowState::Enforced,
            1 => RowState::AtLow,
            2 => RowState::AtHigh,
            _ => return Err(reader.error("holds an unknown constraint")),
        };
    }
    reader.end()?;
    Ok(state)
}

fn reals<const N: usize>(reader: &mut Reader) -> Result<[Real; N]> {
    let mut all = [0.0; N];
    for x in &mut all {
        *x = reader.real()?;
    }
    Ok(all)
}

/// The items, if the next count matches theirs.
fn counted<'a, T>(reader: &mut Reader, items: &'a mut [T]) -> Result<std::slice::IterMut<'a, T>> {
    let count = reader.u64()?;
    if count == items.len() as u64 {
        return Ok(items.iter_mut());
    }
    let message = format!("the saved state holds {count} items where the scene has {}", items.len());
    Err(Error::new(Kind::CountMismatch, message))
}
