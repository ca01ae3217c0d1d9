//! The instructions of unwinding tables beside the standard's.

use gimli::Vendor;

/// Functions that sign their return addresses say so by an instruction of this set. Compilers use
/// its number for nothing else on any processor that can be inspected.
pub(super) const VENDOR: Vendor = Vendor::AArch64;
