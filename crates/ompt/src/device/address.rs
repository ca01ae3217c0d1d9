//! Addresses of the host and of devices.

use core::ffi::c_void;
use core::fmt;

use oxomp_sys::ompt::ompt_addr_none;

macro_rules! addresses {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u64);

        impl $name {
            /// The value that means "no address": all bits set (`ompt_addr_none`).
            pub const NONE: Self = Self(ompt_addr_none);

            #[inline]
            pub(crate) fn new(address: *const c_void) -> Self {
                Self(address.addr() as u64)
            }

            /// Whether this is no address: a null pointer, or [`Self::NONE`].
            pub const fn is_none(self) -> bool {
                self.0 == 0 || self.0 == Self::NONE.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:#x}", self.0)
            }
        }
    )*};
}

addresses! {
    /// An address in the memory of the host.
    HostAddress;
    /// An address in the memory of a device, whose number stands beside it. If this is the host's
    /// number, it is an address of the host.
    DeviceAddress;
}
