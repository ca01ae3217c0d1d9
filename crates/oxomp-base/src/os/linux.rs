//! Linux system calls and pthreads, one call per function.

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr;
use std::io::{Error, ErrorKind};

use oxomp_protocol::kernel::{self, monotonic_ns};

/// The processor time in nanoseconds of the thread of this process with the kernel's id `lwp`;
/// `None` if there is no such thread.
pub fn processor_ns(lwp: i32) -> Option<u64> {
    // The kernel's `MAKE_THREAD_CPUCLOCK(lwp, CPUCLOCK_SCHED)`, for any thread of the calling
    // process.
    let id = (!lwp << 3) | 6;
    let mut used = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `used` is a valid timespec; the kernel refuses the id of a thread that is gone.
    let result = unsafe { libc::clock_gettime(id, &mut used) };
    (result == 0).then(|| used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64)
}

/// Seconds of the monotonic clock: `omp_get_wtime`.
#[inline]
pub fn wall_time() -> f64 {
    monotonic_ns().cast_signed() as f64 * 1e-9
}

/// A buffer for the affinity mask of any kernel, which may have more processors than a cpu_set_t
/// holds.
pub type AffinityMask = [u64; 1024];

/// The processors that the calling thread may run on, bit n % 64 of word n / 64 for processor n:
/// the words of `mask` that the kernel has written; empty if it refuses.
pub fn affinity(mask: &mut AffinityMask) -> &[u64] {
    // SAFETY: the buffer has the length that is passed.
    let bytes = unsafe {
        libc::syscall(libc::SYS_sched_getaffinity, 0, size_of_val(mask), mask.as_mut_ptr())
    };
    &mask[..usize::try_from(bytes).unwrap_or(0) / size_of::<u64>()]
}

/// Restricts the calling thread to these processors. Returns the error number if the kernel
/// refuses.
pub fn set_affinity(mask: &[u64]) -> Result<(), i32> {
    // SAFETY: the mask has the length that is passed; 0 stands for the calling thread.
    let answer =
        unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, size_of_val(mask), mask.as_ptr()) };
    if answer == 0 { Ok(()) } else { Err(error_number()) }
}

fn error_number() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The number of processors that the system can have; their numbers are below this.
pub fn configured_processors() -> u32 {
    // SAFETY: the call takes no memory.
    let number = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) };
    u32::try_from(number).unwrap_or(0).max(1)
}

/// The number of processors that the calling thread may run on, at least 1.
pub fn available_processors() -> u32 {
    let mut mask = [0; 1024];
    affinity(&mut mask).iter().map(|word| word.count_ones()).sum::<u32>().max(1)
}

/// The processor on which the caller runs now; negative if the kernel does not tell.
pub fn current_processor() -> i32 {
    kernel::processor()
}

/// Stack size in bytes of a thread if the stack of the process has no limit, as in libomp. The C
/// library's default is then 2 MiB, less than with the usual limit, and Fortran programs need more
/// without asking for it.
const STACK_WITHOUT_LIMIT: usize = 64 << 20;

/// Default stack size in bytes of a thread that the runtime creates; 0 if the system does not tell.
pub fn default_stack_bytes() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call writes to `limit`.
    let error = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) };
    if error == 0 && limit.rlim_cur == libc::RLIM_INFINITY {
        return STACK_WITHOUT_LIMIT;
    }
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut bytes = 0;
    // SAFETY: the attributes are initialized first and destroyed last.
    unsafe {
        if libc::pthread_attr_init(attributes.as_mut_ptr()) == 0 {
            libc::pthread_attr_getstacksize(attributes.as_ptr(), &mut bytes);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
    }
    bytes
}

/// The addresses of the calling thread's stack; `None` if the system does not tell.
pub fn own_stack() -> Option<Range<usize>> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut bytes) = (ptr::null_mut(), 0);
    // SAFETY: the attributes are initialized first and destroyed last.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let error = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut bytes);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (error == 0).then(|| lowest.addr()..lowest.addr() + bytes)
    }
}

/// Writes the text to the standard error, by one call of the system if that takes it whole, so that
/// texts of several threads do not mix. A closed stderr is not an error. Does not use std's stream:
/// in the child of a fork(2), a thread that is gone may hold its lock.
pub(crate) fn print_error(text: &[u8]) {
    let mut rest = text;
    while !rest.is_empty() {
        // SAFETY: the address and the length are those of `rest`.
        let written = unsafe { libc::write(libc::STDERR_FILENO, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(_) if Error::last_os_error().kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Writes a line through the buffer of C's standard output, as the program's own output.
pub fn print_line(line: &CStr) {
    // SAFETY: `line` is a C string.
    unsafe { libc::puts(line.as_ptr()) };
}

/// The name of this machine; empty if the kernel does not tell.
pub fn host_name() -> Vec<u8> {
    let mut name = [0_u8; 256];
    // SAFETY: the buffer has the length that is passed; a name that fills it is not terminated,
    // which the code below handles.
    let answer = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len()) };
    let length = if answer == 0 { name.iter().position(|&byte| byte == 0) } else { Some(0) };
    name[..length.unwrap_or(name.len())].to_vec()
}

/// Whether the process has more rights than the user who set its environment (AT_SECURE): a
/// set-user-id or set-group-id program, or one with file capabilities.
pub fn is_privileged() -> bool {
    // SAFETY: the call only reads the auxiliary vector.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// The process id, as the kernel knows it.
#[inline]
pub fn process_id() -> i32 {
    // SAFETY: the call takes no arguments and no memory.
    unsafe { libc::getpid() }
}

/// The native thread's id, as the kernel knows it. glibc has a function for it since 2.30, and
/// would not load a library that asks an earlier one for it.
#[inline]
pub fn thread_id() -> i32 {
    // SAFETY: the call takes no arguments and no memory.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// The native thread's `pthread_t`, as a number.
#[inline]
pub fn native_thread() -> u64 {
    // SAFETY: the call takes no arguments and no memory.
    unsafe { libc::pthread_self() as u64 }
}

/// Starts a detached thread that runs `body(argument)` on a stack of `stack_bytes` (0: the
/// default). Returns the error number of pthread_create(3) if the thread cannot be created.
///
/// # Safety
/// `argument` is the argument that `body` expects, and stays valid as long as `body` uses it.
pub unsafe fn spawn(
    body: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    stack_bytes: usize,
) -> Result<libc::pthread_t, i32> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut handle = MaybeUninit::<libc::pthread_t>::uninit();
    // SAFETY: the attributes are initialized first and destroyed last; `body` gets the argument
    // that it expects (`# Safety`).
    unsafe {
        libc::pthread_attr_init(attributes.as_mut_ptr());
        libc::pthread_attr_setdetachstate(attributes.as_mut_ptr(), libc::PTHREAD_CREATE_DETACHED);
        let stack_bytes = if stack_bytes == 0 { default_stack_bytes() } else { stack_bytes };
        if stack_bytes != 0 {
            // The system refuses a size below its minimum, and the default stays.
            libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack_bytes);
        }
        let error = libc::pthread_create(handle.as_mut_ptr(), attributes.as_ptr(), body, argument);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if error == 0 { Ok(handle.assume_init()) } else { Err(error) }
    }
}
