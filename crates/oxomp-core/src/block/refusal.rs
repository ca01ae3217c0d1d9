//! The reason why a team gets no further worker.

use core::fmt;

/// The reason why a team gets no further worker.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The process has as many threads as KMP_DEVICE_THREAD_LIMIT (or KMP_ALL_THREADS) allows.
    Limit(u32),
    /// The system creates no native thread: the error number of pthread_create(3).
    System(i32),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refusal::Limit(limit) => write!(
                f,
                "the process has all {limit} threads that KMP_DEVICE_THREAD_LIMIT (or \
                 KMP_ALL_THREADS) allows"
            ),
            Refusal::System(error) => write!(
                f,
                "cannot create a thread: {} (check OMP_NUM_THREADS, OMP_STACKSIZE and the limits of \
                 ulimit -u, -v)",
                std::io::Error::from_raw_os_error(error)
            ),
        }
    }
}
