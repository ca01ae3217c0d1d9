//! The target construct: its items are mapped, its kernel is launched, its items are unmapped.

use super::Construct;
use crate::info;
use crate::item::MapItem;
use crate::location::Location;
use crate::offload::{Destination, Offload};
use crate::plugin::Launch;
use crate::policy;
use crate::report::Mistake;

/// A target region.
#[derive(Clone, Copy, Debug)]
pub struct TargetRegion<'a> {
    /// Its id on the host.
    pub region: usize,
    /// The device of its device clause; -1 for none.
    pub device: i64,
    /// Whether it is in a target task that may outlive its body.
    pub is_nowait: bool,
    /// What its kernel is launched with; no arguments yet.
    pub launch: Launch<'a>,
}

/// Executes a target region. Returns whether a device has executed it; otherwise the caller does. A
/// mistake ends the program.
///
/// # Safety
/// The kernel of the region takes a word for each item that is a parameter.
pub unsafe fn target(
    offload: &Offload,
    location: Location<'_>,
    target: &TargetRegion<'_>,
    items: &[MapItem],
) -> bool {
    let device = match offload.destination(target.device) {
        Ok(Destination::Host) => return false,
        Ok(Destination::Device(device)) => device,
        Err(mistake) => policy::fail(None, &mistake, &location),
    };
    let execute = || -> Result<(), Mistake> {
        let kernel = device.kernel(target.region).ok_or(Mistake::NoImage)?;
        info::construct(device, "Entering OpenMP kernel", items, &location);
        let mut construct = Construct::new(offload, device, location)?;
        construct.begin(items).map_err(|it| Mistake::BeforeKernel(Box::new(it)))?;
        let arguments = construct.arguments(items)?;
        let launch = Launch { arguments: &arguments, ..target.launch };
        info::kernel(device, target.region, launch.num_teams[0], launch.thread_limit[0]);
        // SAFETY: the kernel takes these arguments (`# Safety`); its library stays loaded while a
        // thread of the program executes the construct.
        unsafe { construct.queue.launch(kernel, &launch)? };
        construct.end(items)?;
        if target.is_nowait {
            construct.finish_later()?
        } else {
            construct.finish()?
        }
        info::table_after(device, &location);
        Ok(())
    };
    match execute() {
        Ok(()) => true,
        Err(mistake) if policy::may_fall_back(offload, &mistake) => false,
        Err(mistake) => policy::fail(Some(device), &mistake, &location),
    }
}
