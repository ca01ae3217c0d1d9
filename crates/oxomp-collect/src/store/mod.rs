//! The file that threads write into: a shared mapping, handed out in chunks.
//!
//! The kernel keeps what was stored into a shared mapping even if the process is killed. A store to
//! a page for which the disk has no room would kill the process (SIGBUS), so a chunk's disk space
//! is reserved before the chunk is handed out: by the helper thread ahead of demand, or else by the
//! thread that takes the chunk.
//!
//! Invariants:
//! 1. A chunk is handed out to one taker, which is its only writer, and again only after that one
//!    has released it and the helper has given it back (`ring`).
//! 2. A chunk's memory is written only after its file range was reserved.
//! 3. A chunk is sealed only when its writer has released it (`FULL`), or has ended.

use std::ffi::{CString, c_int};
use std::fmt;
use std::fs::File;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU16, AtomicU32, Ordering};

use oxomp_trace::FileHeader;
use oxomp_trace::layout::{
    CHUNK_HEADER_SIZE, CHUNK_MAGIC, CHUNK_PAYLOAD, CHUNK_SIZE, COMMITTED_OFFSET, CRC_OFFSET,
    ChunkHeader, ChunkKind, HEADER_SIZE, LEAST_FILE_SIZE, STATE_OFFSET, STATE_OPEN, STATE_SEALED,
};

use crate::zeros;

mod ring;

pub(crate) use ring::Recycler;
use ring::Returned;

/// No thread has the chunk yet, or one is about to write its header.
const TAKEN: u8 = 0;
/// The writer writes.
const OPEN: u8 = 1;
/// The writer has released the chunk; the checksum is missing.
const FULL: u8 = 2;
/// The chunk has its checksum.
const SEALED: u8 = 3;
/// The helper has given the chunk back: it is zero.
const FREE: u8 = 4;

/// Chunks that stay free of events, for the facts that are written at the end.
const KEPT_FOR_INFO: u32 = 4;

/// Why there is no further chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exhausted {
    /// OXOMP_MAX_SIZE is reached.
    Limit,
    /// RLIMIT_FSIZE, which is less than OXOMP_MAX_SIZE, is reached.
    FileSize,
    /// The system refused the room: an errno.
    Disk(c_int),
}

impl Exhausted {
    /// The reason as a number that threads can share: an errno, or a number that does not occur as
    /// an errno.
    pub(crate) fn code(self) -> c_int {
        match self {
            Self::Limit => -1,
            Self::FileSize => -2,
            Self::Disk(errno) => errno,
        }
    }

    /// The reason whose number [`code`](Self::code) has returned.
    pub(crate) fn from_code(code: c_int) -> Self {
        match code {
            -1 => Self::Limit,
            -2 => Self::FileSize,
            errno => Self::Disk(errno),
        }
    }
}

/// The message to the user.
impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit => f.write_str("the file has the size that OXOMP_MAX_SIZE allows"),
            Self::FileSize => f.write_str(
                "the file has the size that the system's limit of file sizes allows (ulimit -f)",
            ),
            Self::Disk(libc::EBADF) => {
                f.write_str("the program has closed the file, or has put another in its place")
            }
            Self::Disk(errno) => write!(f, "no room: {}", io::Error::from_raw_os_error(*errno)),
        }
    }
}

/// A chunk taken by its one writer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk {
    index: u32,
    base: NonNull<u8>,
}

// SAFETY: the memory behind a chunk stays for as long as the process, and its one writer may be
// moved between threads.
unsafe impl Send for Chunk {}

/// The file and its mapping.
#[derive(Debug)]
pub(crate) struct Store {
    file: File,
    /// What the descriptor named at first.
    identity: (u64, u64),
    base: NonNull<u8>,
    mapped: usize,
    /// Chunks the mapping has room for.
    capacity: u32,
    /// The reason to report when the capacity is used up.
    full: Exhausted,
    /// The next chunk to hand out; at least the capacity when no chunk is left.
    next: AtomicU32,
    /// Chunks below are reserved on disk.
    reserved: AtomicU32,
    /// Per chunk, one of the states above.
    states: Box<[AtomicU8]>,
    /// Chunks below are sealed; only the sealing thread uses it.
    sealed: AtomicU32,
    /// Those that are handed out again.
    returned: Returned,
    /// The word on which the helper thread sleeps: incremented when there is work for it.
    pub(crate) bell: AtomicI32,
    /// Whether a thread has met code that may lie in a new module.
    modules_due: AtomicBool,
}

