//! Registers of the calling thread, and of code that a signal has interrupted.

use core::arch::asm;

use crate::walk::WalkRegisters;

/// The registers of the code that a signal has interrupted, for a walk.
#[must_use]
pub fn registers_of(context: &libc::ucontext_t) -> WalkRegisters {
    let register = |number: i32| context.uc_mcontext.gregs[number as usize] as u64;
    let address = register(libc::REG_RIP);
    let (stack, frame) = (register(libc::REG_RSP), register(libc::REG_RBP));
    WalkRegisters { address, link: address, stack, frame }
}

/// The registers of the code that calls this function, for a walk.
#[inline(always)]
#[must_use]
pub fn registers_here() -> WalkRegisters {
    let (address, stack, frame): (u64, u64, u64);
    // SAFETY: reads registers.
    unsafe {
        asm!(
            "lea {0}, [rip]",
            "mov {1}, rsp",
            "mov {2}, rbp",
            out(reg) address,
            out(reg) stack,
            out(reg) frame,
            options(nomem, nostack, preserves_flags),
        );
    }
    WalkRegisters { address, link: address, stack, frame }
}

/// The registers of a thread at `address`, for a walk; `None` if the processor keeps in another
/// register what the walk needs.
#[must_use]
pub fn registers_at(address: u64, stack: u64, frame: u64) -> Option<WalkRegisters> {
    Some(WalkRegisters { address, link: address, stack, frame })
}

/// The general registers of the code that a signal has interrupted, by the numbers that
/// instructions have for them; `None` if recordings hold none of this processor.
#[must_use]
pub fn general_registers(context: &libc::ucontext_t) -> Option<[u64; 16]> {
    const BY_NUMBER: [i32; 16] = [
        libc::REG_RAX,
        libc::REG_RCX,
        libc::REG_RDX,
        libc::REG_RBX,
        libc::REG_RSP,
        libc::REG_RBP,
        libc::REG_RSI,
        libc::REG_RDI,
        libc::REG_R8,
        libc::REG_R9,
        libc::REG_R10,
        libc::REG_R11,
        libc::REG_R12,
        libc::REG_R13,
        libc::REG_R14,
        libc::REG_R15,
    ];
    Some(BY_NUMBER.map(|place| context.uc_mcontext.gregs[place as usize] as u64))
}
