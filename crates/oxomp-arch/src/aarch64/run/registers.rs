//! Registers of the calling thread, and of code that a signal has interrupted.

use core::arch::asm;

use crate::walk::WalkRegisters;

/// The registers of the code that a signal has interrupted, for a walk.
#[must_use]
pub fn registers_of(context: &libc::ucontext_t) -> WalkRegisters {
    let machine = &context.uc_mcontext;
    WalkRegisters {
        address: machine.pc,
        link: machine.regs[30],
        stack: machine.sp,
        frame: machine.regs[29],
    }
}

/// The registers of the code that calls this function, for a walk.
#[inline(always)]
#[must_use]
pub fn registers_here() -> WalkRegisters {
    let (address, link, stack, frame): (u64, u64, u64, u64);
    // SAFETY: reads registers.
    unsafe {
        asm!(
            "adr {0}, .",
            "mov {1}, x30",
            "mov {2}, sp",
            "mov {3}, x29",
            out(reg) address,
            out(reg) link,
            out(reg) stack,
            out(reg) frame,
            options(nomem, nostack, preserves_flags),
        );
    }
    WalkRegisters { address, link, stack, frame }
}

/// The registers of a thread at `address`, for a walk; `None` if the processor keeps in another
/// register what the walk needs. Always `None`: if a function has not stored the link register, its
/// return address is in that register only.
#[must_use]
pub fn registers_at(_: u64, _: u64, _: u64) -> Option<WalkRegisters> {
    None
}

/// The general registers of the code that a signal has interrupted, by the numbers that
/// instructions have for them; `None` if recordings hold none of this processor. Always `None`.
#[must_use]
pub fn general_registers(_: &libc::ucontext_t) -> Option<[u64; 16]> {
    None
}