// SAFETY: the mapping lives as long as the process and its chunks have one writer each
// (Invariant 1); everything else is atomic or immutable.
unsafe impl Send for Store {}
// SAFETY: as above.
unsafe impl Sync for Store {}

impl Store {
    /// Creates the file at `path`, which must not exist, with room for at most `max_size` bytes.
    pub(crate) fn create(path: &Path, max_size: u64, header: &FileHeader) -> io::Result<Self> {
        let file_size = file_size_limit();
        let full = if file_size < max_size { Exhausted::FileSize } else { Exhausted::Limit };
        let most = max_size.min(file_size);
        // An empty file shows that there was a process to record.
        let file = create_file(path)?;
        // Growing the file beyond the limit would raise a signal.
        if most < LEAST_FILE_SIZE as u64 {
            let why = "the system's limit of file sizes (ulimit -f) leaves no room";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        let chunks = (most - HEADER_SIZE as u64) / CHUNK_SIZE as u64;
        let capacity = chunks.min(u64::from(u32::MAX / 2)) as u32;
        let mapped = HEADER_SIZE + capacity as usize * CHUNK_SIZE;
        // SAFETY: a new mapping of a file of ours; the kernel chooses the place.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_NORESERVE,
                file.as_raw_fd(),
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // A forked child must not write into its parent's records.
        // SAFETY: the range is the mapping just made.
        unsafe { libc::madvise(base, mapped, libc::MADV_DONTFORK) };
        let identity = identity(&file)?;
        let store = Self {
            file,
            identity,
            base: NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?,
            mapped,
            capacity,
            full,
            next: AtomicU32::new(0),
            reserved: AtomicU32::new(0),
            states: (0..capacity).map(|_| AtomicU8::new(TAKEN)).collect(),
            sealed: AtomicU32::new(0),
            returned: Returned::default(),
            bell: AtomicI32::new(0),
            modules_due: AtomicBool::new(false),
        };
        store.reserve_range(0, HEADER_SIZE)?;
        let bytes = header.encode();
        // SAFETY: the header's page is mapped and reserved, and no other thread uses it yet.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), store.base.as_ptr(), bytes.len()) };
        Ok(store)
    }

    /// Takes a chunk for `owner`.
    pub(crate) fn take(
        &self,
        kind: ChunkKind,
        owner: u32,
        sequence: u32,
    ) -> Result<Chunk, Exhausted> {
        let index = match self.take_returned() {
            Some(index) => index,
            None => self.take_new(kind)?,
        };
        self.returned.count(kind, 1);
        let chunk = self.chunk(index);
        let header = ChunkHeader {
            kind: kind as u16,
            state: STATE_OPEN,
            owner,
            sequence,
            committed: 0,
            crc: 0,
        };
        let bytes = header.encode();
        // SAFETY: the chunk is reserved and ours alone (Invariants 1, 2). The magic comes last, so
        // that a header is seen whole or not at all.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr().add(4), chunk.base.as_ptr().add(4), 60);
            chunk.word(0).store(CHUNK_MAGIC, Ordering::Release);
        }
        self.states[index as usize].store(OPEN, Ordering::Release);
        self.ring();
        Ok(chunk)
    }

