//! The caller's arrays and meshes.

use super::pointers::null;
use super::structs::{Sized10, read_struct};
use crate::error::{Error, Kind, Result};
use crate::geometry::{CornerLayer, Mesh};
use crate::math::{Vec2, Vec3};
use crate::nodes::{ArrayView, ArrayViewMut, ElementType, make_room};
use std::ffi::{c_char, c_void};

/// SinewArray.element: 32-bit floating point.
pub const SINEW_F32: i32 = 1;
/// SinewArray.element: 64-bit floating point.
pub const SINEW_F64: i32 = 2;
/// SinewArray.element: 32-bit signed integer.
pub const SINEW_I32: i32 = 3;
/// SinewArray.element: 32-bit unsigned integer.
pub const SINEW_U32: i32 = 4;

/// An array to read: `count` items of `components` numbers, the items `stride` bytes apart.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewArray {
    /// sizeof(SinewArray)
    pub struct_size: u32,
    /// SINEW_F32, SINEW_F64, SINEW_I32 or SINEW_U32.
    pub element: i32,
    /// Numbers per item.
    pub components: u32,
    /// Zero.
    pub reserved: u32,
    /// The first item; any alignment. NULL when count is 0.
    pub data: *const c_void,
    /// How many items.
    pub count: u64,
    /// Bytes from item to item; 0 when they are packed.
    pub stride: u64,
}

/// An array to write; otherwise like SinewArray.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewArrayMut {
    /// sizeof(SinewArrayMut)
    pub struct_size: u32,
    /// SINEW_I32 or SINEW_U32 for outputs of whole numbers (SinewPortInfo.whole), which SINEW_F32 and SINEW_F64 take,
    /// too; one of the latter for all others.
    pub element: i32,
    /// Numbers per item.
    pub components: u32,
    /// Zero.
    pub reserved: u32,
    /// The first item; any alignment. NULL when count is 0.
    pub data: *mut c_void,
    /// How many items.
    pub count: u64,
    /// Bytes from item to item; 0 when they are packed.
    pub stride: u64,
}

/// An array for an input port.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewPortArray {
    /// sizeof(SinewPortArray)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The id of the port.
    pub port: *const c_char,
    /// The array.
    pub array: *const SinewArray,
}

/// An array for an output port.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewPortArrayMut {
    /// sizeof(SinewPortArrayMut)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The id of the port.
    pub port: *const c_char,
    /// The array.
    pub array: *const SinewArrayMut,
}

/// A polygon mesh to read.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewMesh {
    /// sizeof(SinewMesh)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// Points: 3 components, f32 or f64.
    pub positions: SinewArray,
    /// The number of corners of each face.
    pub face_sizes: *const u32,
    /// The number of faces.
    pub face_count: u64,
    /// The vertex of each corner, face by face.
    pub corner_vertices: *const u32,
    /// The number of corners: the sum of face_sizes.
    pub corner_count: u64,
    /// Texture coordinates: 2 components; data NULL and count 0 if there are none.
    pub uvs: SinewArray,
    /// The index into uvs for each corner; NULL if uvs holds one item per corner, in order.
    pub corner_uvs: *const u32,
}

