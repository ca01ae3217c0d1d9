//! What the operating system tells of a process: its threads, where they stand, and their calls.

use oxomp_inspect::{Image, NativeThread};
use oxomp_symbols as symbols;

use crate::situation::{Place, Stands};

/// A frame of a call path that shows a function of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UserFrame {
    /// The stack pointer before the call of the function.
    pub(super) address: Option<u64>,
    /// The functions, the innermost inlined one first.
    pub(super) places: Vec<Place>,
    /// The function of the runtime that it calls, if it does.
    pub(super) calls: Option<String>,
    /// The function of the system's libraries that it calls, if it does.
    pub(super) calls_system: Option<String>,
}

/// The libraries whose frames are no places of the user's.
const SYSTEM: [&str; 5] = ["libc.so", "libc-", "ld-linux", "libpthread", "[vdso]"];

/// The name of code that a compiler outlined without a name of the user's.
const NAMELESS: &str = "outlined region";

/// The calls of the thread in functions of the user's, the innermost first.
pub(super) fn user_frames(image: &Image, runtime: Option<usize>, lwp: i32) -> Vec<UserFrame> {
    let mut found = Vec::new();
    let mut called: Option<String> = None;
    let mut system: Option<String> = None;
    for frame in image.call_path(lwp).frames {
        let name = frame.places.last().and_then(|place| place.function.clone());
        if frame.module.is_some() && frame.module == runtime {
            called = name;
            system = None;
            continue;
        }
        let module = frame.module.map(|index| image.modules()[index].name());
        let is_system = module.is_some_and(|name| SYSTEM.iter().any(|it| name.starts_with(it)));
        if is_system {
            system = name.as_deref().map(public_name);
            continue;
        }
        if frame.signal || name.as_deref() == Some("_start") {
            continue;
        }
        found.push(UserFrame {
            address: frame.frame_address,
            places: places(&frame.places),
            calls: called.take().filter(|name| is_entry(name)),
            calls_system: system.take(),
        });
    }
    found
}

/// The places of one frame without those that only the compiler knows: the twin of an outlined
/// function, and functions without a name in which another one is inlined.
fn places(all: &[symbols::Place]) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    for place in all.iter().map(place) {
        let is_twin = found
            .last()
            .is_some_and(|inner| inner.function == place.function || place.function.is_none());
        if !is_twin {
            found.push(place);
        }
    }
    found
}

/// Whether a function of the runtime is one that programs call.
fn is_entry(name: &str) -> bool {
    ["omp_", "GOMP_", "__kmpc_", "kmp_", "ompc_"].iter().any(|start| name.starts_with(start))
}

/// The name by which programs call a function of the C library: `read` for `__libc_read`.
fn public_name(name: &str) -> String {
    let name = name.trim_start_matches('_');
    name.strip_prefix("GI_").or(name.strip_prefix("libc_")).unwrap_or(name).to_owned()
}

/// The place of a function by the address of its code: that of the function itself, not that of
/// code inlined at its beginning.
pub(super) fn function(image: &Image, address: u64) -> Option<Place> {
    image.places(address, false).last().map(place)
}

/// A place in our words. A function without a name of the user's says nothing beside its line.
pub(super) fn place(place: &symbols::Place) -> Place {
    let is_nameless = place.function.as_deref() == Some(NAMELESS) && place.line.is_some();
    Place {
        function: place.function_or_nearest().filter(|_| !is_nameless),
        line: place.line.clone(),
        module: place.module.clone(),
        offset: place.offset,
    }
}

/// Whether the thread sleeps in the kernel, and nothing had woken it when it was stopped.
///
/// The kernel notes in the register of the result that the stop has interrupted the call, which is
/// to be restarted. A thread that another one has woken before has the result of the call there.
pub(super) fn is_asleep(thread: &NativeThread) -> bool {
    /// ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND and ERESTART_RESTARTBLOCK.
    const RESTARTED: [i64; 4] = [-512, -513, -514, -516];
    let result = thread.registers.map(|registers| registers.by_dwarf[0].cast_signed());
    thread.system_call.is_some() && result.is_some_and(|result| RESTARTED.contains(&result))
}

/// Whether the thread with this index is in the system call that another thread's wake ends.
pub(super) fn is_in_futex(image: &Image, index: usize) -> bool {
    const FUTEX: u64 = 202;
    image.threads().get(index).is_some_and(|thread| thread.system_call == Some(FUTEX))
}

/// Where the kernel has the thread. The function that the program called tells more than the
/// system call that this makes.
pub(super) fn stands(thread: &NativeThread, frames: &[UserFrame]) -> Stands {
    let called = frames.first().and_then(|frame| frame.calls_system.clone());
    match (thread.signal, thread.system_call) {
        (Some(signal), _) => Stands::Signal(signal.name()),
        (None, Some(number)) => Stands::SystemCall(called.unwrap_or_else(|| system_call(number))),
        (None, None) => Stands::Code,
    }
}

/// The name of a system call of x86_64 in which threads may stay long, else its number.
fn system_call(number: u64) -> String {
    let name = match number {
        0 => "read",
        1 => "write",
        7 => "poll",
        17 => "pread64",
        18 => "pwrite64",
        19 => "readv",
        20 => "writev",
        23 => "select",
        34 => "pause",
        35 => "nanosleep",
        42 => "connect",
        43 => "accept",
        44 => "sendto",
        45 => "recvfrom",
        46 => "sendmsg",
        47 => "recvmsg",
        61 => "wait4",
        72 => "fcntl",
        73 => "flock",
        74 => "fsync",
        75 => "fdatasync",
        128 => "rt_sigtimedwait",
        202 => "futex",
        219 => "restart_syscall",
        230 => "clock_nanosleep",
        232 => "epoll_wait",
        247 => "waitid",
        257 => "openat",
        270 => "pselect6",
        271 => "ppoll",
        281 => "epoll_pwait",
        288 => "accept4",
        _ => return format!("system call {number}"),
    };
    name.to_owned()
}
