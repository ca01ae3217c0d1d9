//! What a thread waits for in the C library: a mutex or a reader-writer lock of POSIX, or the end
//! of another thread.
//!
//! The kernel has the proof that the thread sleeps: a futex(2) without a time limit, whose word
//! still has the value that the call expects. Whose turn it is stands in the object of which that
//! word is a part. The parts are those of glibc, which are the same in all of its versions since
//! programs contain initialized objects; other libraries keep other things at these addresses, so
//! nothing is read unless the code that waits is glibc's, and the function is known by its name.
//! Only a mutex with priority inheritance is the same in each library: the kernel itself defines
//! its word.

use oxomp_inspect::{Frame, Image, NativeThread};
use oxomp_ompd_layout::Memory;

use super::native::{public_name, waits_for_wake};

/// The flag of a futex that no other process uses.
const PRIVATE: u64 = 128;
/// The bits of the operation.
const OPERATION: u64 = 127;
/// The operations that wait: until a wake, until one for some bits, until the kernel hands over.
const WAIT: u64 = 0;
const WAIT_FOR_BITS: u64 = 9;
const LOCK_INHERITING: [u64; 2] = [6, 13];

/// A word of the kernel's: another thread sleeps on it; its owner has ended; its owner's number.
const WAITERS: u32 = 1 << 31;
const OWNER_DIED: u32 = 1 << 30;
const OWNER: u32 = OWNER_DIED - 1;

/// The parts of glibc's `pthread_mutex_t`.
const MUTEX_OWNER: u64 = 8;
const MUTEX_KIND: u64 = 16;
/// The word of a mutex on which threads sleep.
const CONTENDED: u32 = 2;
/// The bits of a kind that tell how the mutex is taken: without those for hardware transactions
/// and for other processes.
const KIND: u32 = 127;
/// Normal, recursive, error-checking and adaptive mutexes; the same ones that are robust.
const PLAIN_KINDS: std::ops::RangeInclusive<u32> = 0..=3;
const ROBUST_KINDS: std::ops::RangeInclusive<u32> = 16..=19;

/// The parts of glibc's `pthread_rwlock_t`: where readers sleep, where writers sleep, the thread
/// that writes.
const READERS_SLEEP: u64 = 8;
const WRITERS_SLEEP: u64 = 12;
const WRITER: u64 = 24;
/// The word on which threads sleep while a thread writes.
const WRITING: u32 = 3;
/// In the first word: a thread has the right to write, and no thread reads any more.
const WRITE_PHASE: u32 = 3;
/// A function that glibc has since the version in which these parts of `pthread_rwlock_t` began.
const SINCE_NEW_LOCKS: &str = "explicit_bzero";

/// What a thread waits for, and the kernel's number of the thread that has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LibraryWait {
    Mutex { address: u64, holder: Holder },
    ReaderWriterLock { address: u64, holder: Holder },
    End { of: u32 },
}

/// The thread that has a mutex or lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// No thread: the word has changed.
    Nobody,
    /// The thread with this number in its process's own terms.
    Thread {
        number: u32,
        /// Whether it may be one of another process.
        may_be_of_other: bool,
    },
    /// It has not noted itself yet, or the lock is one that several hold.
    Unknown,
}

/// The call of a function of the C library in which a thread stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LibraryCall {
    /// The functions, the innermost first, by the names that programs use.
    names: Vec<String>,
    is_glibc: bool,
}

/// The C library of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct Library {
    /// The indices of glibc's modules.
    glibc: Vec<usize>,
    has_new_locks: bool,
}

impl Library {
    /// The C library of the process.
    pub(super) fn of(image: &Image) -> Self {
        let names = || image.modules().iter().map(|module| module.name());
        // musl loads programs of glibc, with libraries that offer glibc's names.
        let is_other =
            names().any(|name| name.starts_with("ld-musl") || name.starts_with("libc.musl"));
        let versioned = image.definitions("gnu_get_libc_version");
        let is_library = |name: &str, it: &str| {
            name.strip_prefix(it)
                .is_some_and(|rest| rest.starts_with(".so") || rest.starts_with("-2."))
        };
        let is_core = |index: &usize| is_library(image.modules()[*index].name(), "libc");
        let mut glibc: Vec<usize> = versioned.iter().map(|it| it.module).filter(is_core).collect();
        if is_other || glibc.is_empty() {
            return Self::default();
        }
        glibc.extend(
            (0..).zip(names()).filter(|(_, name)| is_library(name, "libpthread")).map(|it| it.0),
        );
        let has_new_locks =
            image.definitions(SINCE_NEW_LOCKS).iter().any(|it| glibc.contains(&it.module));
        Self { glibc, has_new_locks }
    }

