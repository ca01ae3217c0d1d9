//! The queue of a host device: each operation is done by the calling thread, at once.

use core::ffi::c_void;
use core::ptr;
use std::sync::Arc;
use std::thread;

use once_cell::race::OnceBox;
use oxomp_sys::connection::oxomp_kernel_t;
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::plugin::{Address, DeviceError, Event, Kernel, Launch, Queue};

use crate::call::KernelCall;

/// The number of teams of a kernel without a teams construct.
const NO_TEAMS_CONSTRUCT: u32 = u32::MAX;

/// A queue; it holds nothing, since nothing waits in it.
#[derive(Debug)]
pub(crate) struct HostQueue;

impl Queue for HostQueue {
    fn is_async(&self) -> bool {
        false
    }

    unsafe fn copy_to_device(
        &mut self,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's own promise; a program may pass device memory as its own.
        unsafe { ptr::copy(from.cast::<u8>(), to.as_ptr().cast::<u8>(), bytes) };
        Ok(())
    }

    unsafe fn copy_from_device(
        &mut self,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        // SAFETY: as for `copy_to_device`.
        unsafe { ptr::copy(from.as_ptr().cast::<u8>(), to.cast::<u8>(), bytes) };
        Ok(())
    }

    unsafe fn copy_within_device(
        &mut self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's own promise.
        unsafe { ptr::copy(from.as_ptr().cast::<u8>(), to.as_ptr().cast::<u8>(), bytes) };
        Ok(())
    }

    unsafe fn fill(&mut self, to: Address, value: u8, bytes: usize) -> Result<(), DeviceError> {
        // SAFETY: the caller's own promise.
        unsafe { ptr::write_bytes(to.as_ptr().cast::<u8>(), value, bytes) };
        Ok(())
    }

    unsafe fn launch(&mut self, kernel: Kernel, launch: &Launch<'_>) -> Result<u32, DeviceError> {
        // Teams, threads and loops are calls of the host runtime in the kernel itself.
        let code = kernel.0.as_ptr();
        let mut call = KernelCall::new(code, launch.takes_environment, launch.arguments);
        let kernel = oxomp_kernel_t {
            function: KernelCall::perform,
            data: (&raw mut call).cast(),
            code,
            returns_to: KernelCall::returns_to(),
            frame: launch.site.frame(),
            device: launch.device,
        };
        // SAFETY: the kernel takes these arguments, by the caller's own promise.
        unsafe { HostRuntime::get().execute_kernel(&kernel) };
        Ok(teams(launch.num_teams[0]))
    }

    fn record(&mut self) -> Result<Option<Arc<dyn Event>>, DeviceError> {
        Ok(None)
    }

    fn wait_for(&mut self, _event: &Arc<dyn Event>) -> Result<(), DeviceError> {
        Ok(())
    }

    fn is_done(&mut self) -> Result<bool, DeviceError> {
        Ok(true)
    }

    fn finish(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// The teams that the host runtime forms where the program asks for `requested`; 0 if unknown.
fn teams(requested: u32) -> u32 {
    let teams = match requested {
        NO_TEAMS_CONSTRUCT => 1,
        // Without a clause and without OMP_NUM_TEAMS runtimes form one team on the host.
        0 => HostRuntime::get().league_limits()[0].max(1),
        teams => teams,
    };
    if teams <= certain_teams() { teams } else { 0 }
}

/// The host runtime certainly forms the teams that it is asked for, up to this number. LLVM's forms
/// at most as many as there are processors, and fewer with some environment variables.
fn certain_teams() -> u32 {
    const LIMITS: [&str; 4] = [
        "KMP_TEAMS_THREAD_LIMIT",
        "KMP_DEVICE_THREAD_LIMIT",
        "KMP_ALL_THREADS",
        "OMP_THREAD_LIMIT",
    ];
    static MOST: OnceBox<u32> = OnceBox::new();
    *MOST.get_or_init(|| {
        Box::new(if HostRuntime::get().is_oxomp() {
            u32::MAX
        } else if LIMITS.iter().any(|name| std::env::var_os(name).is_some()) {
            1
        } else {
            thread::available_parallelism().map_or(1, |it| it.get() as u32)
        })
    })
}
