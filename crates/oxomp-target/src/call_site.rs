//! The call in the program to which a construct, a routine or an event belongs.

use core::ffi::c_void;
use core::ptr;

/// Where the call of a construct or a routine returns to in the program (`codeptr_ra`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSite {
    address: usize,
    /// The frame of the function that the program has called.
    frame: usize,
}

impl CallSite {
    /// No call of the program: the library acts by itself, or no tool listens.
    pub const NONE: Self = Self { address: 0, frame: 0 };

    /// The call that returns to `address`, in a function of which no frame is known.
    #[must_use]
    pub fn returning_to(address: *const c_void) -> Self {
        Self { address: address.expose_provenance(), frame: 0 }
    }

    /// The call that returns to `address`; `frame` is the frame of the function that it calls.
    pub(crate) fn new(address: usize, frame: usize) -> Self {
        Self { address, frame }
    }

    /// The address as tools get it; null without a call.
    pub(crate) fn address(self) -> *const c_void {
        ptr::with_exposed_provenance(self.address)
    }

    /// The frame of the function that the program has called, whose words are the frame pointer of
    /// its caller and the return address; null without a call. The frame exists until that function
    /// returns.
    #[must_use]
    pub fn frame(self) -> *const c_void {
        ptr::with_exposed_provenance(self.frame)
    }
}