// SAFETY: repr(C), begins with its struct_size, plain numbers and pointers.
unsafe impl Sized10 for SinewArray {
    const NAME: &'static str = "SinewArray";
    const SIZE_1_0: usize = 40;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewArrayMut {
    const NAME: &'static str = "SinewArrayMut";
    const SIZE_1_0: usize = 40;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewMesh {
    const NAME: &'static str = "SinewMesh";
    const SIZE_1_0: usize = 128;
}

// SAFETY: as above.
unsafe impl Sized10 for SinewPortArray {
    const NAME: &'static str = "SinewPortArray";
    const SIZE_1_0: usize = 24;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewPortArrayMut {
    const NAME: &'static str = "SinewPortArrayMut";
    const SIZE_1_0: usize = 24;
}

/// Reads `count` structs of the caller, each of the size in its `struct_size`. More than `most` of them cannot be
/// meant, so none is read: they may lie beyond the caller's memory.
///
/// # Safety
/// `list` is NULL or readable for that many structs of the first one's `struct_size`.
pub(super) unsafe fn list<T: Sized10>(list: *const T, count: u32, what: &str, most: usize) -> Result<Vec<T>> {
    if count as usize > most {
        let message = format!("{what} is {count}; the node has {most} such ports, each to be named once");
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    let mut all = Vec::with_capacity(count as usize);
    let mut at = list;
    for _ in 0..count {
        // SAFETY: the caller's promise; every struct begins where the one before ends.
        unsafe {
            let next = read_struct(at)?;
            let size = at.cast::<u32>().read_unaligned() as usize;
            at = at.cast::<u8>().add(size).cast();
            all.push(next);
        }
    }
    Ok(all)
}

fn shape(element: i32, components: u32, count: u64, stride: u64) -> Result<(ElementType, usize, usize)> {
    let element = ElementType::from_code(element)
        .ok_or_else(|| Error::new(Kind::InvalidArgument, format!("{element} is not an element type")))?;
    let size = |n: u64| {
        usize::try_from(n).map_err(|_| Error::new(Kind::TooLarge, format!("{n} exceeds the address space")))
    };
    let packed = (components as usize).saturating_mul(element.size());
    Ok((element, size(count)?, if stride == 0 { packed } else { size(stride)? }))
}

/// A view of the caller's array.
///
/// # Safety
/// `array` is NULL or readable for its `struct_size` bytes and describes memory that is readable for `'a`.
pub(super) unsafe fn view<'a>(array: *const SinewArray) -> Result<ArrayView<'a>> {
    // SAFETY: the caller's promise.
    unsafe { view_of(&read_struct(array)?) }
}

/// # Safety
/// As [`view`].
unsafe fn view_of<'a>(array: &SinewArray) -> Result<ArrayView<'a>> {
    let (element, count, stride) = shape(array.element, array.components, array.count, array.stride)?;
    // SAFETY: the caller's promise about the memory.
    unsafe { ArrayView::from_raw(array.data.cast(), element, array.components, count, stride) }
}

/// A view of the caller's array to write.
///
/// # Safety
/// `array` is NULL or readable for its `struct_size` bytes and describes memory that is writable for `'a`.
pub(super) unsafe fn view_mut<'a>(array: *const SinewArrayMut) -> Result<ArrayViewMut<'a>> {
    // SAFETY: the caller's promise.
    let array = unsafe { read_struct(array)? };
    let (element, count, stride) = shape(array.element, array.components, array.count, array.stride)?;
    // SAFETY: the caller's promise about the memory.
    unsafe { ArrayViewMut::from_raw(array.data.cast(), element, array.components, count, stride) }
}

/// # Safety
/// `data` is NULL or readable for `count` numbers.
unsafe fn indices(data: *const u32, count: u64, what: &str) -> Result<Vec<u32>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if data.is_null() {
        return Err(null(what));
    }
    if count >= u64::from(u32::MAX) {
        return Err(Error::new(
            Kind::TooLarge,
            format!("{what} has {count} numbers; at most 2^32 - 2 are allowed"),
        ));
    }
    let mut read = Vec::new();
    make_room(&mut read, count as usize)?;
    // SAFETY: not NULL, so readable for `count` numbers; read unaligned because no alignment is promised.
    read.extend((0..count as usize).map(|i| unsafe { data.add(i).read_unaligned() }));
    Ok(read)
}

/// Copies the caller's mesh and checks it.
///
/// # Safety
/// `mesh` is NULL or readable for its `struct_size` bytes, and its arrays for their counts.
pub(super) unsafe fn copy_mesh(mesh: *const SinewMesh) -> Result<Mesh> {
    // SAFETY: the caller's promise, here and below.
    let c = unsafe { read_struct(mesh)? };
    // SAFETY: as above.
    let (positions, sizes, corner_vertices) = unsafe {
        (
            view_of(&c.positions)?.to_reals(3)?,
            indices(c.face_sizes, c.face_count, "face_sizes")?,
            indices(c.corner_vertices, c.corner_count, "corner_vertices")?,
        )
    };
    let mut face_offsets = Vec::with_capacity(sizes.len() + 1);
    let mut end = 0u32;
    face_offsets.push(end);
    for (face, size) in sizes.into_iter().enumerate() {
        end = end
            .checked_add(size)
            .ok_or_else(|| Error::new(Kind::TooLarge, "more than 4294967295 corners").face(face))?;
        face_offsets.push(end);
    }
    let uvs = if c.uvs.count == 0 {
        None
    } else {
        // SAFETY: as above.
        let values = unsafe { view_of(&c.uvs)?.to_reals(2) }.map_err(|e| match e.place().vertex {
            Some(k) => Error::new(e.kind(), format!("UV {k}: {}", e.message())),
            None => e,
        })?;
        let indices = if c.corner_uvs.is_null() {
            (0..corner_vertices.len() as u32).collect()
        } else {
            // SAFETY: as above.
            unsafe { indices(c.corner_uvs, c.corner_count, "corner_uvs")? }
        };
        Some(CornerLayer { values: values.chunks_exact(2).map(Vec2::from_column_slice).collect(), indices })
    };
    let positions = positions.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let mesh = Mesh { positions, face_offsets, corner_vertices, uvs, ..Mesh::default() };
    mesh.check_counts()?;
    Ok(mesh)
}
