//! What a thread waits for in a system call: by the functions that made the call, and by the call's
//! number on x86-64, the only architecture on which the collector takes call paths.

use oxomp_trace::calls::Blocked;

use crate::summary::Cause;

/// The cause of a wait in `call`, made by these functions of libraries.
pub(super) fn cause(call: u64, functions: &[String]) -> Cause {
    let by = |part: &str| functions.iter().any(|function| function.contains(part));
    match call {
        Blocked::NO_CALL => Cause::Page,
        202 | 449 | 455 if by("mutex") => Cause::Mutex,
        202 | 449 | 455 if by("rwlock") || by("shared_lock") => Cause::ReadWriteLock,
        202 | 449 | 455 if by("pthread_cond") || by("condition_variable") => Cause::Condition,
        202 | 449 | 455 if by("sem_") || by("semaphore") => Cause::Semaphore,
        202 | 449 | 455 if by("join") => Cause::Join,
        202 | 449 | 455 if by("barrier_wait") => Cause::Barrier,
        202 | 449 | 455 => Cause::Futex,
        35 | 230 => Cause::Sleep,
        0 | 17 | 19 | 45 | 47 | 295 | 299 | 327 => Cause::Read,
        1 | 18 | 20 | 40 | 44 | 46 | 296 | 307 | 328 => Cause::Write,
        26 | 74 | 75 | 162 | 277 | 306 => Cause::Disk,
        7 | 23 | 232 | 270 | 271 | 281 | 441 => Cause::Poll,
        42 | 43 | 288 => Cause::Connection,
        61 | 247 => Cause::Child,
        72 | 73 => Cause::FileLock,
        34 | 128 | 130 => Cause::Signal,
        2 | 4 | 5 | 6 | 257 | 262 | 332 | 437 => Cause::File,
        16 => Cause::Device,
        9 | 10 | 11 | 12 | 25 | 28 => Cause::AddressSpace,
        other => Cause::Call(other),
    }
}

/// The name of the call, for a wait that no function of a library made.
pub(super) fn call_name(call: u64, cause: Cause) -> String {
    match (call, cause) {
        (Blocked::NO_CALL, _) => "page fault".to_owned(),
        (202, _) => "futex".to_owned(),
        _ => format!("system call {call}"),
    }
}

#[cfg(test)]
mod tests {
    use super::cause;
    use crate::summary::Cause;

    #[test]
    fn a_futex_is_named_by_what_uses_it() {
        let by = |names: &[&str]| {
            cause(202, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(by(&["after pthread_kill", "pthread_mutex_lock"]), Cause::Mutex);
        assert_eq!(by(&["pthread_cond_wait"]), Cause::Condition);
        assert_eq!(by(&["std::condition_variable::wait"]), Cause::Condition);
        assert_eq!(by(&["sem_wait"]), Cause::Semaphore);
        assert_eq!(by(&["pthread_join"]), Cause::Join);
        assert_eq!(by(&["syscall"]), Cause::Futex);
        assert_eq!(cause(230, &[]), Cause::Sleep);
        assert_eq!(cause(9999, &[]), Cause::Call(9999));
    }
}
