//! Addresses that the runtime does not follow.

use core::ffi::c_void;
use core::ptr;

/// An address that the runtime compares or hands on, and does not follow: it may be anything.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(*mut c_void);

impl Address {
    /// No address.
    pub const NULL: Self = Address(ptr::null_mut());

    /// The address as a number.
    pub fn addr(self) -> usize {
        self.0.addr()
    }

    /// Whether there is no address.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}
