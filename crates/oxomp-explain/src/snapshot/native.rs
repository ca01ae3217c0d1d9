//! What the operating system tells of a process: its threads, where they stand, and their calls.

use oxomp_arch::read::{Machine, SystemCall};
use oxomp_inspect::{Image, NativeThread};
use oxomp_symbols as symbols;

use super::variables::Names;
use crate::situation::{Place, Stands};

/// A frame of a call path that shows a function of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UserFrame {
    /// Where the function stands: the address to which its call returns, except in the innermost
    /// frame.
    pub(super) pc: u64,
    /// The stack pointer before the call of the function.
    pub(super) address: Option<u64>,
    /// The functions, the innermost inlined one first.
    pub(super) places: Vec<Place>,
    /// The function of the runtime that it calls, if it does.
    pub(super) calls: Option<String>,
    /// The function of the system's libraries that it calls, if it does.
    pub(super) calls_system: Option<String>,
}

/// The libraries whose frames are not places in the user's code.
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
        if is_of_system(image, frame.pc) {
            system = name.as_deref().map(public_name);
            continue;
        }
        if frame.signal || name.as_deref() == Some("_start") {
            continue;
        }
        found.push(UserFrame {
            pc: frame.pc,
            address: frame.frame_address,
            places: places(&frame.places),
            calls: called.take().filter(|name| is_entry(name)),
            calls_system: system.take().map(|outermost| {
                let callee = image.callee(frame.pc).filter(|at| is_of_system(image, *at));
                let called = callee.and_then(|at| image.place(at).function);
                called.map_or(outermost, |name| public_name(&name))
            }),
        });
    }
    if found.first().is_some_and(|frame| frame.calls_system.is_some()) {
        leave_headers(&mut found);
    }
    found
}

/// Leaves out the innermost functions that are those of the language's library, as
/// `std::mutex::lock`, if the user's code called them: its line is what the user looks for.
fn leave_headers(frames: &mut Vec<UserFrame>) {
    let is_of_library = |place: &Place| {
        let file = place.line.as_ref().map_or("", |(file, _)| file);
        let module = place.module.as_deref().unwrap_or_default();
        let is_header = file.contains("/include/c++/") || file.starts_with("/usr/include/");
        is_header || module.starts_with("libstdc++.so") || module.starts_with("libc++.so")
    };
    let is_own = |place: &Place| place.line.is_some() && !is_of_library(place);
    let Some(first) = frames.iter().position(|frame| frame.places.iter().any(is_own)) else {
        return;
    };
    let are_of_library = |frame: &UserFrame| frame.places.iter().all(is_of_library);
    if !frames[..first].iter().all(are_of_library) {
        return;
    }
    let called = frames[0].calls_system.take();
    frames.drain(..first);
    let own = frames[0].places.iter().position(is_own).unwrap_or(0);
    if frames[0].places[..own].iter().all(is_of_library) {
        frames[0].places.drain(..own);
    }
    frames[0].calls_system = called;
}

