//! Associations of host memory with device memory that the program allocated (OpenMP 5.2 §18.8.9).

use core::ffi::{c_int, c_void};

use crate::mapping::{Count, Match};
use crate::offload::Offload;
use crate::plugin::Address;
use crate::tool::{CallSite, Scope};

/// Associates `bytes` of host memory with device memory. Returns whether they are associated.
pub fn associate(
    offload: &Offload,
    host: *const c_void,
    device_memory: Address,
    bytes: usize,
    number: c_int,
    site: CallSite,
) -> bool {
    if host.is_null() || device_memory.0 == 0 || bytes == 0 || offload.is_host(number) {
        return false;
    }
    let Some(device) = offload.device(number) else { return false };
    let start = host.expose_provenance();
    let range = start..start.saturating_add(bytes);
    let scope = Scope::routine(offload.executor(Some(device)), site, false);
    let mut table = device.table();
    match table.find(&range) {
        Match::Absent => {
            let is_associated = table.insert_permanent(range.clone(), device_memory);
            drop(table);
            if is_associated {
                scope.association(device, &range, device_memory);
            }
            is_associated
        }
        // The same association once more changes nothing.
        Match::Within(key) => table.get(key).is_some_and(|entry| {
            entry.host == range && entry.device == device_memory && entry.dynamic == Count::Infinite
        }),
        Match::Partly(_) => false,
    }
}

/// Ends the association of the host memory that begins at `host`. Returns whether there was one.
pub fn disassociate(offload: &Offload, host: *const c_void, number: c_int, site: CallSite) -> bool {
    if host.is_null() || offload.is_host(number) {
        return false;
    }
    let Some(device) = offload.device(number) else { return false };
    let scope = Scope::routine(offload.executor(Some(device)), site, false);
    let removed = device.table().remove_permanent(host.expose_provenance());
    if let Some(entry) = &removed {
        scope.disassociation(device, &entry.host, entry.device);
    }
    removed.is_some()
}
