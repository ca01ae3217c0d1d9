//! framehop's unwinder for the processor. framehop has a type of registers for each processor, and
//! their methods have different names.

use framehop::aarch64::{PtrAuthMask, UnwindRegsAarch64};
use framehop::x86_64::UnwindRegsX86_64;
use framehop::{MustNotAllocateDuringUnwind, UnwindRegsNative, UnwinderNative};
use oxomp_arch::WalkRegisters;
use oxomp_arch::read::dwarf::code_address;

/// Walks stacks of this processor.
pub(super) type NativeUnwinder<D> = UnwinderNative<D, MustNotAllocateDuringUnwind>;

/// The registers in the unwinder's form.
pub(super) fn unwind_registers(from: WalkRegisters) -> UnwindRegsNative {
    UnwindRegsNative::of(from)
}

/// Registers of a walk, of which the frame pointer may not be known.
pub(super) trait FramePointer {
    fn of(from: WalkRegisters) -> Self;

    fn frame_pointer(&self) -> u64;

    /// The registers with another frame pointer.
    fn with_frame_pointer(&self, frame: u64) -> Self;
}

impl FramePointer for UnwindRegsX86_64 {
    fn of(from: WalkRegisters) -> Self {
        Self::new(from.link, from.stack, from.frame)
    }

    fn frame_pointer(&self) -> u64 {
        self.bp()
    }

    fn with_frame_pointer(&self, frame: u64) -> Self {
        Self::new(self.ip(), self.sp(), frame)
    }
}

impl FramePointer for UnwindRegsAarch64 {
    /// The walk removes the authentication codes of return addresses.
    fn of(from: WalkRegisters) -> Self {
        let mask = PtrAuthMask(code_address(u64::MAX));
        Self::new_with_ptr_auth_mask(mask, from.link, from.stack, from.frame)
    }

    fn frame_pointer(&self) -> u64 {
        self.fp()
    }

    fn with_frame_pointer(&self, frame: u64) -> Self {
        Self::new_with_ptr_auth_mask(self.lr_mask(), self.lr(), self.sp(), frame)
    }
}

#[cfg(test)]
mod tests {
    use framehop::aarch64::UnwindRegsAarch64;
    use oxomp_arch::WalkRegisters;
    use oxomp_arch::read::dwarf::code_address;

    use super::FramePointer;

    #[test]
    fn return_addresses_lose_their_authentication_codes() {
        let signed = 0x0035_aaaa_bbbb_0c58;
        let from = WalkRegisters { address: 0x40_0000, link: signed, stack: 0x7000, frame: 0x7010 };
        let mut registers = UnwindRegsAarch64::of(from).with_frame_pointer(0x7020);
        assert_eq!((registers.lr(), registers.fp()), (code_address(signed), 0x7020));
        registers.set_lr(signed);
        assert_eq!(registers.lr(), code_address(signed));
    }
}
