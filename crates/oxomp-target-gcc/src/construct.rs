//! Target constructs of gcc's code, on the device that they name.

use core::ffi::c_void;
use core::slice;

use oxomp_sys::connection::{oxomp_gcc_construct_t, oxomp_gcc_kind_t};
use oxomp_target::call_site::CallSite;
use oxomp_target::construct::{DataConstruct, TargetRegion, data, target};
use oxomp_target::device::TargetDevice;
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::item::MapItem;
use oxomp_target::location::Location;
use oxomp_target::memory;
use oxomp_target::offload::{Destination, Offload};
use oxomp_target::plugin::{DeviceError, Launch};
use oxomp_target::policy;
use oxomp_target::report::Mistake;

use crate::items::{Arrays, UnknownKind};
use crate::region::{self, DataRegion};

/// The device of a construct without a device clause.
const DEFAULT_DEVICE: i32 = -1;

/// Executes a construct. Returns whether a device has executed it; otherwise the host does. A
/// mistake ends the program.
///
/// # Safety
/// gcc's code encounters the construct: its arrays have as many elements as it says, the memory of
/// its list items is valid, and its function is for them.
#[must_use]
pub unsafe fn execute(offload: &Offload, construct: &oxomp_gcc_construct_t) -> bool {
    let location = Location::default().called_at(CallSite::returning_to(construct.return_address));
    let is_data = construct.kind == oxomp_gcc_kind_t::DATA;
    let Some(device) = device(offload, construct, &location) else {
        if is_data {
            region::begins(None);
        }
        return false;
    };
    // SAFETY: the construct's arrays (`# Safety`).
    let mut arrays = unsafe { arrays(construct) };
    // SAFETY: the construct's list items (`# Safety`).
    let items = match unsafe { items_of(construct.kind, &mut arrays) } {
        Ok(items) => items,
        Err(UnknownKind(kind)) => {
            let why = format!("map kind {kind:#x} is none of OpenMP's");
            policy::fail(Some(device), &Mistake::from(DeviceError(why)), &location)
        }
    };
    let number = i64::from(device.number);
    let is_nowait = construct.is_nowait != 0;
    let kind = match construct.kind {
        oxomp_gcc_kind_t::TARGET => {
            // SAFETY: the region's function takes a word for each element (`# Safety`).
            return unsafe { region_on(offload, location, construct, number, &items) };
        }
        oxomp_gcc_kind_t::EXIT_DATA => DataConstruct::End,
        oxomp_gcc_kind_t::UPDATE => DataConstruct::Update,
        _ => DataConstruct::Begin,
    };
    data(offload, kind, location, number, &items, is_nowait);
    if is_data {
        use_devices(offload, device.number, &mut arrays);
        region::begins(Some(DataRegion { device: number, items }));
    }
    true
}

/// Ends the innermost target data region of the calling thread. Returns whether it was on a device.
#[must_use]
pub fn end_data(offload: &Offload, return_address: *const c_void) -> bool {
    let Some(DataRegion { device, items }) = region::ends() else { return false };
    let location = Location::default().called_at(CallSite::returning_to(return_address));
    data(offload, DataConstruct::End, location, device, &items, false);
    true
}

/// The device that is to execute a construct, ready for use; `None` if the host is.
fn device(
    offload: &Offload,
    construct: &oxomp_gcc_construct_t,
    location: &Location<'_>,
) -> Option<&'static TargetDevice> {
    let number = match construct.device {
        DEFAULT_DEVICE => HostRuntime::get().default_device(),
        number => i64::from(number),
    };
    // libgomp lets the host execute the constructs of devices that do not exist.
    if !(0..i64::from(offload.num_devices())).contains(&number) {
        return None;
    }
    match offload.destination(number) {
        Ok(Destination::Device(device)) => Some(device),
        Ok(Destination::Host) => None,
        Err(mistake) => policy::fail(None, &mistake, location),
    }
}

/// # Safety
/// As for `execute`.
unsafe fn arrays<'a>(construct: &oxomp_gcc_construct_t) -> Arrays<'a> {
    let count = construct.count;
    if count == 0 {
        return Arrays { addresses: &mut [], sizes: &[], kinds: &[] };
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe {
        Arrays {
            addresses: slice::from_raw_parts_mut(construct.addresses, count),
            sizes: slice::from_raw_parts(construct.sizes, count),
            kinds: slice::from_raw_parts(construct.kinds, count),
        }
    }
}

/// # Safety
/// As for `execute`.
unsafe fn items_of(
    kind: oxomp_gcc_kind_t,
    arrays: &mut Arrays<'_>,
) -> Result<Vec<MapItem>, UnknownKind> {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { if kind == oxomp_gcc_kind_t::UPDATE { arrays.motions() } else { arrays.items() } }
}

/// Executes a target region, unless the device has no code for it.
///
/// # Safety
/// As for `execute`.
unsafe fn region_on(
    offload: &Offload,
    location: Location<'_>,
    construct: &oxomp_gcc_construct_t,
    device: i64,
    items: &[MapItem],
) -> bool {
    let region = construct.function.addr();
    let found = offload.find(device).and_then(|device| device.kernel(region));
    if found.is_none() && policy::may_fall_back(offload) {
        return false;
    }
    let target_region = TargetRegion {
        region,
        device,
        is_nowait: construct.is_nowait != 0,
        launch: Launch {
            device: 0,
            arguments: &[],
            takes_environment: false,
            num_teams: [construct.num_teams, 0, 0],
            thread_limit: [construct.thread_limit, 0, 0],
            trip_count: 0,
            dynamic_memory: 0,
            site: location.site(),
            words: construct.arguments,
        },
    };
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { target(offload, location, &target_region, items) }
}

/// Replaces the pointers of the clauses use_device_ptr and use_device_addr by device addresses. A
/// pointer that leads to no mapped memory keeps its value (OpenMP 5.2 §5.4.8).
fn use_devices(offload: &Offload, device: i32, arrays: &mut Arrays<'_>) {
    for pointer in arrays.device_pointers() {
        let mapped = memory::mapped(offload, *pointer, device);
        if !mapped.is_null() {
            *pointer = mapped;
        }
    }
}
