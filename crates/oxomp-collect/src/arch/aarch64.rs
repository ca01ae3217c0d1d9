//! The generic timer's virtual counter, and the calling thread's slot.

use std::arch::{asm, global_asm};
use std::ffi::c_void;

use framehop::MustNotAllocateDuringUnwind;
use framehop::aarch64::{UnwindRegsAarch64, UnwinderAarch64};
use oxomp_trace::registers::REGISTERS;

// Two pointers of initial-exec TLS, as on x86_64.
global_asm!(
    ".pushsection .tbss.oxomp_collect_current,\"awT\",@nobits",
    ".hidden oxomp_collect_current",
    ".globl oxomp_collect_current",
    ".type oxomp_collect_current,@object",
    ".size oxomp_collect_current,8",
    ".p2align 3",
    "oxomp_collect_current:",
    ".zero 8",
    ".hidden oxomp_collect_sampler",
    ".globl oxomp_collect_sampler",
    ".type oxomp_collect_sampler,@object",
    ".size oxomp_collect_sampler,8",
    "oxomp_collect_sampler:",
    ".zero 8",
    ".popsection",
);

/// The calling thread's slot; null at first.
#[inline(always)]
pub(crate) fn thread_slot() -> *mut c_void {
    let value: *mut c_void;
    // SAFETY: reads the collector's TLS slot, whose offset is in the GOT entry that the linker
    // makes.
    unsafe {
        asm!(
            "adrp {1}, :gottprel:oxomp_collect_current",
            "ldr {1}, [{1}, #:gottprel_lo12:oxomp_collect_current]",
            "mrs {0}, tpidr_el0",
            "ldr {0}, [{0}, {1}]",
            out(reg) value,
            out(reg) _,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

/// Sets the calling thread's slot.
#[inline(always)]
pub(crate) fn set_thread_slot(value: *mut c_void) {
    // SAFETY: writes the collector's TLS slot.
    unsafe {
        asm!(
            "adrp {1}, :gottprel:oxomp_collect_current",
            "ldr {1}, [{1}, #:gottprel_lo12:oxomp_collect_current]",
            "mrs {2}, tpidr_el0",
            "str {0}, [{2}, {1}]",
            in(reg) value,
            out(reg) _,
            out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// The calling thread's slot for its sampler; null at first.
#[inline(always)]
pub(crate) fn sampler_slot() -> *mut c_void {
    let value: *mut c_void;
    // SAFETY: reads the collector's TLS slot, whose offset is in the GOT entry that the linker
    // makes.
    unsafe {
        asm!(
            "adrp {1}, :gottprel:oxomp_collect_sampler",
            "ldr {1}, [{1}, #:gottprel_lo12:oxomp_collect_sampler]",
            "mrs {0}, tpidr_el0",
            "ldr {0}, [{0}, {1}]",
            out(reg) value,
            out(reg) _,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

/// Sets the calling thread's slot for its sampler.
#[inline(always)]
pub(crate) fn set_sampler_slot(value: *mut c_void) {
    // SAFETY: writes the collector's TLS slot.
    unsafe {
        asm!(
            "adrp {1}, :gottprel:oxomp_collect_sampler",
            "ldr {1}, [{1}, #:gottprel_lo12:oxomp_collect_sampler]",
            "mrs {2}, tpidr_el0",
            "str {0}, [{2}, {1}]",
            in(reg) value,
            out(reg) _,
            out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Walks stacks of this processor.
pub(crate) type NativeUnwinder<D> = UnwinderAarch64<D, MustNotAllocateDuringUnwind>;

/// The code that a signal has interrupted: its address, and the registers for a walk.
pub(crate) fn registers_of(context: &libc::ucontext_t) -> (u64, UnwindRegsAarch64) {
    let machine = &context.uc_mcontext;
    let registers = UnwindRegsAarch64::new(machine.regs[30], machine.sp, machine.regs[29]);
    (machine.pc, registers)
}

/// No registers are kept: readers of a recording decode x86-64 only.
pub(crate) fn general_registers(_: &libc::ucontext_t) -> Option<[u64; REGISTERS]> {
    None
}

/// As [`registers_of`], of the code that calls this function.
#[inline(always)]
pub(crate) fn registers_here() -> (u64, UnwindRegsAarch64) {
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
    (address, UnwindRegsAarch64::new(link, stack, frame))
}

/// The registers of a thread at `address` for a walk, as far as they are known. Always `None`: if a
/// function has not stored the link register, its return address is in that register only.
pub(crate) fn registers_at(_: u64, _: u64, _: u64) -> Option<UnwindRegsAarch64> {
    None
}

/// The frame pointer of `registers`.
pub(crate) fn frame_pointer(registers: &UnwindRegsAarch64) -> u64 {
    registers.fp()
}

/// `registers` with another frame pointer.
pub(crate) fn with_frame_pointer(registers: &UnwindRegsAarch64, frame: u64) -> UnwindRegsAarch64 {
    UnwindRegsAarch64::new(registers.lr(), registers.sp(), frame)
}

/// Calls `act` with `data` on the stack that ends at `top`.
///
/// # Safety
/// `top` is a multiple of 16, the end of memory that nothing else uses meanwhile, and `act` does
/// not unwind.
#[inline(always)]
pub(crate) unsafe fn call_on_stack(
    top: *mut u8,
    act: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    // SAFETY: the stack pointer is kept in a register that the callee preserves, and is back before
    // anything else uses it.
    unsafe {
        asm!(
            "mov x20, sp",
            "mov sp, {top}",
            "blr {act}",
            "mov sp, x20",
            top = in(reg) top,
            act = in(reg) act,
            in("x0") data,
            out("x20") _,
            clobber_abi("C"),
        );
    }
}

/// The bytes that the kernel needs on a stack for a signal of this process.
pub(crate) fn signal_bytes() -> u64 {
    const AT_MINSIGSTKSZ: libc::c_ulong = 51;
    /// The kernel's least, where it does not tell.
    const LEAST: u64 = 5120;
    // SAFETY: the call only reads the auxiliary vector.
    match unsafe { libc::getauxval(AT_MINSIGSTKSZ) } {
        0 => LEAST,
        bytes => bytes,
    }
}

/// Begins to bring the cache line of `place`.
#[inline]
pub(crate) fn prefetch<T>(place: *const T) {
    // SAFETY: a prefetch does not fault.
    unsafe {
        asm!(
            "prfm pldl1keep, [{}]",
            in(reg) place,
            options(readonly, nostack, preserves_flags),
        );
    }
}

/// Now, in ticks.
#[inline]
pub(crate) fn counter() -> u64 {
    let ticks: u64;
    // SAFETY: Linux lets programs read the virtual counter.
    unsafe { asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
    ticks
}

/// Whether the counter runs at one rate in all states and on all processors: by architecture.
pub(crate) fn counter_is_steady() -> bool {
    true
}
