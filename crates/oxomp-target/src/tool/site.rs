//! The address in the program to which an event belongs.

use core::ffi::c_void;
use core::ptr;

/// Where the call of a construct or a routine returns to in the program (`codeptr_ra`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSite(usize);

impl CallSite {
    /// No call of the program: the library acts by itself.
    pub const NONE: Self = Self(0);

    /// The call of the function into which this is inlined: an exported one. Functions keep frame
    /// pointers, so that the return address stands in the word after the frame pointer's.
    #[inline(always)]
    #[must_use]
    pub fn here() -> Self {
        let address: usize;
        #[cfg(target_arch = "x86_64")]
        // SAFETY: reads the return address of the function's own frame.
        unsafe {
            core::arch::asm!(
                "mov {}, [rbp + 8]",
                out(reg) address,
                options(nostack, readonly, preserves_flags)
            );
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: reads the return address of the function's own frame.
        unsafe {
            core::arch::asm!(
                "ldr {}, [x29, #8]",
                out(reg) address,
                options(nostack, readonly, preserves_flags)
            );
        }
        Self(address)
    }

    /// The address as tools get it; null for none.
    pub(crate) fn address(self) -> *const c_void {
        ptr::with_exposed_provenance(self.0)
    }
}
