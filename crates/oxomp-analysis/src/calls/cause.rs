//! What a thread waits for in a system call: by the functions that made the call, and by the call.

use oxomp_arch::read::{Machine, SystemCall};
use oxomp_trace::calls::Blocked;

use crate::summary::Cause;

/// The cause of a wait in the system call that has the number `call` on `machine`, made by these
/// functions of libraries. Without a machine no number is known.
pub(super) fn cause(machine: Option<Machine>, call: u64, functions: &[String]) -> Cause {
    use SystemCall as Call;
    if call == Blocked::NO_CALL {
        return Cause::Page;
    }
    let known = machine.and_then(|machine| machine.system_call(call));
    let Some(known) = known else { return Cause::Call(call) };
    match known {
        Call::Futex | Call::FutexWaitv | Call::FutexWait => cause_of_futex(functions),
        Call::Nanosleep | Call::ClockNanosleep => Cause::Sleep,
        Call::Read
        | Call::Pread64
        | Call::Readv
        | Call::Recvfrom
        | Call::Recvmsg
        | Call::Preadv
        | Call::Recvmmsg
        | Call::Preadv2 => Cause::Read,
        Call::Write
        | Call::Pwrite64
        | Call::Writev
        | Call::Sendfile
        | Call::Sendto
        | Call::Sendmsg
        | Call::Pwritev
        | Call::Sendmmsg
        | Call::Pwritev2 => Cause::Write,
        Call::Msync
        | Call::Fsync
        | Call::Fdatasync
        | Call::Sync
        | Call::SyncFileRange
        | Call::Syncfs => Cause::Disk,
        Call::Poll
        | Call::Select
        | Call::EpollWait
        | Call::Pselect6
        | Call::Ppoll
        | Call::EpollPwait
        | Call::EpollPwait2 => Cause::Poll,
        Call::Connect | Call::Accept | Call::Accept4 => Cause::Connection,
        Call::Wait4 | Call::Waitid => Cause::Child,
        Call::Fcntl | Call::Flock => Cause::FileLock,
        Call::Pause | Call::RtSigtimedwait | Call::RtSigsuspend => Cause::Signal,
        Call::Open
        | Call::Stat
        | Call::Fstat
        | Call::Lstat
        | Call::Openat
        | Call::Newfstatat
        | Call::Statx
        | Call::Openat2 => Cause::File,
        Call::Ioctl => Cause::Device,
        Call::Mmap | Call::Mprotect | Call::Munmap | Call::Brk | Call::Mremap | Call::Madvise => {
            Cause::AddressSpace
        }
        Call::RestartSyscall => Cause::Call(call),
    }
}

/// The cause of a wait on a futex: by what uses it.
fn cause_of_futex(functions: &[String]) -> Cause {
    let by = |part: &str| functions.iter().any(|function| function.contains(part));
    if by("mutex") {
        Cause::Mutex
    } else if by("rwlock") || by("shared_lock") {
        Cause::ReadWriteLock
    } else if by("pthread_cond") || by("condition_variable") {
        Cause::Condition
    } else if by("sem_") || by("semaphore") {
        Cause::Semaphore
    } else if by("join") {
        Cause::Join
    } else if by("barrier_wait") {
        Cause::Barrier
    } else {
        Cause::Futex
    }
}

/// The name of the call, for a wait that no function of a library made.
pub(super) fn call_name(machine: Option<Machine>, call: u64, cause: Cause) -> String {
    match (machine.and_then(|machine| machine.system_call(call)), cause) {
        (_, Cause::Page) => "page fault".to_owned(),
        (Some(SystemCall::Futex), _) => "futex".to_owned(),
        _ => format!("system call {call}"),
    }
}

#[cfg(test)]
mod tests {
    use oxomp_arch::read::Machine;

    use super::{call_name, cause};
    use crate::summary::Cause;

    const MACHINE: Option<Machine> = Some(Machine::OF_UNNAMED_RECORDINGS);

    #[test]
    fn a_futex_is_named_by_what_uses_it() {
        let by = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            cause(MACHINE, 202, &names)
        };
        assert_eq!(by(&["after pthread_kill", "pthread_mutex_lock"]), Cause::Mutex);
        assert_eq!(by(&["pthread_cond_wait"]), Cause::Condition);
        assert_eq!(by(&["std::condition_variable::wait"]), Cause::Condition);
        assert_eq!(by(&["sem_wait"]), Cause::Semaphore);
        assert_eq!(by(&["pthread_join"]), Cause::Join);
        assert_eq!(by(&["syscall"]), Cause::Futex);
        assert_eq!(cause(MACHINE, 230, &[]), Cause::Sleep);
        assert_eq!(cause(MACHINE, 9999, &[]), Cause::Call(9999));
    }

    #[test]
    fn a_number_means_what_it_means_on_its_machine() {
        let others = Machine::ALL.into_iter().filter(|machine| Some(*machine) != MACHINE);
        for other in others {
            assert_ne!(cause(Some(other), 202, &[]), Cause::Futex, "{other:?}");
        }
        assert_eq!(cause(None, 202, &[]), Cause::Call(202));
        assert_eq!(call_name(None, 202, Cause::Call(202)), "system call 202");
    }
}