    /// A chunk that was not handed out before, with room for it on the disk.
    fn take_new(&self, kind: ChunkKind) -> Result<u32, Exhausted> {
        let kept = if kind == ChunkKind::Info { 0 } else { KEPT_FOR_INFO.min(self.capacity / 2) };
        if self.next.load(Ordering::Relaxed) + kept >= self.capacity {
            return Err(self.full);
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        if index >= self.capacity {
            return Err(self.full);
        }
        // Acquire: pairs with the Release in `reserve_ahead`.
        if index >= self.reserved.load(Ordering::Acquire) {
            self.reserve(index)
                .map_err(|error| Exhausted::Disk(error.raw_os_error().unwrap_or(0)))?;
        }
        Ok(index)
    }

    /// The chunk that was handed out with this number.
    pub(crate) fn chunk(&self, index: u32) -> Chunk {
        Chunk { index, base: self.chunk_base(index) }
    }

    /// The writer releases `chunk`.
    pub(crate) fn release(&self, chunk: Chunk) {
        // Release: pairs with the Acquire in `seal`, which reads the chunk.
        self.states[chunk.index as usize].store(FULL, Ordering::Release);
    }

    /// Wakes the helper thread.
    pub(crate) fn ring(&self) {
        self.bell.fetch_add(1, Ordering::Release);
        futex(&self.bell, libc::FUTEX_WAKE, 1, None);
    }

    /// Asks the helper thread to look at the loaded modules.
    #[cold]
    pub(crate) fn look_at_modules(&self) {
        // The bell's Release makes it visible to the helper.
        self.modules_due.store(true, Ordering::Relaxed);
        self.ring();
    }

    /// Whether [`Store::look_at_modules`] was called since the last answer.
    pub(crate) fn are_modules_due(&self) -> bool {
        self.modules_due.load(Ordering::Relaxed) && self.modules_due.swap(false, Ordering::Relaxed)
    }

    /// Sleeps while the bell reads `seen`, for at most `milliseconds`.
    pub(crate) fn listen(&self, seen: i32, milliseconds: u64) {
        futex(&self.bell, libc::FUTEX_WAIT, seen, Some(milliseconds));
    }

    /// Reserves chunks beyond those handed out. Only the helper thread, and before it the starting
    /// one, call it.
    pub(crate) fn reserve_ahead(&self, margin: u32) -> io::Result<()> {
        let wanted = self.next.load(Ordering::Relaxed).saturating_add(margin).min(self.capacity);
        let mut reserved = self.reserved.load(Ordering::Relaxed);
        while reserved < wanted {
            self.reserve(reserved)?;
            // Touching the pages here saves the recording threads the faults; if the kernel does
            // not know the advice, they take them.
            // SAFETY: the range is inside the mapping and reserved.
            unsafe {
                libc::madvise(
                    self.chunk_base(reserved).as_ptr().cast(),
                    CHUNK_SIZE,
                    libc::MADV_POPULATE_WRITE,
                )
            };
            reserved += 1;
            // Release: pairs with the Acquire in `take`.
            self.reserved.store(reserved, Ordering::Release);
        }
        Ok(())
    }

    /// How many chunks there can be.
    pub(crate) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// How many chunks have been handed out so far.
    pub(crate) fn taken(&self) -> u32 {
        self.next.load(Ordering::Relaxed).min(self.capacity)
    }

    /// Seals every chunk that its writer has released. Only one thread at a time may call this.
    pub(crate) fn seal(&self) {
        let mut all = true;
        for index in self.sealed.load(Ordering::Relaxed)..self.taken() {
            // Acquire: pairs with the Release in `release`.
            match self.states[index as usize].load(Ordering::Acquire) {
                FULL => {
                    self.seal_chunk(index);
                    self.states[index as usize].store(SEALED, Ordering::Relaxed);
                }
                SEALED => {}
                _ => all = false,
            }
            if all {
                self.sealed.store(index + 1, Ordering::Relaxed);
            }
        }
    }

    /// The recording has ended in order: gives each chunk that still has a writer its checksum.
    ///
    /// Threads that have not ended may be in the middle of a callback, or of a sample. What they
    /// store from now on goes to memory of the process, which takes the place of the mapping; so
    /// the file does not change under the checksum.
    /// Returns how many chunks were handed out.
    pub(crate) fn close(&self) -> u32 {
        let used = self.taken();
        self.end_returning();
        let open: Vec<u32> = (0..used)
            .filter(|&index| self.states[index as usize].load(Ordering::Acquire) == OPEN)
            .collect();
        // No further chunk is handed out: the file has its length.
        self.next.store(self.capacity, Ordering::Relaxed);
        if open.is_empty() || !self.part_from_file() {
            return used;
        }
        let mut bytes = vec![0; CHUNK_SIZE];
        for index in open {
            // A chunk that cannot be read or written stays open, which readers report.
            let _ = self.seal_in_file(index, &mut bytes);
        }
        used
    }

    /// Gives back what the recording has of the system: the file, and the address space of the
    /// chunks that were not handed out. Those that were stay, as zeros: a handler of a signal may
    /// still write there. After `close`, whose result is `used`.
    pub(crate) fn give_back(&self, used: u32) {
        let kept = HEADER_SIZE + used as usize * CHUNK_SIZE;
        if self.part_from_file() && kept < self.mapped {
            // SAFETY: the range belongs to this store, no chunk in it was handed out, and none will
            // be.
            unsafe { libc::munmap(self.base.as_ptr().add(kept).cast(), self.mapped - kept) };
        }
        if self.own_file().is_ok() {
            // SAFETY: our own descriptor, which still names the file. From now on it names another
            // one or none, which every later use finds out.
            unsafe { libc::close(self.file.as_raw_fd()) };
        }
    }

    /// Replaces the mapping by zeros that belong to the process; false if that fails.
    fn part_from_file(&self) -> bool {
        // The memory is mapped elsewhere and then moved: if it cannot be mapped, the file's mapping
        // stays.
        let Ok(zeros) = zeros::map(self.mapped) else { return false };
        // SAFETY: the new place is the mapping, in which nothing but chunks lies. Threads that read
        // them find zeros, which are entries not in use.
        let moved = unsafe {
            libc::mremap(
                zeros.as_ptr(),
                self.mapped,
                self.mapped,
                libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
                self.base.as_ptr(),
            )
        };
        moved != libc::MAP_FAILED
    }

    /// Seals a chunk in the file, which is not mapped any more.
    fn seal_in_file(&self, index: u32, bytes: &mut [u8]) -> io::Result<()> {
        let file = self.own_file()?;
        let offset = (HEADER_SIZE + index as usize * CHUNK_SIZE) as u64;
        file.read_exact_at(bytes, offset)?;
        let Some(mut header) = ChunkHeader::decode(bytes) else { return Ok(()) };
        let committed = (header.committed as usize).min(CHUNK_PAYLOAD);
        let payload = &bytes[CHUNK_HEADER_SIZE..];
        // A record that was half written is not part of the file.
        if payload[committed..].iter().any(|&byte| byte != 0) {
            let zeros = vec![0; CHUNK_PAYLOAD - committed];
            file.write_all_at(&zeros, offset + (CHUNK_HEADER_SIZE + committed) as u64)?;
        }
        header.crc = header.checksum(&payload[..committed]);
        header.state = STATE_SEALED;
        file.write_all_at(&header.encode(), offset)
    }

    fn seal_chunk(&self, index: u32) {
        let chunk = self.chunk(index);
        // SAFETY: the writer has released the chunk (Invariant 3): its memory is constant and
        // reserved.
        let (header, payload) = unsafe {
            (
                std::slice::from_raw_parts(chunk.base.as_ptr(), CHUNK_HEADER_SIZE),
                std::slice::from_raw_parts(chunk.payload(), CHUNK_PAYLOAD),
            )
        };
        let Some(header) = ChunkHeader::decode(header) else { return };
        let committed = (header.committed as usize).min(CHUNK_PAYLOAD);
        let crc = header.checksum(&payload[..committed]);
        // SAFETY: inside the chunk's header, aligned as their types; no other thread writes it.
        unsafe {
            chunk.word(CRC_OFFSET).store(crc, Ordering::Relaxed);
            // Release: a reader that sees the state sees the checksum.
            AtomicU16::from_ptr(chunk.base.as_ptr().add(STATE_OFFSET).cast())
                .store(STATE_SEALED, Ordering::Release);
        }
    }

    /// In a child of fork(2), where the mapping is missing: maps anonymous memory in its place,
    /// since a callback that a signal handler interrupted to fork goes on writing in the child. A
    /// mapping that has been made there meanwhile stays.
    pub(crate) fn stand_in(&self) {
        // SAFETY: the flag replaces nothing that is there.
        unsafe {
            libc::mmap(
                self.base.as_ptr().cast(),
                self.mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE
                    | libc::MAP_ANONYMOUS
                    | libc::MAP_NORESERVE
                    | libc::MAP_FIXED_NOREPLACE,
                -1,
                0,
            )
        };
    }

    /// Truncates the file to the chunks in use.
    pub(crate) fn trim(&self) {
        let length = HEADER_SIZE + self.taken() as usize * CHUNK_SIZE;
        // If the file keeps its length, readers skip the unused chunks.
        let _ = self.own_file().and_then(|file| file.set_len(length as u64));
    }

    fn chunk_base(&self, index: u32) -> NonNull<u8> {
        debug_assert!(HEADER_SIZE + (index as usize + 1) * CHUNK_SIZE <= self.mapped);
        // SAFETY: `index` is below the capacity, so the chunk lies inside the mapping.
        unsafe { self.base.add(HEADER_SIZE + index as usize * CHUNK_SIZE) }
    }

    /// The file, if its descriptor still names it: a program may have closed all descriptors and
    /// opened a file of its own under this number, which must not be changed.
    fn own_file(&self) -> io::Result<&File> {
        if identity(&self.file)? == self.identity {
            Ok(&self.file)
        } else {
            Err(io::Error::from_raw_os_error(libc::EBADF))
        }
    }

    fn reserve(&self, index: u32) -> io::Result<()> {
        self.reserve_range(HEADER_SIZE + index as usize * CHUNK_SIZE, CHUNK_SIZE)
    }

    fn reserve_range(&self, offset: usize, length: usize) -> io::Result<()> {
        let descriptor = self.own_file()?.as_raw_fd();
        // SAFETY: a call without pointers, on a file of ours.
        let error = unsafe { libc::posix_fallocate(descriptor, offset as i64, length as i64) };
        if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
    }
}

impl Chunk {
    /// The chunk's number.
    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// The address of the payload; aligned to 64.
    pub(crate) fn payload(&self) -> *mut u8 {
        // SAFETY: a chunk is longer than its header.
        unsafe { self.base.as_ptr().add(CHUNK_HEADER_SIZE) }
    }

