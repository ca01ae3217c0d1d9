//! Constructs for tests, and their list items.

use core::ffi::c_void;
use core::ptr;

use crate::construct::Construct;
use crate::device::TargetDevice;
use crate::item::{ItemArrays, MapItem};
use crate::location::Location;
use crate::offload::Offload;
use crate::tool::Scope;

/// The map types.
pub(crate) const TO: i64 = 0x1;
pub(crate) const FROM: i64 = 0x2;

/// A list item with these data.
pub(crate) fn item<T>(data: &mut [T], map_type: i64) -> MapItem {
    item_at(data.as_mut_ptr().cast(), size_of_val(data), map_type)
}

/// A list item with `bytes` bytes at `pointer`.
pub(crate) fn item_at(mut pointer: *mut c_void, bytes: usize, map_type: i64) -> MapItem {
    let (size, place) = (bytes as i64, &raw mut pointer);
    let arrays = ItemArrays {
        count: 1,
        bases: place,
        begins: place,
        sizes: &raw const size,
        types: &raw const map_type,
        names: ptr::null(),
        mappers: ptr::null(),
    };
    // SAFETY: arrays of one item, whose memory the tests keep. No test returns a base.
    unsafe { arrays.read()[0] }
}

/// A construct on the device, without a tool that is told of it.
pub(crate) fn construct(offload: &Offload, device: &'static TargetDevice) -> Construct<'static> {
    Construct::new(offload, device, Location::default(), Scope::default())
        .expect("the device has queues")
}
