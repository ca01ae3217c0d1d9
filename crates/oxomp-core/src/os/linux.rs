//! Linux system calls and pthreads, one fact a function.

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr;

use oxomp_protocol::kernel::monotonic_ns;

/// Nanoseconds of processor time that the process's thread with the kernel's id `lwp` has used; none
/// if there is no such thread.
pub(crate) fn processor_ns(lwp: i32) -> Option<u64> {
    // The kernel's `MAKE_THREAD_CPUCLOCK(lwp, CPUCLOCK_SCHED)`: any thread of one's own process.
    let id = (!lwp << 3) | 6;
    let mut used = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `used` is a valid timespec; the kernel refuses the id of a thread that is gone.
    let result = unsafe { libc::clock_gettime(id, &mut used) };
    (result == 0).then(|| used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64)
}

/// Seconds of the monotonic clock: `omp_get_wtime`.
pub fn wall_time() -> f64 {
    monotonic_ns().cast_signed() as f64 * 1e-9
}

/// Room for the affinity mask of any kernel: it may know more processors than a cpu_set_t holds.
pub type AffinityMask = [u64; 1024];

/// The processors that the calling thread may run on, bit n % 64 of word n / 64 for processor n: the
/// words of `mask` that the kernel has written, none if it does not say.
pub fn affinity(mask: &mut AffinityMask) -> &[u64] {
    // SAFETY: the buffer is as long as is said.
    let bytes = unsafe {
        libc::syscall(libc::SYS_sched_getaffinity, 0, size_of_val(mask), mask.as_mut_ptr())
    };
    &mask[..usize::try_from(bytes).unwrap_or(0) / size_of::<u64>()]
}

/// Lets the calling thread run on these processors only. The error number if the kernel refuses.
pub fn set_affinity(mask: &[u64]) -> Result<(), i32> {
    // SAFETY: the kernel reads as much as is said; 0 is the calling thread.
    let answer =
        unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, size_of_val(mask), mask.as_ptr()) };
    if answer == 0 { Ok(()) } else { Err(error_number()) }
}

fn error_number() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// How many processors the system can have; their numbers are below this.
pub fn configured_processors() -> u32 {
    // SAFETY: no memory.
    let number = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) };
    u32::try_from(number).unwrap_or(0).max(1)
}

/// How many processors the calling thread may run on, at least 1.
pub(crate) fn available_processors() -> u32 {
    let mut mask = [0; 1024];
    affinity(&mut mask).iter().map(|word| word.count_ones()).sum::<u32>().max(1)
}

/// The processor on which the caller runs now, negative if the kernel does not say.
pub fn current_processor() -> i32 {
    // SAFETY: no arguments, no memory.
    unsafe { libc::sched_getcpu() }
}

/// Bytes of stack of a thread where the stack of the process has no limit: as in libomp. The C library
/// gives 2 MiB, less than to those who have a limit, and Fortran programs need more than they say.
const STACK_WITHOUT_LIMIT: usize = 64 << 20;

/// Bytes of stack that a thread of ours gets by default; 0 if the system does not say.
pub fn default_stack_bytes() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes the limit.
    let error = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) };
    if error == 0 && limit.rlim_cur == libc::RLIM_INFINITY {
        return STACK_WITHOUT_LIMIT;
    }
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut bytes = 0;
    // SAFETY: the attributes are initialised first and destroyed last.
    unsafe {
        if libc::pthread_attr_init(attributes.as_mut_ptr()) == 0 {
            libc::pthread_attr_getstacksize(attributes.as_ptr(), &mut bytes);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
    }
    bytes
}

/// The addresses of the calling thread's stack; none if the system does not say.
pub(crate) fn own_stack() -> Option<Range<usize>> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut bytes) = (ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised first and destroyed last.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let error = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut bytes);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (error == 0).then(|| lowest.addr()..lowest.addr() + bytes)
    }
}

/// Copies memory of our own from `address` to `words`: false if it cannot be read. The kernel reads it,
/// so that a wrong address is no more than an error.
pub(crate) fn read_own_memory(address: usize, words: &mut [usize]) -> bool {
    let size = size_of_val(words);
    let to = libc::iovec { iov_base: words.as_mut_ptr().cast(), iov_len: size };
    let from = libc::iovec { iov_base: ptr::with_exposed_provenance_mut(address), iov_len: size };
    // SAFETY: the kernel writes to `words`, and checks what it reads from.
    let bytes =
        unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0) };
    bytes.cast_unsigned() == size
}

/// Writes a line to C's standard output, whose buffer it goes through, as what the program prints does.
pub(crate) fn print_line(line: &CStr) {
    // SAFETY: a C string.
    unsafe { libc::puts(line.as_ptr()) };
}

/// The name of this machine; empty if the kernel does not say.
pub(crate) fn host_name() -> Vec<u8> {
    let mut name = [0_u8; 256];
    // SAFETY: the buffer is as long as is said; a name that fills it stays without its end.
    let answer = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len()) };
    let length = if answer == 0 { name.iter().position(|&byte| byte == 0) } else { Some(0) };
    name[..length.unwrap_or(name.len())].to_vec()
}

/// The process id, as the kernel knows it.
pub fn process_id() -> i32 {
    // SAFETY: no arguments, no memory.
    unsafe { libc::getpid() }
}

/// The native thread's id, as the kernel knows it.
pub fn thread_id() -> i32 {
    // SAFETY: no arguments, no memory.
    unsafe { libc::gettid() }
}

/// The native thread's `pthread_t`, as a number.
pub(crate) fn native_thread() -> u64 {
    // SAFETY: no arguments, no memory.
    unsafe { libc::pthread_self() as u64 }
}

/// Lets `fence_of_all_threads` be used later.
pub(crate) fn prepare_fence_of_all_threads() {
    membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

/// Every thread of the process has executed a full fence when this returns. Where the kernel refuses
/// (a sandbox), it waits longer than any processor keeps a store back.
pub(crate) fn fence_of_all_threads() {
    if !membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) {
        core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
        std::thread::sleep(core::time::Duration::from_millis(1));
    }
}

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: these commands take no memory.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Starts a detached thread that runs `body(argument)` on a stack of `stack_bytes` (0: the
/// default). The error number of pthread_create(3) if there is none to be had.
///
/// # Safety
/// `argument` is what `body` expects, and lives as long as it needs it.
pub(crate) unsafe fn spawn(
    body: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    stack_bytes: usize,
) -> Result<libc::pthread_t, i32> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut handle = MaybeUninit::<libc::pthread_t>::uninit();
    // SAFETY: the attributes are initialised first and destroyed last; `body` gets its argument by
    // contract.
    unsafe {
        libc::pthread_attr_init(attributes.as_mut_ptr());
        libc::pthread_attr_setdetachstate(attributes.as_mut_ptr(), libc::PTHREAD_CREATE_DETACHED);
        let stack_bytes = if stack_bytes == 0 { default_stack_bytes() } else { stack_bytes };
        if stack_bytes != 0 {
            // A size below the system's minimum is refused and leaves the default.
            libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack_bytes);
        }
        let error = libc::pthread_create(handle.as_mut_ptr(), attributes.as_ptr(), body, argument);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if error == 0 { Ok(handle.assume_init()) } else { Err(error) }
    }
}