    /// Publishes that the first `bytes` of the payload are complete.
    #[inline]
    pub(crate) fn commit(&self, bytes: usize) {
        // SAFETY: inside the chunk's header and aligned.
        let committed = unsafe { self.word(COMMITTED_OFFSET) };
        // Release: a reader that sees the size sees the bytes, even after a kill.
        committed.store(bytes as u32, Ordering::Release);
    }

    /// A word of the chunk's header.
    ///
    /// # Safety
    /// `offset` is a multiple of 4 inside the header.
    unsafe fn word(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: chunks are aligned to 4096, live as long as the process, and their header's
        // words are only accessed atomically once the chunk is in use.
        unsafe { AtomicU32::from_ptr(self.base.as_ptr().add(offset).cast()) }
    }
}

/// Creates a file that must not exist, closed on exec and out of the way of the descriptors that
/// shells and programs number themselves.
fn create_file(path: &Path) -> io::Result<File> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
    // SAFETY: `name` is a string.
    let low = unsafe { libc::open(name.as_ptr(), flags, 0o644) };
    if low < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a descriptor of ours.
    let high = unsafe { libc::fcntl(low, libc::F_DUPFD_CLOEXEC, 200) };
    if high < 0 {
        // SAFETY: `low` is open, and only this function has it.
        return Ok(unsafe { File::from_raw_fd(low) });
    }
    // SAFETY: both are open, and only this function has them.
    unsafe {
        libc::close(low);
        Ok(File::from_raw_fd(high))
    }
}

