//! x86_64, System V ABI.

use core::arch::{asm, global_asm, naked_asm};
use core::ffi::c_void;
use core::mem::MaybeUninit;

// The current-thread slot: one pointer of initial-exec TLS, so that reading it is two loads and the
// library takes eight bytes of the static TLS surplus when it is loaded late.
global_asm!(
    ".pushsection .tbss.oxomp_current,\"awT\",@nobits",
    ".hidden oxomp_current",
    ".globl oxomp_current",
    ".type oxomp_current,@object",
    ".size oxomp_current,8",
    ".p2align 3",
    "oxomp_current:",
    ".zero 8",
    ".popsection",
);

/// The calling thread's slot.
#[inline(always)]
pub(crate) fn current_slot() -> *mut c_void {
    let value: *mut c_void;
    // SAFETY: reads the runtime's TLS slot, whose offset is in the GOT entry that the linker makes.
    unsafe {
        asm!(
            "mov {0}, qword ptr [rip + oxomp_current@GOTTPOFF]",
            "mov {0}, qword ptr fs:[{0}]",
            out(reg) value,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

/// Sets the calling thread's slot.
#[inline(always)]
pub(crate) fn set_current_slot(value: *mut c_void) {
    // SAFETY: writes the runtime's TLS slot.
    unsafe {
        asm!(
            "mov {1}, qword ptr [rip + oxomp_current@GOTTPOFF]",
            "mov qword ptr fs:[{1}], {0}",
            in(reg) value,
            out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// The frame pointer of the function in which this is expanded.
///
/// The assembly takes the address of a local as an unused operand. So the function has set up its
/// frame where the register is read (the compiler would otherwise set it up as late as it can), and
/// keeps it: the function makes no tail call, and a walk along the frames from a callee finds its
/// frame. The assembly is not `pure`, so that this holds on all paths, also if nothing uses the
/// result.
#[inline(always)]
pub fn frame_pointer() -> *const c_void {
    let anchor = MaybeUninit::<u8>::uninit();
    let frame: *const c_void;
    // SAFETY: reads a register; the whole workspace is compiled with frame pointers.
    unsafe {
        asm!(
            "/* {1} */",
            "mov {0}, rbp",
            lateout(reg) frame,
            in(reg) (&raw const anchor).expose_provenance(),
            options(nomem, nostack, preserves_flags),
        );
    }
    frame
}

/// Whether a function keeps a frame pointer. It has `frame` in the register; its frame begins at
/// the stack pointer `stack` and ends at `end`, the stack pointer of its caller. A frame pointer
/// leads to the two words at the frame's end: the caller's frame pointer and the return address.
pub(super) const fn frame_is_kept(frame: usize, _stack: usize, end: usize) -> bool {
    frame + 16 == end
}

/// Calls `outlined(&gtid, &bound, words[0], …, words[argc-1])`, the form of clang's and flang's
/// outlined functions, from a new frame, whose address is stored to `exit_frame`.
///
/// # Safety
/// `outlined` is such a function and takes `argc` integer-class words; `words` holds as many;
/// `exit_frame` is writable.
#[unsafe(naked)]
pub unsafe extern "C" fn call_kmpc(
    outlined: *const c_void,
    gtid: *mut i32,
    bound: *mut i32,
    argc: usize,
    words: *const usize,
    exit_frame: *mut *mut c_void,
) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        // The called function's frame lies below the address that stands for this one.
        "sub rsp, 16",
        "mov [r9], rbp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov r10, rcx",
        "mov r11, r8",
        // Words beyond the fourth go to the stack, the last one first; the stack stays 16-byte
        // aligned.
        "cmp r10, 4",
        "jbe 3f",
        "test r10, 1",
        "jz 2f",
        "sub rsp, 8",
        "2:",
        "push qword ptr [r11 + 8*r10 - 8]",
        "dec r10",
        "cmp r10, 4",
        "ja 2b",
        "3:",
        "cmp r10, 4",
        "jb 4f",
        "mov r9, [r11 + 24]",
        "4:",
        "cmp r10, 3",
        "jb 5f",
        "mov r8, [r11 + 16]",
        "5:",
        "cmp r10, 2",
        "jb 6f",
        "mov rcx, [r11 + 8]",
        "6:",
        "test r10, r10",
        "jz 7f",
        "mov rdx, [r11]",
        "7:",
        "mov r10, rax",
        "xor eax, eax",
        "call r10",
        ".hidden oxomp_after_kmpc",
        ".globl oxomp_after_kmpc",
        "oxomp_after_kmpc:",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls `outlined(data)`, the form of gcc's outlined functions, from a new frame, whose address is
/// stored to `exit_frame`.
///
/// # Safety
/// `outlined` is such a function and `data` the argument that the compiler passed for it;
/// `exit_frame` is writable.
#[unsafe(naked)]
pub unsafe extern "C" fn call_gomp(
    outlined: *const c_void,
    data: *mut c_void,
    exit_frame: *mut *mut c_void,
) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        // The called function's frame lies below the address that stands for this one.
        "sub rsp, 16",
        "mov [rdx], rbp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        ".hidden oxomp_after_gomp",
        ".globl oxomp_after_gomp",
        "oxomp_after_gomp:",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls `entry(gtid, task)`, the form of clang's and flang's task functions, from a new frame,
/// whose address is stored to `exit_frame`.
///
/// # Safety
/// `entry` is such a function and `task` the task block that the compiler laid out for it;
/// `exit_frame` is writable.
#[unsafe(naked)]
pub unsafe extern "C" fn call_task(
    entry: *const c_void,
    gtid: i32,
    task: *mut c_void,
    exit_frame: *mut *mut c_void,
) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        // The called function's frame lies below the address that stands for this one.
        "sub rsp, 16",
        "mov [rcx], rbp",
        "mov rax, rdi",
        "mov edi, esi",
        "mov rsi, rdx",
        "call rax",
        ".hidden oxomp_after_task",
        ".globl oxomp_after_task",
        "oxomp_after_task:",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// The body of a naked variadic function `(pointer, i32 argc, pointer, word…)`: gathers the `argc`
/// words in memory and calls `$body(pointer, argc, pointer, words, frame)`, an `extern "C"`
/// function.
#[macro_export]
macro_rules! gather_words {
    ($body:path) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "cmp esi, 3",
            "ja 3f",
            // The caller passed up to three words in registers.
            "sub rsp, 32",
            "2:",
            "mov [rsp], rcx",
            "mov [rsp + 8], r8",
            "mov [rsp + 16], r9",
            "mov rcx, rsp",
            "mov r8, rbp",
            "call {body}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_def_cfa rbp, 16",
            // The other words are above the return address, the fourth first.
            "3:",
            "mov eax, esi",
            "lea r10, [8*rax + 15]",
            "and r10, -16",
            "sub rsp, r10",
            "4:",
            "dec eax",
            "mov r10, [rbp + 8*rax - 8]",
            "mov [rsp + 8*rax], r10",
            "cmp eax, 3",
            "ja 4b",
            "jmp 2b",
            ".cfi_endproc",
            body = sym $body,
        )
    };
}

/// The number of words that a caller passes in registers to a variadic function of integers.
pub const WORDS_IN_REGISTERS: usize = 6;

/// The body of a naked variadic function `(word…)` of integers: calls `$body(first, rest, frame)`,
/// an `extern "C"` function, with the addresses of the words that the caller may have passed in
/// registers and of those behind them.
#[macro_export]
macro_rules! pass_words {
    ($body:path) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "push r9",
            "push r8",
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "mov rdi, rsp",
            "lea rsi, [rbp + 16]",
            "mov rdx, rbp",
            "call {body}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            body = sym $body,
        )
    };
}

#[cfg(test)]
mod tests {
    use super::{call_gomp, call_kmpc, current_slot, set_current_slot};
    use core::ffi::c_void;
    use core::ptr;

    unsafe extern "C" fn sum9(
        gtid: *mut i32,
        bound: *mut i32,
        a: usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
        g: *mut usize,
    ) {
        let probe = 0u128;
        assert_eq!(ptr::from_ref(&probe) as usize % 16, 0);
        // SAFETY: the test passes valid pointers.
        unsafe {
            *g = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + *gtid as usize + *bound as usize
        };
    }

    #[test]
    fn words_arrive_in_registers_and_on_the_stack() {
        let (mut gtid, mut bound, mut out, mut exit) = (100, 1000, 0usize, ptr::null_mut());
        let words = [1, 2, 3, 4, 5, 6, ptr::from_mut(&mut out) as usize];
        // SAFETY: `sum9` takes seven words.
        unsafe {
            call_kmpc(sum9 as *const c_void, &mut gtid, &mut bound, 7, words.as_ptr(), &mut exit);
        }
        assert_eq!(out, 1 + 4 + 9 + 16 + 25 + 36 + 1100);
        assert!(!exit.is_null());
    }

    unsafe extern "C" fn set(data: *mut c_void) {
        // SAFETY: the test passes a pointer to a u32.
        unsafe { *data.cast::<u32>() = 7 };
    }

    #[test]
    fn gcc_shape_gets_its_data() {
        let (mut value, mut exit) = (0u32, ptr::null_mut());
        // SAFETY: `set` writes a u32.
        unsafe { call_gomp(set as *const c_void, (&raw mut value).cast(), &mut exit) };
        assert_eq!(value, 7);
    }

    #[test]
    fn the_slot_is_per_thread() {
        set_current_slot(ptr::without_provenance_mut(16));
        std::thread::spawn(|| assert!(current_slot().is_null())).join().unwrap();
        assert_eq!(current_slot().addr(), 16);
        set_current_slot(ptr::null_mut());
    }
}
