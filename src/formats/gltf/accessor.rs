//! Accessors: numbers in buffers.

use super::asset::Asset;
use super::document::{
    Accessor, BYTE, FLOAT, SHORT, SparsePart, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT, missing,
};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};

/// The numbers of an accessor.
pub(super) struct Numbers {
    /// Numbers per element.
    pub width: usize,
    pub values: Vec<Real>,
}

/// Vectors at some places; all others are zero.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    pub places: Vec<u32>,
    pub vectors: Vec<Vec3>,
}

/// One number of a type.
#[derive(Clone, Copy)]
struct Component {
    kind: u32,
    size: usize,
    normalized: bool,
}

impl Component {
    fn new(kind: u32, normalized: bool) -> Result<Self> {
        let size = match kind {
            BYTE | UNSIGNED_BYTE => 1,
            SHORT | UNSIGNED_SHORT => 2,
            UNSIGNED_INT | FLOAT => 4,
            _ => return Err(Error::new(Kind::Parse, format!("the type of numbers {kind} is unknown"))),
        };
        Ok(Component { kind, size, normalized })
    }

    /// Integers that are normalised stand for -1 to 1, or 0 to 1.
    fn read(self, b: &[u8]) -> Real {
        let (value, most) = match self.kind {
            BYTE => (Real::from(b[0] as i8), 127.0),
            UNSIGNED_BYTE => (Real::from(b[0]), 255.0),
            SHORT => (Real::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            UNSIGNED_SHORT => (Real::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            UNSIGNED_INT => (Real::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 4_294_967_295.0),
            _ => return Real::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        };
        if self.normalized { (value / most).max(-1.0) } else { value }
    }
}

fn width(shape: &str) -> Result<usize> {
    match shape {
        "SCALAR" => Ok(1),
        "VEC2" => Ok(2),
        "VEC3" => Ok(3),
        "VEC4" => Ok(4),
        "MAT4" => Ok(16),
        _ => Err(Error::new(Kind::Unsupported, format!("the shape {shape:?} of numbers"))),
    }
}

impl Asset {
    pub(super) fn accessor(&self, index: usize) -> Result<&Accessor> {
        let all = &self.document.accessors;
        all.get(index).ok_or_else(|| missing("accessor", index, all.len()))
    }

    /// The numbers of an accessor of one of these shapes.
    pub(super) fn numbers(&self, index: usize, shapes: &[&str]) -> Result<Numbers> {
        self.read_numbers(index, shapes).map_err(|e| e.element(&format!("accessor {index}")))
    }

    fn read_numbers(&self, index: usize, shapes: &[&str]) -> Result<Numbers> {
        let accessor = self.accessor(index)?;
        let (component, width) = self.layout(accessor, shapes)?;
        self.charge(accessor.count.saturating_mul(width))?;
        let mut values = match accessor.buffer_view {
            Some(view) => self.dense(view, accessor.byte_offset, accessor.count, component, width)?,
            None => vec![0.0; accessor.count.saturating_mul(width)],
        };
        if let Some((places, replaced)) = self.sparse(accessor, component, width)? {
            for (place, value) in places.iter().zip(replaced.chunks_exact(width)) {
                values[*place as usize * width..][..width].copy_from_slice(value);
            }
        }
        finite(&values)?;
        Ok(Numbers { width, values })
    }

    /// The vectors of an accessor that are not zero: most of a blend shape are.
    pub(super) fn offsets(&self, index: usize, count: usize) -> Result<Offsets> {
        let read = || {
            let accessor = self.accessor(index)?;
            let (component, width) = self.layout(accessor, &["VEC3"])?;
            if accessor.count != count {
                let message = format!("{} offsets for {count} vertices", accessor.count);
                return Err(Error::new(Kind::CountMismatch, message));
            }
            let (places, values) = match (accessor.buffer_view, self.sparse(accessor, component, width)?) {
                (None, Some((places, values))) => {
                    finite(&values)?;
                    (places, values)
                }
                (None, None) => return Ok(Offsets::default()),
                (Some(_), _) => ((0..count as u32).collect(), self.read_numbers(index, &["VEC3"])?.values),
            };
            let each = places.into_iter().zip(values.chunks_exact(3).map(Vec3::from_column_slice));
            let (places, vectors) = each.filter(|(_, v)| *v != Vec3::zeros()).unzip();
            Ok(Offsets { places, vectors })
        };
        read().map_err(|e: Error| e.element(&format!("accessor {index}")))
    }

    /// The type of an accessor's numbers, and how many an element has.
    fn layout(&self, accessor: &Accessor, shapes: &[&str]) -> Result<(Component, usize)> {
        if !shapes.contains(&accessor.shape.as_str()) {
            let message = format!("its shape is {:?}; {} is expected", accessor.shape, shapes.join(" or "));
            return Err(Error::new(Kind::WrongType, message));
        }
        Ok((Component::new(accessor.component_type, accessor.normalized)?, width(&accessor.shape)?))
    }

    /// The bytes of a view from an offset on, and the view's stride.
    fn view(&self, index: usize, offset: usize) -> Result<(&[u8], Option<usize>)> {
        let all = &self.document.buffer_views;
        let view = all.get(index).ok_or_else(|| missing("buffer view", index, all.len()))?;
        let buffers = &self.buffers;
        let buffer = buffers.get(view.buffer).ok_or_else(|| missing("buffer", view.buffer, buffers.len()))?;
        let bytes = buffer.as_ref().map_err(Error::clone)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let own = end.and_then(|end| bytes.get(view.byte_offset..end)).and_then(|own| own.get(offset..));
        let own = own.ok_or_else(|| {
            let message = format!("the buffer view {index} goes beyond its buffer of {} bytes", bytes.len());
            Error::new(Kind::OutOfRange, message)
        })?;
        Ok((own, view.byte_stride))
    }

    fn dense(
        &self,
        view: usize,
        offset: usize,
        count: usize,
        one: Component,
        width: usize,
    ) -> Result<Vec<Real>> {
        let (bytes, stride) = self.view(view, offset)?;
        let size = one.size * width;
        let stride = stride.unwrap_or(size);
        if stride < size {
            let message = format!("elements of {size} bytes are {stride} bytes apart");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let needed = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
        if needed.is_none_or(|needed| needed > bytes.len()) {
            let message = format!("{count} elements need more than the {} bytes of the view", bytes.len());
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let element = |k: usize| bytes[k * stride..][..size].chunks_exact(one.size).map(|b| one.read(b));
        Ok((0..count).flat_map(element).collect())
    }

    /// The places that an accessor replaces, in order, and what is there.
    fn sparse(
        &self,
        accessor: &Accessor,
        one: Component,
        width: usize,
    ) -> Result<Option<(Vec<u32>, Vec<Real>)>> {
        let Some(sparse) = &accessor.sparse else { return Ok(None) };
        let count = sparse.count;
        self.charge(count.saturating_mul(width + 1))?;
        let SparsePart { buffer_view, byte_offset, component_type } = sparse.indices;
        let kind = Component::new(component_type, false)?;
        let places = self.dense(buffer_view, byte_offset, count, kind, 1)?;
        let rising = places.windows(2).all(|pair| pair[0] < pair[1]);
        if !matches!(component_type, UNSIGNED_BYTE | UNSIGNED_SHORT | UNSIGNED_INT)
            || !rising
            || places.last().is_some_and(|last| *last >= accessor.count as Real)
        {
            let message = format!("the sparse places must rise and be less than {}", accessor.count);
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let values = self.dense(sparse.values.buffer_view, sparse.values.byte_offset, count, one, width)?;
        Ok(Some((places.into_iter().map(|place| place as u32).collect(), values)))
    }
}

fn finite(values: &[Real]) -> Result<()> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(Error::new(Kind::NotFinite, format!("a value is {value}"))),
        None => Ok(()),
    }
}
