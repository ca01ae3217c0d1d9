//! Interop objects (OpenMP 5.2 §14.1, §18.12): what a program may know of the programming model
//! under a device. The host device has none but the processor's own.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;

use oxomp_sys::offload::interop_kind;

use crate::offload::Offload;

/// A property's number, `omp_interop_property_t`.
pub type Property = c_int;

/// The properties, by their numbers from -1 downwards: name and type.
const PROPERTIES: [(&CStr, &CStr); 9] = [
    (c"fr_id", c"omp_interop_fr_t"),
    (c"fr_name", c"const char *"),
    (c"vendor", c"int"),
    (c"vendor_name", c"const char *"),
    (c"device_num", c"int"),
    (c"platform", c"N/A"),
    (c"device", c"N/A"),
    (c"device_context", c"N/A"),
    (c"targetsync", c"N/A"),
];

/// Return codes, `omp_interop_rc_t`.
mod code {
    pub(super) const NO_VALUE: i32 = 1;
    pub(super) const SUCCESS: i32 = 0;
    pub(super) const EMPTY: i32 = -1;
    pub(super) const OUT_OF_RANGE: i32 = -2;
    pub(super) const TYPE_INT: i32 = -3;
    pub(super) const TYPE_PTR: i32 = -4;
    pub(super) const TYPE_STR: i32 = -5;
}

/// The value of a property.
enum Value {
    Int(isize),
    Text(&'static CStr),
    Pointer,
}

/// An interop object.
#[derive(Debug)]
pub struct Interop {
    kind: i32,
    device: c_int,
}

impl Interop {
    /// Makes an object for the device `number`; `None` if there is no such device.
    #[must_use]
    pub fn new(offload: &Offload, kind: i32, number: c_int) -> Option<Box<Self>> {
        let is_device = offload.is_host(number) || offload.device(number).is_some();
        let is_kind = kind == interop_kind::TARGET || kind == interop_kind::TARGETSYNC;
        (is_device && is_kind).then(|| Box::new(Self { kind, device: number }))
    }

    /// Whether the object is for the synchronization of tasks and device work.
    #[must_use]
    pub fn is_targetsync(&self) -> bool {
        self.kind == interop_kind::TARGETSYNC
    }

    fn value(&self, property: Property) -> Option<Value> {
        Some(match property {
            // No foreign runtime: a number that the additional definitions do not use.
            -1 => Value::Int(0),
            -2 => Value::Text(c"none"),
            -3 => Value::Int(0),
            -4 => Value::Text(c"oxomp"),
            -5 => Value::Int(self.device as isize),
            -9..=-6 => Value::Pointer,
            _ => return None,
        })
    }
}

/// Answers a question, and the code for it.
fn answer<T>(
    object: Option<&Interop>,
    property: Property,
    none: T,
    pick: impl FnOnce(Value) -> Result<T, i32>,
) -> (T, i32) {
    let Some(object) = object else { return (none, code::EMPTY) };
    let Some(value) = object.value(property) else { return (none, code::OUT_OF_RANGE) };
    match pick(value) {
        Ok(value) => (value, code::SUCCESS),
        Err(code) => (none, code),
    }
}

/// The value of a property that is a number.
#[must_use]
pub fn int(object: Option<&Interop>, property: Property) -> (isize, i32) {
    answer(object, property, 0, |value| match value {
        Value::Int(number) => Ok(number),
        Value::Text(_) => Err(code::TYPE_STR),
        Value::Pointer => Err(code::TYPE_PTR),
    })
}

/// The value of a property that is a pointer.
#[must_use]
pub fn pointer(object: Option<&Interop>, property: Property) -> (*mut c_void, i32) {
    answer(object, property, ptr::null_mut(), |value| match value {
        Value::Int(_) => Err(code::TYPE_INT),
        Value::Text(_) => Err(code::TYPE_STR),
        // The host has no such objects.
        Value::Pointer => Err(code::NO_VALUE),
    })
}

/// The value of a property that is a string.
#[must_use]
pub fn text(object: Option<&Interop>, property: Property) -> (Option<&'static CStr>, i32) {
    answer(object, property, None, |value| match value {
        Value::Int(_) => Err(code::TYPE_INT),
        Value::Text(text) => Ok(Some(text)),
        Value::Pointer => Err(code::TYPE_PTR),
    })
}

fn described(property: Property) -> Option<&'static (&'static CStr, &'static CStr)> {
    let index = usize::try_from(-i64::from(property) - 1).ok()?;
    PROPERTIES.get(index)
}

/// The name of a property.
#[must_use]
pub fn name(property: Property) -> Option<&'static CStr> {
    described(property).map(|(name, _)| *name)
}

/// The type of a property.
#[must_use]
pub fn type_description(property: Property) -> Option<&'static CStr> {
    described(property).map(|(_, description)| *description)
}
