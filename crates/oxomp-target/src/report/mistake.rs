//! Why a construct fails, in words for the program's user.

use core::ops::Range;
use std::fmt;

use crate::location::{ItemName, Location};
use crate::mapping::Entry;
use crate::plugin::DeviceError;

/// A list item's memory, as messages name it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name of the list item.
    pub name: String,
    /// The memory.
    pub host: Range<usize>,
    /// The location of the construct.
    pub location: String,
}

impl Place {
    /// The memory `host` of the item `name`.
    #[must_use]
    pub fn new(name: ItemName, host: Range<usize>, location: &Location<'_>) -> Self {
        Self { name: name.to_string(), host, location: location.to_string() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "variable {} of the construct at {}", self.name, self.location)
    }
}

/// The modifier of a map clause.
pub const MAP_TYPE: &str = "map type";
/// The modifier of a motion clause.
pub const MOTION: &str = "motion";

/// Why a construct fails.
#[derive(Clone, Debug)]
pub enum Mistake {
    /// A list item with the modifier `present` is absent.
    NotPresent {
        /// The list item.
        place: Place,
        /// [`MAP_TYPE`] or [`MOTION`].
        modifier: &'static str,
    },
    /// A list item extends beyond what is mapped.
    Extends {
        /// The list item.
        place: Place,
        /// What is mapped.
        mapped: Range<usize>,
        /// By which list item, and where.
        by: String,
    },
    /// A kernel's argument has no counterpart.
    Unmapped(Place),
    /// A list item to be copied starts at a null pointer.
    Null(Place),
    /// A section is not in the address space.
    Impossible {
        /// The list item.
        place: Place,
        /// The bytes of the section; `None` if it is not contiguous.
        bytes: Option<i64>,
    },
    /// The device has no memory for a list item.
    NoMemory(Place),
    /// The device reports an error.
    Device(String),
    /// The number does not belong to a device.
    NoDevice {
        /// The number that the construct or *default-device-var* has.
        number: i64,
        /// How many devices there are.
        count: i64,
    },
    /// The device is lost to this child of fork(2).
    Lost {
        /// The number that the construct or *default-device-var* has.
        number: i64,
    },
    /// The library has no image for the device.
    NoImage,
    /// A list item of a target construct cannot be mapped, so that its kernel is not launched.
    BeforeKernel(Box<Self>),
}

impl Mistake {
    /// The steps that the mistake ends, the innermost first, in the words of LLVM's libomptarget:
    /// scripts look for them.
    #[must_use]
    pub fn steps(&self) -> Vec<&'static str> {
        match self {
            Self::NotPresent { modifier: MAP_TYPE, .. } => vec![
                "Call to getTargetPointer returned null pointer ('present' map type modifier).",
            ],
            Self::Extends { .. } | Self::Null(_) | Self::Impossible { .. } | Self::NoMemory(_) => {
                vec![
                    "Call to getTargetPointer returned null pointer (device failure or illegal \
                 mapping).",
                ]
            }
            Self::BeforeKernel(mistake) => {
                let mut steps = mistake.steps();
                steps.push("Call to targetDataBegin failed, abort target.");
                steps.push("Failed to process data before launching the kernel.");
                steps
            }
            _ => Vec::new(),
        }
    }

    /// What the program's author may do, in the words of the specification.
    #[must_use]
    pub fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotPresent { .. } => {
                "map it by an enclosing target data or an earlier target enter data construct"
            }
            Self::Extends { .. } => {
                "map all of it where it is mapped first, or end that mapping before"
            }
            Self::Unmapped(_) => {
                "map it by a map clause here or on an enclosing target data construct"
            }
            Self::Null(_) => "allocate it before, or map a section of length 0",
            Self::Impossible { .. } => "a section has a length of at least 0, within its array",
            Self::NoMemory(_) => "map a smaller section, or end other mappings before",
            Self::BeforeKernel(mistake) => return mistake.remedy(),
            Self::Device(_) | Self::NoDevice { .. } | Self::Lost { .. } | Self::NoImage => {
                return None;
            }
        })
    }

    /// A list item that extends what `entry` maps.
    #[must_use]
    pub fn extends(place: Place, entry: &Entry) -> Self {
        let origin = entry.origin.as_deref().unwrap_or("unknown:0:0");
        Self::Extends {
            place,
            mapped: entry.host.clone(),
            by: format!("{}, mapped at {origin}", entry.name),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPresent { place, modifier } => write!(
                formatter,
                "device mapping required by 'present' {modifier} modifier does not exist for host \
                 address {:#018x} ({} bytes): {place}",
                place.host.start,
                place.host.len()
            ),
            Self::Extends { place, mapped, by } => write!(
                formatter,
                "explicit extension not allowed: host address specified is {:#018x} ({} bytes), but \
                 device allocation maps to host at {:#018x} ({} bytes): {place} extends {by}",
                place.host.start,
                place.host.len(),
                mapped.start,
                mapped.len()
            ),
            Self::Unmapped(place) => write!(
                formatter,
                "no device memory corresponds to host address {:#018x} ({} bytes): {place}",
                place.host.start,
                place.host.len()
            ),
            Self::Null(place) => write!(
                formatter,
                "host address is a null pointer, of which {} bytes are to be copied: {place}",
                place.host.len()
            ),
            Self::Impossible { place, bytes: Some(bytes @ ..0) } => {
                write!(formatter, "the length of a section is negative ({bytes} bytes): {place}")
            }
            Self::Impossible { place, bytes: Some(bytes) } => write!(
                formatter,
                "a section of {bytes} bytes from host address {:#018x} on reaches beyond the \
                 address space: {place}",
                place.host.start
            ),
            Self::Impossible { place, bytes: None } => write!(
                formatter,
                "the length of a section is negative, or it reaches beyond the address space: \
                 {place}"
            ),
            Self::NoMemory(place) => write!(
                formatter,
                "the device has no memory for host address {:#018x} ({} bytes): {place}",
                place.host.start,
                place.host.len()
            ),
            Self::Device(error) => formatter.write_str(error),
            Self::BeforeKernel(mistake) => mistake.fmt(formatter),
            Self::NoDevice { count: 0, .. } => formatter.write_str(
                "there is no device: no image of the program fits one, or OXOMP_HOST_DEVICES is 0",
            ),
            Self::NoDevice { number, count } => {
                let last = count - 1;
                write!(formatter, "there is no device {number}: the last one is device {last}")
            }
            Self::Lost { number } => {
                write!(formatter, "device {number} is lost to this child of fork(2)")
            }
            Self::NoImage => formatter.write_str("no image of the target region fits the device"),
        }
    }
}

impl From<DeviceError> for Mistake {
    fn from(error: DeviceError) -> Self {
        Self::Device(error.0)
    }
}
