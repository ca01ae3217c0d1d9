//! What `OXOMP_TARGET_INFO` prints: constructs, entries of the mapping table, transfers, kernels.

use std::fmt::Write;
use std::ops::Range;

use crate::device::TargetDevice;
use crate::item::MapItem;
use crate::location::{ItemName, Location};
use crate::mapping::{Count, Entry};
use crate::plugin::Address;
use crate::report::{self, Mistake};
use crate::settings::{info_bit, prints};

/// A construct begins.
pub fn construct(device: &TargetDevice, what: &str, items: &[MapItem], location: &Location<'_>) {
    if !prints(info_bit::ARGUMENTS) {
        return;
    }
    let count = items.len();
    let head = format_args!("{what} at {location} with {count} arguments:");
    report::info(device.number, head);
    for item in items {
        let implicit = if item.map_type.is_implicit() { "(implicit)" } else { "" };
        report::info(
            device.number,
            format_args!("{}({})[{}] {implicit}", item.map_type, item.name, item.bytes),
        );
    }
}

/// A list item is present.
pub fn present(device: i32, entry: &Entry, host: &Range<usize>, item: &MapItem, what: &str) {
    if !prints(info_bit::PRESENT) {
        return;
    }
    let implicit = if item.map_type.is_implicit() { " (implicit)" } else { "" };
    report::info(
        device,
        format_args!(
            "Mapping exists{implicit} with HstPtrBegin={:#018x}, TgtPtrBegin={}, Size={}, \
             DynRefCount={}{what}, HoldRefCount={}, Name={}",
            host.start,
            entry.translate(host.start),
            host.len(),
            entry.dynamic,
            entry.hold,
            item.name
        ),
    );
}

/// A list item is left out, since only a part of it is present: that is no mistake (OpenMP 5.2
/// §5.8.3, §5.9).
pub fn skipped(device: i32, why: &Mistake, result: &str) {
    if prints(info_bit::PRESENT) {
        report::info(device, format_args!("{why}; {result}"));
    }
}

/// An entry comes (`Creating new`) or goes (`Removing`).
pub fn change(device: i32, entry: &Entry, what: &str) {
    if !prints(info_bit::CHANGES) {
        return;
    }
    report::info(
        device,
        format_args!(
            "{what} map entry with HstPtrBase={:#018x}, HstPtrBegin={:#018x}, TgtAllocBegin={}, \
             TgtPtrBegin={}, Size={}, DynRefCount={}, HoldRefCount={}, Name={}",
            entry.base,
            entry.host.start,
            entry.allocation.unwrap_or(entry.device),
            entry.device,
            entry.host.len(),
            entry.dynamic,
            entry.hold,
            entry.name
        ),
    );
}

/// A direction of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the host to the device.
    ToDevice,
    /// From the device to the host.
    FromDevice,
}

/// Data are transferred.
pub fn transfer(
    device: i32,
    direction: Direction,
    host: usize,
    address: Address,
    bytes: usize,
    name: ItemName,
) {
    if !prints(info_bit::TRANSFERS) {
        return;
    }
    let (way, host) = match direction {
        Direction::ToDevice => ("host to device", format!("HstPtr={host:#018x}, TgtPtr={address}")),
        Direction::FromDevice => {
            ("device to host", format!("TgtPtr={address}, HstPtr={host:#018x}"))
        }
    };
    report::info(
        device,
        format_args!("Copying data from {way}, {host}, Size={bytes}, Name={name}"),
    );
}

/// A kernel is launched.
pub fn kernel(device: &TargetDevice, region: usize, teams: u32, threads: u32) {
    if !prints(info_bit::KERNELS) {
        return;
    }
    let name = device.kernel_name(region).unwrap_or_default();
    // The runtime of the host device decides where a clause does not.
    let shown = |number: u32| match number {
        0 | u32::MAX => "any number of".to_owned(),
        number => number.to_string(),
    };
    report::info(
        device.number,
        format_args!(
            "Launching kernel {name} with {} teams, {} threads",
            shown(teams),
            shown(threads)
        ),
    );
}

/// Prints the mapping table of a device.
pub fn print_table(device: &TargetDevice, location: &Location<'_>) {
    let mut text = format!("OpenMP Host-Device pointer mappings at {location}:");
    let table = device.table();
    for entry in table.iter() {
        let hold = match entry.hold {
            Count::Finite(0) => String::new(),
            hold => format!(", hold {hold}"),
        };
        let origin = entry.origin.as_deref().unwrap_or("declare target or associated");
        // A String takes all text.
        let _ = write!(
            text,
            "\n  host {:#018x} device {} size {:>10} references {}{hold}  {} at {origin}",
            entry.host.start,
            entry.device,
            entry.host.len(),
            entry.dynamic,
            entry.name
        );
    }
    drop(table);
    report::info(device.number, format_args!("{text}"));
}
