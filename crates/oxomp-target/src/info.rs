//! What `OXOMP_TARGET_INFO` prints: constructs, entries of the mapping table, transfers, kernels.

use std::fmt;
use std::ops::Range;

use crate::device::TargetDevice;
use crate::host_runtime::HostRuntime;
use crate::item::MapItem;
use crate::location::{ItemName, Location, without_folders};
use crate::mapping::Entry;
use crate::plugin::Address;
use crate::report::{self, Mistake};
use crate::settings::{info_bit, prints};

/// A line about an entry of the mapping table. It is written with the table's lock held, and
/// printed without the lock, when this value is dropped.
#[must_use]
#[derive(Debug, Default)]
pub struct Note(Option<(i32, String)>);

impl Note {
    fn new(device: i32, text: fmt::Arguments<'_>) -> Self {
        Self(Some((device, text.to_string())))
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        if let Some((device, text)) = &self.0 {
            report::info(*device, format_args!("{text}"));
        }
    }
}

/// A construct begins.
pub fn construct(device: &TargetDevice, what: &str, items: &[MapItem], location: &Location<'_>) {
    if !prints(info_bit::ARGUMENTS) {
        return;
    }
    let count = items.len();
    let place = location.to_string();
    let place = without_folders(&place);
    report::info(device.number, format_args!("{what} at {place} with {count} arguments:"));
    for item in items {
        let implicit = if item.map_type.is_implicit() { "(implicit)" } else { "" };
        report::info(
            device.number,
            format_args!("{}({})[{}] {implicit}", item.map_type, item.name, item.bytes),
        );
    }
}

/// A list item is present.
pub fn present(
    device: i32,
    entry: &Entry,
    host: &Range<usize>,
    item: &MapItem,
    what: &str,
) -> Note {
    if !prints(info_bit::PRESENT) {
        return Note::default();
    }
    let implicit = if item.map_type.is_implicit() { " (implicit)" } else { "" };
    Note::new(
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
    )
}

/// A list item is left out, since only a part of it is present: the program may do this (OpenMP 5.2
/// §5.8.3, §5.9).
pub fn skipped(device: i32, why: &Mistake, result: &str) -> Note {
    if !prints(info_bit::PRESENT) {
        return Note::default();
    }
    Note::new(device, format_args!("{why}; {result}"))
}

/// An entry comes.
pub fn creation(device: i32, entry: &Entry) -> Note {
    if !prints(info_bit::CHANGES) {
        return Note::default();
    }
    Note::new(
        device,
        format_args!(
            "Creating new map entry with HstPtrBase={:#018x}, HstPtrBegin={:#018x}, \
             TgtAllocBegin={}, TgtPtrBegin={}, Size={}, DynRefCount={}, HoldRefCount={}, Name={}",
            entry.base,
            entry.host.start,
            entry.allocation.unwrap_or(entry.device),
            entry.device,
            entry.host.len(),
            entry.dynamic,
            entry.hold,
            entry.name
        ),
    )
}

/// An entry goes.
pub fn removal(device: i32, entry: &Entry) -> Note {
    if !prints(info_bit::CHANGES) {
        return Note::default();
    }
    let (host, address, bytes) = (entry.host.start, entry.device, entry.host.len());
    let range = format_args!("HstPtrBegin={host:#018x}, TgtPtrBegin={address}, Size={bytes}");
    Note::new(device, format_args!("Removing map entry with {range}, Name={}", entry.name))
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
    let defaults = match teams {
        // Without a teams construct the initial thread executes the region.
        u32::MAX => [1, 1],
        _ => HostRuntime::get().league_limits(),
    };
    let shown = |demanded: u32, default: u32| match (demanded, default) {
        (0 | u32::MAX, 0) => "any number of".to_owned(),
        (0 | u32::MAX, number) | (number, _) => number.to_string(),
    };
    let (blocks, threads) = (shown(teams, defaults[0]), shown(threads, defaults[1]));
    report::info(
        device.number,
        format_args!(
            "Launching kernel {name} with {blocks} blocks and {threads} threads in Generic mode"
        ),
    );
}

/// A construct is over, or a data region has begun: the table is shown if asked for.
pub fn table_after(device: &TargetDevice, location: &Location<'_>) {
    if prints(info_bit::TABLES) {
        print_table(device, location);
    }
}

/// Prints the mapping table of a device, a line for each entry.
pub fn print_table(device: &TargetDevice, location: &Location<'_>) {
    let place = location.to_string();
    let place = without_folders(&place);
    let mut lines = vec![format!("OpenMP Host-Device pointer mappings after block at {place}:")];
    lines.push(format!(
        "{:18} {:18} {:8} {:11} {:12} Declaration",
        "Host Ptr", "Target Ptr", "Size (B)", "DynRefCount", "HoldRefCount"
    ));
    for entry in device.table().iter() {
        let origin = entry.origin.as_deref().map_or("unknown:0:0", without_folders);
        lines.push(format!(
            "{:#018x} {} {:<8} {:<11} {:<12} {} at {origin}",
            entry.host.start,
            entry.device,
            entry.host.len(),
            entry.dynamic.to_string(),
            entry.hold.to_string(),
            entry.name
        ));
    }
    for line in lines {
        report::info(device.number, format_args!("{line}"));
    }
}
