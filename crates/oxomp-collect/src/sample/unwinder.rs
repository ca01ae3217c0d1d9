//! framehop's unwinder for the processor. framehop has a type of registers for each processor, and
//! their methods have different names.

use framehop::aarch64::UnwindRegsAarch64;
use framehop::x86_64::UnwindRegsX86_64;
use framehop::{MustNotAllocateDuringUnwind, UnwindRegsNative, UnwinderNative};
use oxomp_arch::WalkRegisters;

/// Walks stacks of this processor.
pub(super) type NativeUnwinder<D> = UnwinderNative<D, MustNotAllocateDuringUnwind>;

/// The registers in the unwinder's form.
pub(super) fn unwind_registers(from: WalkRegisters) -> UnwindRegsNative {
    UnwindRegsNative::new(from.link, from.stack, from.frame)
}

/// Registers of a walk, of which the frame pointer may not be known.
pub(super) trait FramePointer {
    fn frame_pointer(&self) -> u64;

    /// The registers with another frame pointer.
    fn with_frame_pointer(&self, frame: u64) -> Self;
}

impl FramePointer for UnwindRegsX86_64 {
    fn frame_pointer(&self) -> u64 {
        self.bp()
    }

    fn with_frame_pointer(&self, frame: u64) -> Self {
        Self::new(self.ip(), self.sp(), frame)
    }
}

impl FramePointer for UnwindRegsAarch64 {
    fn frame_pointer(&self) -> u64 {
        self.fp()
    }

    fn with_frame_pointer(&self, frame: u64) -> Self {
        Self::new(self.lr(), self.sp(), frame)
    }
}
