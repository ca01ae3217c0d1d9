//! The devices that the tool knows, and their images.

use core::ops::ControlFlow;
use core::ptr;
use std::time::{Duration, Instant};

use super::event::ToolEvent;
use super::host::HostTool;
use super::present::tell;
use crate::device::{Image, TargetDevice};
use crate::sync::{Child, Mutex, Visit, lock};
use crate::trace;

/// How long the end of a tool waits for a callback that runs on another thread, as oxomp's libomp
/// does: it may never return.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How long the end of a library waits for such a callback: its caller may hold the loader's lock,
/// for which the tool's function on the delivery thread may wait.
const LONGEST_RELEASE: Duration = Duration::from_secs(1);

/// A tool, and a device that it knows.
pub(super) type Known = (&'static HostTool, &'static TargetDevice);

statics! {
    /// The devices that a tool knows.
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
}

/// Calls `visit` with the lock (`fork`).
pub(super) fn each_lock(visit: &mut Visit<'_>) -> ControlFlow<()> {
    let lock: &Mutex<_> = &KNOWN;
    visit(lock)
}

/// In the child of a fork: if a thread that is gone was telling the tool of devices, the tool is
/// told of them anew.
pub(super) fn after_fork(child: &Child) {
    KNOWN.after_fork(child, Vec::new);
}

/// Whether the tool knows the device; a load and a branch without a tool.
#[inline]
pub(crate) fn is_announced(tool: Option<&'static HostTool>, device: &TargetDevice) -> bool {
    tool.is_none_or(|tool| device.is_known_to(tool))
}

/// Tells the tool of the device, and of the images that the device has loaded, unless the tool
/// knows the device. The caller is in the device's turnstile, so that no other thread uses the
/// device meanwhile. Returns whether the tool knows the device afterwards: a tool whose end has
/// begun is told neither of a further device nor of what happens there. The end of a device that
/// the tool knows waits for the turnstile.
pub(crate) fn announce(tool: &'static HostTool, device: &'static TargetDevice) -> bool {
    if device.is_known_to(tool) {
        return true;
    }
    let mut known = lock(&KNOWN);
    if tool.is_ending() {
        return false;
    }
    known.retain(|(of, _)| ptr::eq(*of, tool));
    known.push((tool, device));
    drop(known);
    tell(tool, &ToolEvent::DeviceInitialize { device, description: device.description() });
    for image in device.images() {
        loaded(tool, device, image);
    }
    device.becomes_known_to(tool);
    true
}

/// The device has loaded an image.
pub(crate) fn loaded(tool: &'static HostTool, device: &TargetDevice, image: Image) {
    tell(tool, &ToolEvent::DeviceLoad { device: device.number, image });
}

/// The device is about to unload an image.
pub(crate) fn unloading(tool: &'static HostTool, device: &TargetDevice, module: u64) {
    if device.is_known_to(tool) {
        tell(tool, &ToolEvent::DeviceUnload { device: device.number, module });
    }
}

/// No device begins for the tool any more: each device that has begun is in the list.
pub(super) fn close(tool: &HostTool) {
    let _known = lock(&KNOWN);
    tool.ends();
}

/// The last library that offloads has gone: with LLVM's libomp this is the last moment at which the
/// tool can be told of its devices' end. They end for the tool until they are used again.
pub(crate) fn release() {
    let known = lock(&KNOWN).first().map(|(tool, _)| *tool);
    if let Some(tool) = known.filter(|tool| !tool.hears_its_end()) {
        finalize(tool, Instant::now() + LONGEST_RELEASE);
    }
}

/// Ends the tool's devices for the tool, and the tool's traces. If another thread is telling the
/// tool of a device, that device begins first, unless that thread's callback has not returned at
/// the deadline.
pub(super) fn finalize(tool: &'static HostTool, deadline: Instant) {
    for device in take(tool) {
        // `None` on the thread that is inside: the tool ends, or the library goes, in a callback of
        // that thread.
        let _passage = device.turnstile.enter_before(deadline);
        device.tracer.finalize(deadline);
        for image in device.images() {
            unloading(tool, device, image.module);
        }
        tell(tool, &ToolEvent::DeviceFinalize { device });
        device.becomes_unknown();
    }
    trace::finalize(deadline);
}

/// The tool has ended: it knows no device.
pub(super) fn forget(tool: &'static HostTool) {
    take(tool).into_iter().for_each(TargetDevice::becomes_unknown);
}

/// Takes the devices that the tool knows from the list.
fn take(tool: &'static HostTool) -> Vec<&'static TargetDevice> {
    let known = std::mem::take(&mut *lock(&KNOWN));
    known.into_iter().filter(|(of, _)| ptr::eq(*of, tool)).map(|(_, device)| device).collect()
}
