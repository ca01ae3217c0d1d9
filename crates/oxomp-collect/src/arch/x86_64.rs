//! The time stamp counter, and the calling thread's slot.

use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::arch::{asm, global_asm};
use std::ffi::c_void;
use std::fs;

use framehop::MustNotAllocateDuringUnwind;
use framehop::x86_64::{UnwindRegsX86_64, UnwinderX86_64};
use oxomp_trace::registers::REGISTERS;

// Two pointers of initial-exec TLS: reading it is two loads, where a `thread_local!` of a shared
// object is a call. The library takes sixteen bytes of the static TLS surplus when it is loaded
// late.
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
            "mov {0}, qword ptr [rip + oxomp_collect_current@GOTTPOFF]",
            "mov {0}, qword ptr fs:[{0}]",
            out(reg) value,
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
            "mov {1}, qword ptr [rip + oxomp_collect_current@GOTTPOFF]",
            "mov qword ptr fs:[{1}], {0}",
            in(reg) value,
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
            "mov {0}, qword ptr [rip + oxomp_collect_sampler@GOTTPOFF]",
            "mov {0}, qword ptr fs:[{0}]",
            out(reg) value,
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
            "mov {1}, qword ptr [rip + oxomp_collect_sampler@GOTTPOFF]",
            "mov qword ptr fs:[{1}], {0}",
            in(reg) value,
            out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Walks stacks of this processor.
pub(crate) type NativeUnwinder<D> = UnwinderX86_64<D, MustNotAllocateDuringUnwind>;

/// The code that a signal has interrupted: its address, and the registers for a walk.
pub(crate) fn registers_of(context: &libc::ucontext_t) -> (u64, UnwindRegsX86_64) {
    let register = |number: i32| context.uc_mcontext.gregs[number as usize] as u64;
    let address = register(libc::REG_RIP);
    let registers =
        UnwindRegsX86_64::new(address, register(libc::REG_RSP), register(libc::REG_RBP));
    (address, registers)
}

/// The general registers of the code that a signal has interrupted, by their numbers.
pub(crate) fn general_registers(context: &libc::ucontext_t) -> Option<[u64; REGISTERS]> {
    const BY_NUMBER: [i32; REGISTERS] = [
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

/// As [`registers_of`], of the code that calls this function.
#[inline(always)]
pub(crate) fn registers_here() -> (u64, UnwindRegsX86_64) {
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
    (address, UnwindRegsX86_64::new(address, stack, frame))
}

/// The registers of a thread at `address`, as far as they are known, for a walk.
pub(crate) fn registers_at(address: u64, stack: u64, frame: u64) -> Option<UnwindRegsX86_64> {
    Some(UnwindRegsX86_64::new(address, stack, frame))
}

/// The frame pointer of `registers`.
pub(crate) fn frame_pointer(registers: &UnwindRegsX86_64) -> u64 {
    registers.bp()
}

/// `registers` with another frame pointer.
pub(crate) fn with_frame_pointer(registers: &UnwindRegsX86_64, frame: u64) -> UnwindRegsX86_64 {
    UnwindRegsX86_64::new(registers.ip(), registers.sp(), frame)
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
pub(crate) fn signal_bytes() -> u64 {
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

/// Begins to bring the cache line of `place`.
#[inline]
pub(crate) fn prefetch<T>(place: *const T) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch does not fault, and every x86-64 processor has the instruction.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) }
}

/// Now, in ticks.
#[inline]
pub(crate) fn counter() -> u64 {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Whether the counter runs at one rate in all states and on all processors: the processor says
/// so, and the kernel did not find otherwise.
pub(crate) fn counter_is_steady() -> bool {
    let clock =
        fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if clock.is_ok_and(|clock| matches!(clock.trim(), "hpet" | "acpi_pm" | "jiffies")) {
        return false;
    }
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has = |name| flags.split_whitespace().any(|flag| flag == name);
    has("constant_tsc") && has("nonstop_tsc")
}
