//! Setting and reading the parameters of a node.

use super::describe::forever;
use super::node::{SinewNode, Work, with};
use super::pointers::{put, put_bytes, text};
use super::status::SinewStatus;
use crate::error::{Error, Kind};
use crate::nodes::{ParamKind, ParamValue};
use std::ffi::c_char;

/// # Safety
/// As the exported functions that call it.
unsafe fn set_param(node: *mut SinewNode, param: *const c_char, value: ParamValue) -> SinewStatus {
    // SAFETY: the caller's promise.
    unsafe { with(node, |work| work.instance.set_param(text(param, "param")?, value)) }
}

/// `[one call per handle at a time]` Sets a bool parameter: 0 is off, everything else on.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_bool(
    node: *mut SinewNode,
    param: *const c_char,
    value: i32,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { set_param(node, param, ParamValue::Bool(value != 0)) }
}

/// `[one call per handle at a time]` Sets an int or real parameter from a whole number.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_int(
    node: *mut SinewNode,
    param: *const c_char,
    value: i64,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { set_param(node, param, ParamValue::Int(value)) }
}

/// `[one call per handle at a time]` Sets a real parameter, in the unit of its description.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_real(
    node: *mut SinewNode,
    param: *const c_char,
    value: f64,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { set_param(node, param, ParamValue::Real(value)) }
}

/// `[one call per handle at a time]` Sets any parameter from text: "on", "0.5", the id of a choice, or the text of a
/// text parameter.
///
/// # Safety
/// `node` is NULL or alive; `param` and `value` are NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_text(
    node: *mut SinewNode,
    param: *const c_char,
    value: *const c_char,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let (param, value) = unsafe { (text(param, "param")?, text(value, "value")?) };
        work.instance.set_param_text(param, value)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Sets a choice parameter by the index of the choice.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_choice(
    node: *mut SinewNode,
    param: *const c_char,
    index: u32,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { set_param(node, param, ParamValue::Choice(index as usize)) }
}

/// `[one call per handle at a time]` Reads a bool, int, or real parameter as a number; of a choice its index.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text; `value` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_get_number(
    node: *mut SinewNode,
    param: *const c_char,
    value: *mut f64,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let id = unsafe { text(param, "param")? };
        let number = match work.instance.param(id)? {
            ParamValue::Bool(v) => f64::from(u8::from(v)),
            ParamValue::Int(v) => v as f64,
            ParamValue::Real(v) => v,
            ParamValue::Choice(v) => v as f64,
            ParamValue::Text(_) => {
                let message = format!("the parameter {id} is a text, not a number");
                return Err(Error::new(Kind::WrongType, message).node(work.instance.descriptor().id));
            }
        };
        // SAFETY: as above.
        unsafe { put(value, "value", number) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Reads a choice parameter: the id of the choice, which lives as long as the library
/// is loaded.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text; `choice` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_get_choice(
    node: *mut SinewNode,
    param: *const c_char,
    choice: *mut *const c_char,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let id = unsafe { text(param, "param")? };
        let value = work.instance.param(id)?;
        let node = work.instance.descriptor();
        let kind = node.param_index(id).map(|index| &node.params[index].kind);
        let (Some(ParamKind::Choice { choices, .. }), ParamValue::Choice(index)) = (kind, value) else {
            return Err(Error::new(Kind::WrongType, "the parameter is not a choice").param(id).node(node.id));
        };
        // SAFETY: as above.
        unsafe { put(choice, "choice", forever(choices[index].id)) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Reads any parameter as the text that sinew_node_set_text takes, without a
/// terminating NUL. With `buffer` NULL only `needed` is written; `needed` may be NULL if `buffer` is not. Since
/// ABI 1.1.
///
/// # Safety
/// `node` is NULL or alive; `param` is NULL or terminated text; `buffer` is NULL or writable for `size` bytes; `needed`
/// is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_get_text(
    node: *mut SinewNode,
    param: *const c_char,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let value = work.instance.param_text(unsafe { text(param, "param")? })?;
        // SAFETY: as above.
        unsafe { put_bytes(value.as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}
