//! The call of an exported function, by its frame.

use core::mem::MaybeUninit;

use super::present;
use crate::call_site::CallSite;
use crate::host_runtime::HostRuntime;

/// The words behind a frame pointer.
#[repr(C)]
struct Frame {
    caller: *const Frame,
    return_address: usize,
}

/// The frame pointer of the function in which this is expanded.
///
/// As in oxomp's core, the assembly takes the address of a local as an unused operand. So the
/// function has set up its frame where the register is read (the compiler would otherwise set it up
/// as late as it can, and the register would still be the caller's), and keeps it.
#[inline(always)]
fn frame_pointer() -> *const Frame {
    let anchor = MaybeUninit::<u8>::uninit();
    let frame: *const Frame;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads a register; the whole workspace is compiled with frame pointers.
    unsafe {
        core::arch::asm!(
            "/* {1} */",
            "mov {0}, rbp",
            lateout(reg) frame,
            in(reg) (&raw const anchor).expose_provenance(),
            options(nomem, nostack, preserves_flags),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads a register; the whole workspace is compiled with frame pointers.
    unsafe {
        core::arch::asm!(
            "/* {1} */",
            "mov {0}, x29",
            lateout(reg) frame,
            in(reg) (&raw const anchor).expose_provenance(),
            options(nomem, nostack, preserves_flags),
        );
    }
    frame
}

impl CallSite {
    /// The call of the function into which this is inlined: an exported one.
    #[inline(always)]
    #[must_use]
    pub fn here() -> Self {
        if present::is_silent() { Self::NONE } else { Self::of(frame_pointer()) }
    }

    /// The call of the exported function with that frame. oxomp's libomp passes calls of device
    /// routines on to this library: then the program has called libomp's function, in the frame
    /// behind.
    #[cold]
    #[inline(never)]
    fn of(frame: *const Frame) -> Self {
        // SAFETY: functions keep frame pointers, so these are the words of a frame that is there.
        let Frame { caller, return_address } = unsafe { frame.read() };
        if HostRuntime::get().has_code(return_address) {
            // SAFETY: as above; oxomp's libomp keeps frame pointers, too, and no other library
            // passes calls on.
            let address = unsafe { (*caller).return_address };
            return Self::new(address, caller.expose_provenance());
        }
        Self::new(return_address, frame.expose_provenance())
    }
}
