//! What the system counts for a thread: its processor time; and for the calling thread also how
//! long it was ready without a processor, and how often it gave its processor away.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use crate::{clock, descriptor};

/// The file of a thread's processor time and waits for a processor, which stays open: opening it
/// takes seven times as long as reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statistics {
    Unopened,
    Open(c_int),
    /// The system does not have them, or the program closes its descriptor again and again.
    Unavailable,
}

/// How often the program may close the descriptor.
const MOST_TIMES: u32 = 3;
/// By how much the two accounts of a thread's processor time may differ, ns: the thread computes
/// between the two questions.
const SLACK_NS: u64 = 2_000_000;

/// The processor time of the calling thread, ns.
#[inline]
pub(crate) fn processor_time() -> u64 {
    clock::read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// The processor time of the thread `tid` of this process, ns; 0 if it has ended.
pub(crate) fn processor_time_of(tid: u32) -> u64 {
    clock::read(clock_of(tid.cast_signed()))
}

/// The clock of the processor time of the thread `tid` of this process.
pub(crate) fn clock_of(tid: libc::pid_t) -> libc::clockid_t {
    /// The clock is a thread's, and counts what the scheduler gave it.
    const OF_A_THREAD: libc::clockid_t = 4 | 2;
    !tid << 3 | OF_A_THREAD
}

/// How often the calling thread has lost its processor, and how often it has given it away.
pub(crate) fn switches() -> (u64, u64) {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` has room for the answer, and zeros are a valid answer if the call gives none.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
        usage.assume_init()
    };
    (usage.ru_nivcsw.unsigned_abs(), usage.ru_nvcsw.unsigned_abs())
}

impl Statistics {
    /// For how long the calling thread has been ready without a processor, ns; its processor time
    /// is `used`. `None` if the system does not tell.
    ///
    /// The program may close the descriptor, and open a file of its own under its number: such a
    /// file does not have the thread's processor time.
    pub(crate) fn run_delay(&mut self, used: u64) -> Option<u64> {
        // SAFETY: errno is this thread's, and the program's, which a callback must not change.
        let errno = unsafe { *libc::__errno_location() };
        let delay = self.ask_for_delay(used);
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = errno };
        delay
    }

    fn ask_for_delay(&mut self, mut used: u64) -> Option<u64> {
        for _ in 0..MOST_TIMES {
            match *self {
                Self::Unavailable => return None,
                Self::Unopened => {
                    let file = descriptor::open(c"/proc/thread-self/schedstat");
                    *self = file.map_or(Self::Unavailable, Self::Open);
                }
                Self::Open(descriptor) => {
                    if let Some(delay) = read(descriptor, used) {
                        return Some(delay);
                    }
                    *self = Self::Unopened;
                    // An interrupt may have counted as the thread's own time meanwhile.
                    used = processor_time();
                }
            }
        }
        *self = Self::Unavailable;
        None
    }

    /// Closes the file, unless another one has its descriptor. The processor time of the file's
    /// thread is `used`.
    pub(crate) fn close(&mut self, used: u64) {
        if let Self::Open(descriptor) = *self
            && read(descriptor, used).is_some()
        {
            // SAFETY: our own descriptor.
            unsafe { libc::close(descriptor) };
        }
        *self = Self::Unopened;
    }
}

/// The second number of the file, if the first one is about `used`.
fn read(descriptor: c_int, used: u64) -> Option<u64> {
    let mut text = [0_u8; 64];
    // SAFETY: the kernel writes to `text` only.
    let length = unsafe { libc::pread(descriptor, text.as_mut_ptr().cast(), text.len(), 0) };
    let text = text.get(..usize::try_from(length).ok()?)?;
    let mut numbers = text.split(|&byte| byte == b' ').map(number);
    let (told, delay) = (numbers.next()??, numbers.next()??);
    (told > 0 && told.abs_diff(used) < SLACK_NS).then_some(delay)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::IntoRawFd;

    use super::{Statistics, processor_time};

    fn burn() {
        let begin = processor_time();
        while processor_time() < begin + 1_000_000 {}
    }

    #[test]
    fn a_thread_learns_for_how_long_it_had_no_processor() {
        burn();
        let mut statistics = Statistics::Unopened;
        let first = statistics.run_delay(processor_time()).expect("the system tells");
        let second = statistics.run_delay(processor_time()).expect("the system tells");
        assert!(second >= first);
        assert!(matches!(statistics, Statistics::Open(200..)));
        statistics.close(processor_time());
        assert_eq!(statistics, Statistics::Unopened);
    }

    #[test]
    fn another_file_under_the_descriptor_is_not_believed() {
        burn();
        let other = File::open("/proc/self/stat").unwrap().into_raw_fd();
        let mut statistics = Statistics::Open(other);
        assert!(statistics.run_delay(processor_time()).is_some());
        assert_ne!(statistics, Statistics::Open(other));
        statistics.close(processor_time());
        let mut statistics = Statistics::Open(other);
        statistics.close(processor_time());
        // SAFETY: a question about a descriptor.
        assert!(unsafe { libc::fcntl(other, libc::F_GETFD) } >= 0, "it is not ours to close");
        // SAFETY: the test's own descriptor.
        unsafe { libc::close(other) };
    }
}
