//! What follows when a construct fails (OpenMP 5.2 §2.4, §5.8.3).
//!
//! A mistake in the mapping is an error of the program, and a device that fails keeps data that the
//! host does not have: both end the program. A target region for which no image fits the device
//! runs on the host, unless *target-offload-var* is mandatory.

use crate::device::TargetDevice;
use crate::host_runtime::TargetOffload;
use crate::info;
use crate::location::Location;
use crate::offload::Offload;
use crate::report::{self, Mistake};
use crate::settings::{info_bit, prints};

/// Whether the caller of a target region for which no image fits may execute it on the host.
pub fn may_fall_back(offload: &Offload) -> bool {
    offload.policy() != TargetOffload::Mandatory
}

/// Ends the program.
pub fn fail(device: Option<&TargetDevice>, mistake: &Mistake, location: &Location<'_>) -> ! {
    match mistake.remedy() {
        Some(remedy) => report::message(&format_args!("{mistake}; {remedy}")),
        None => report::message(mistake),
    }
    for step in mistake.steps() {
        report::error(step);
    }
    if prints(info_bit::TABLES) {
        match device {
            Some(device) => info::print_table(device, location),
            None => report::warn("no device, hence no mapping table"),
        }
    }
    report::fatal(location, "failure of target construct while offloading is mandatory");
    std::process::abort()
}