    /// The call of the library in which the thread of these frames stands, if it does.
    pub(super) fn call(&self, image: &Image, frames: &[Frame]) -> LibraryCall {
        let inside = |frame: &&Frame| frame.module.is_some_and(|it| self.glibc.contains(&it));
        let count = frames.iter().take_while(inside).count();
        let name = |frame: &Frame| frame.places.last().and_then(|place| place.function.clone());
        let mut names: Vec<String> =
            frames[..count].iter().filter_map(name).map(|name| public_name(&name)).collect();
        // The function that was called may have jumped to another one, which is not exported.
        if let Some(caller) = frames.get(count).filter(|frame| count > 0 && !frame.signal)
            && let Some(callee) = image.callee(caller.pc)
            && image.module_of(callee).is_some_and(|it| self.glibc.contains(&it))
            && let Some(name) = image.place(callee).function
        {
            let name = public_name(&name);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        LibraryCall { names, is_glibc: count > 0 }
    }

    /// What the thread waits for in this call, if that is known.
    pub(super) fn wait(
        &self,
        image: &Image,
        thread: &NativeThread,
        call: &LibraryCall,
    ) -> Option<LibraryWait> {
        let futex = Futex::of(thread)?;
        let memory = Words(image);
        let word = memory.at(futex.address)?;
        if LOCK_INHERITING.contains(&futex.operation) {
            return Some(LibraryWait::Mutex {
                address: futex.address,
                holder: futex.holder_in(word, word & WAITERS != 0),
            });
        }
        let waits = [WAIT, WAIT_FOR_BITS].contains(&futex.operation);
        if !waits || !call.is_glibc {
            return None;
        }
        // pthread_cond_wait takes its mutex again by a function that has a name in some builds.
        if call.has("pthread_mutex_lock") || call.has("pthread_mutex_cond_lock") {
            return futex.mutex(&memory, word);
        }
        if call.has("pthread_rwlock_rdlock") {
            return self.lock(&futex, &memory, futex.address.checked_sub(READERS_SLEEP)?, word);
        }
        if call.has("pthread_rwlock_wrlock") {
            return self.lock(&futex, &memory, futex.address.checked_sub(WRITERS_SLEEP)?, word);
        }
        // The kernel clears the word when the thread ends; locks of the library itself are private.
        let is_end = call.has("pthread_join") && !futex.is_private && word == futex.expected;
        (is_end && word != 0).then_some(LibraryWait::End { of: word })
    }

    /// The wait for the reader-writer lock at `address`, if that is one.
    fn lock(
        &self,
        futex: &Futex,
        memory: &Words<'_>,
        address: u64,
        word: u32,
    ) -> Option<LibraryWait> {
        // Readers and writers that sleep with another value wait for readers.
        if !self.has_new_locks || futex.expected != WRITING {
            return None;
        }
        let phase = memory.at(address)?;
        let writer = memory.at(address.checked_add(WRITER)?)?;
        let is_written = phase & WRITE_PHASE == WRITE_PHASE && word == WRITING;
        let holder = match (is_written, writer) {
            (false, _) => Holder::Nobody,
            (true, 0) => Holder::Unknown,
            (true, number) => Holder::Thread { number, may_be_of_other: !futex.is_private },
        };
        Some(LibraryWait::ReaderWriterLock { address, holder })
    }
}

impl LibraryCall {
    /// Whether one of the functions is this one.
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|it| it == name)
    }
}

/// A wait of a thread in futex(2) that nothing but a wake ends.
struct Futex {
    address: u64,
    operation: u64,
    is_private: bool,
    expected: u32,
}

impl Futex {
    fn of(thread: &NativeThread) -> Option<Self> {
        let [address, operation, expected, limit, ..] =
            thread.registers.filter(|_| waits_for_wake(thread))?.system_call_arguments();
        let operation_alone = operation & OPERATION;
        (limit == 0).then_some(Self {
            address,
            operation: operation_alone,
            is_private: operation & PRIVATE != 0,
            expected: expected as u32,
        })
    }

    /// The holder by a word that has its number.
    fn holder_in(&self, word: u32, is_awaited: bool) -> Holder {
        match word & OWNER {
            _ if word & OWNER_DIED != 0 => Holder::Unknown,
            0 => Holder::Nobody,
            _ if !is_awaited => Holder::Unknown,
            number => Holder::Thread { number, may_be_of_other: !self.is_private },
        }
    }

    /// The wait for glibc's mutex whose first part is the word.
    fn mutex(&self, memory: &Words<'_>, word: u32) -> Option<LibraryWait> {
        let owner = memory.at(self.address.checked_add(MUTEX_OWNER)?)?;
        let kind = memory.at(self.address.checked_add(MUTEX_KIND)?)? & KIND;
        let holder = if PLAIN_KINDS.contains(&kind) && self.expected == CONTENDED {
            match (word, owner) {
                (0, _) => Holder::Nobody,
                (CONTENDED, 1..) => {
                    Holder::Thread { number: owner, may_be_of_other: !self.is_private }
                }
                // The thread that has taken it notes itself after that.
                _ => Holder::Unknown,
            }
        } else if ROBUST_KINDS.contains(&kind) && self.expected & WAITERS != 0 {
            // The kernel wakes a thread when the owner has ended.
            self.holder_in(word, word == self.expected)
        } else {
            return None;
        };
        Some(LibraryWait::Mutex { address: self.address, holder })
    }
}

/// Words of four bytes of the process's memory.
struct Words<'a>(&'a Image);

impl Words<'_> {
    fn at(&self, address: u64) -> Option<u32> {
        let mut buffer = [0; 4];
        self.0.memory().read(address, &mut buffer).then(|| u32::from_le_bytes(buffer))
    }
}
