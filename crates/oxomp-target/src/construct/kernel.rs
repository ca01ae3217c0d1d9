//! The target construct: its items are mapped, its kernel is launched, its items are unmapped.

use super::Construct;
use crate::info;
use crate::item::MapItem;
use crate::location::Location;
use crate::offload::{Destination, Offload};
use crate::plugin::{Kernel, Launch};
use crate::policy;
use crate::report::Mistake;
use crate::tool;
use crate::tool::Scope;

/// A target region.
#[derive(Clone, Copy, Debug)]
pub struct TargetRegion<'a> {
    /// The id of the region on the host.
    pub region: usize,
    /// The device of the region's device clause; -1 without a clause.
    pub device: i64,
    /// Whether it is in a target task that may outlive its body.
    pub is_nowait: bool,
    /// What the kernel is launched with; the device and the arguments are still to come.
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
    let executed = match offload.destination(target.device) {
        Ok(Destination::Host) => None,
        Ok(Destination::Device(device)) => match device.kernel(target.region) {
            Some(kernel) => Some((device, kernel)),
            None if policy::may_fall_back(offload) => None,
            None => policy::fail(Some(device), &Mistake::NoImage, &location),
        },
        Err(mistake) => policy::fail(None, &mistake, &location),
    };
    let device = executed.map(|(device, _)| device);
    let executor = offload.executor(device);
    let code = executed.map_or(0, |(_, Kernel(address))| address.0);
    let construct = || tool::ConstructKind::Target { code };
    let scope = Scope::construct(construct, target.is_nowait, executor, location.site());
    let Some((device, kernel)) = executed else { return false };
    let execute = || -> Result<(), Mistake> {
        info::construct(device, "Entering OpenMP kernel", items, &location);
        let mut construct = Construct::new(offload, device, location, scope)?;
        construct.begin(items).map_err(|it| Mistake::BeforeKernel(Box::new(it)))?;
        let arguments = construct.arguments(items)?;
        let number = device.number.cast_unsigned();
        let launch = Launch { device: number, arguments: &arguments, ..target.launch };
        info::kernel(device, target.region, launch.num_teams[0], launch.thread_limit[0]);
        {
            let teams = requested_teams(launch.num_teams[0]);
            let mut submission = construct.scope.submission(teams);
            submission.times.begin_in(&mut *construct.queue);
            // SAFETY: the kernel takes these arguments (`# Safety`); its library stays loaded while
            // a thread of the program executes the construct.
            submission.granted_teams = unsafe { construct.queue.launch(kernel, &launch)? };
            submission.times.end_in(&mut *construct.queue);
        }
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
        Err(mistake) => policy::fail(Some(device), &mistake, &location),
    }
}

/// The number of teams that a tool is told: one without a teams construct, 0 for any number.
fn requested_teams(num_teams: u32) -> u32 {
    match num_teams {
        u32::MAX => 1,
        num_teams => num_teams,
    }
}
