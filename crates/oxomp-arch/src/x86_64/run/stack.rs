//! Stacks: calls on another one, and what the kernel needs of one.

use core::arch::asm;
use core::arch::x86_64::{__cpuid, __cpuid_count};
use core::ffi::c_void;

/// Calls `act` with `data` on the stack that ends at `top`.
///
/// # Safety
/// `top` is a multiple of 16, the end of memory that nothing else uses meanwhile, and `act` does
/// not unwind.
#[inline(always)]
pub unsafe fn call_on_stack(
    top: *mut u8,
    act: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    // SAFETY: the stack pointer is kept in a register that the callee preserves, and is back before
    // anything else uses it.
    unsafe {
        asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {act}",
            "mov rsp, r12",
            top = in(reg) top,
            act = in(reg) act,
            in("rdi") data,
            out("r12") _,
            clobber_abi("C"),
        );
    }
}

/// The bytes that the kernel needs on a stack for a signal of a process that has not asked for AMX.
/// (AT_MINSIGSTKSZ includes the 8 KiB of AMX; if a process has asked for AMX, the kernel itself
/// refuses smaller stacks.) Slow in virtual machines.
#[must_use]
pub fn signal_bytes() -> u64 {
    /// The old registers and a header, which every processor with more has, too.
    const LEAST: u64 = 512 + 64;
    /// Two numbers around the registers, what they are aligned to, and the rest of the frame.
    const BESIDE: u64 = 4 + 64 + 640;
    const OS_SAVES_MORE: u32 = 1 << 27;
    const REGISTERS: u32 = 0xd;
    const AMX: u32 = 18;
    if __cpuid(1).ecx & OS_SAVES_MORE == 0 {
        return LEAST + BESIDE;
    }
    let (low, high): (u32, u32);
    // SAFETY: the processor has the instruction, as the bit says; it reads a register.
    unsafe {
        asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack));
    }
    let enabled = u64::from(high) << 32 | u64::from(low);
    let parts = (2..63).filter(|&part| part != AMX && enabled >> part & 1 != 0);
    let end = |part: u32| {
        let part = __cpuid_count(REGISTERS, part);
        u64::from(part.eax) + u64::from(part.ebx)
    };
    parts.map(end).fold(LEAST, u64::max) + BESIDE
}