/// Device and number of the file that the descriptor names now. Signal-safe, and errno stays.
fn identity(file: &File) -> io::Result<(u64, u64)> {
    // SAFETY: zeros are a valid description, for which the call has room.
    unsafe {
        let errno = *libc::__errno_location();
        let mut now: libc::stat = mem::zeroed();
        if libc::fstat(file.as_raw_fd(), &mut now) != 0 {
            let error = io::Error::last_os_error();
            *libc::__errno_location() = errno;
            return Err(error);
        }
        Ok((now.st_dev, now.st_ino))
    }
}

/// The limit RLIMIT_FSIZE: growing a file beyond it raises a signal.
fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: `limit` has room for the answer.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    limit.rlim_cur
}

fn futex(word: &AtomicI32, operation: c_int, value: i32, milliseconds: Option<u64>) {
    let timeout = milliseconds.map(|milliseconds| libc::timespec {
        tv_sec: (milliseconds / 1000) as i64,
        tv_nsec: (milliseconds % 1000 * 1_000_000) as i64,
    });
    let timeout = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: `word` and `timeout` live during the call. Whatever the call answers, callers read
    // the state themselves; errno is the program's, which a callback must not change.
    unsafe {
        let errno = *libc::__errno_location();
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            operation | libc::FUTEX_PRIVATE_FLAG,
            value,
            timeout,
        );
        *libc::__errno_location() = errno;
    }
}