/// Whether the code at `address` is that of the system's libraries.
fn is_of_system(image: &Image, address: u64) -> bool {
    let module = image.module_of(address).map(|index| image.modules()[index].name());
    module.is_some_and(|name| SYSTEM.iter().any(|it| name.starts_with(it)))
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
pub(super) fn public_name(name: &str) -> String {
    let (name, _version) = name.split_once('@').unwrap_or((name, ""));
    let mut name = name.trim_start_matches('_');
    while let Some(rest) = INTERNAL.iter().find_map(|start| name.strip_prefix(start)) {
        name = rest.trim_start_matches('_');
    }
    name.to_owned()
}

/// The beginnings of names that glibc gives its own functions.
const INTERNAL: [&str; 3] = ["GI_", "libc_", "new_"];

/// The place of a function by the address of its code: that of the function itself, not that of
/// code inlined at its beginning.
pub(super) fn function(image: &Image, address: u64) -> Option<Place> {
    image.function(address).as_ref().map(place)
}

/// The place of the construct whose call of the runtime returns to `address`, by the function into
/// which the compiler has outlined it, where that has a line.
pub(super) fn construct(image: &Image, address: u64) -> Option<Place> {
    let outlined = image.outlined_at(address)?;
    function(image, outlined).filter(|place| place.line.is_some())
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
pub(super) fn is_asleep(thread: &NativeThread) -> bool {
    thread.system_call.is_some() && thread.restarts
}

/// The system call in which the thread stopped, if it has a name here.
fn system_call(thread: &NativeThread) -> Option<SystemCall> {
    Machine::INSPECTED.system_call(thread.system_call?)
}

/// Whether the thread is in the system call that another thread's wake ends.
pub(super) fn waits_for_wake(thread: &NativeThread) -> bool {
    system_call(thread) == Some(SystemCall::Futex)
}

/// Whether the thread with this index is in the system call that another thread's wake ends.
pub(super) fn is_in_futex(image: &Image, index: usize) -> bool {
    image.threads().get(index).is_some_and(waits_for_wake)
}

/// Where the kernel has the thread. The function that the program called tells more than the
/// system call that this makes.
pub(super) fn stands(
    image: &Image,
    thread: &NativeThread,
    frames: &[UserFrame],
    variables: &mut Names,
) -> Stands {
    // A signal that a living process is about to get from outside is not why the thread stands
    // where it does.
    let signal = thread.signal.filter(|signal| !image.is_live() || signal.is_crash());
    if let Some(signal) = signal {
        return Stands::Signal(signal.name());
    }
    let Some(number) = thread.system_call else { return Stands::Code };
    let call = system_call(thread);
    let name = call.map_or_else(|| format!("system call {number}"), |call| call.name().to_owned());
    let called = frames.first().and_then(|frame| frame.calls_system.clone());
    let called = called.filter(|called| called != "syscall");
    let [first, ..] = thread.registers.map(|it| it.system_call_arguments()).unwrap_or_default();
    if call.is_some_and(takes_descriptor) {
        let descriptor = first as i32;
        let call = format!("{name}({descriptor})");
        let of = image.descriptor(descriptor).map(|of| format!(" of {of}")).unwrap_or_default();
        let by = called.filter(|called| *called != name);
        return Stands::SystemCall(match by {
            Some(by) => format!("{by}(), by {call}{of}"),
            None => format!("{call}{of}"),
        });
    }
    let on = match call {
        Some(SystemCall::Futex) => match variables.of(image, first) {
            // The word is a part of the object that the program gave to the function.
            Some(name) => format!(" on {}", name.split('+').next().unwrap_or_default()),
            None => format!(" at {first:#x}"),
        },
        _ => String::new(),
    };
    Stands::SystemCall(format!("{}(){on}", called.unwrap_or(name)))
}

/// Whether the first argument of a system call is a file descriptor.
fn takes_descriptor(call: SystemCall) -> bool {
    use SystemCall as Call;
    matches!(
        call,
        Call::Read
            | Call::Write
            | Call::Pread64
            | Call::Pwrite64
            | Call::Readv
            | Call::Writev
            | Call::Connect
            | Call::Accept
            | Call::Sendto
            | Call::Recvfrom
            | Call::Sendmsg
            | Call::Recvmsg
            | Call::Fcntl
            | Call::Flock
            | Call::Fsync
            | Call::Fdatasync
            | Call::EpollWait
            | Call::EpollPwait
            | Call::Accept4
            | Call::Preadv
            | Call::Pwritev
    )
}

#[cfg(test)]
mod tests {
    use super::public_name;

    #[test]
    fn functions_of_the_library_have_the_names_that_programs_use() {
        for (inner, public) in [
            ("__libc_read", "read"),
            ("__GI___libc_read", "read"),
            ("___pthread_mutex_lock", "pthread_mutex_lock"),
            ("pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_lock"),
            ("__new_sem_wait", "sem_wait"),
            ("usleep", "usleep"),
        ] {
            assert_eq!(public_name(inner), public);
        }
    }
}
