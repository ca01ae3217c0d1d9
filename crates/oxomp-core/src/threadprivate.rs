//! Threadprivate variables of compilers that do not use thread-local storage (OpenMP 5.2 §5.2).

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, Ordering::Acquire, Ordering::Release};
use std::sync::OnceLock;

use oxomp_protocol::lock::Guarded;

use crate::block::Thread;
use crate::block::Vacant;
use crate::diag;
use crate::memory;

/// Constructs an object at the address.
pub type Construct = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
/// Constructs a copy of the second argument at the first.
pub type CopyConstruct = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void;
/// Ends an object.
pub type Destroy = unsafe extern "C" fn(*mut c_void);

/// `Construct` for an array of so many elements.
pub type ConstructVector = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
/// `CopyConstruct` for an array of so many elements.
pub type CopyConstructVector = unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void;
/// `Destroy` for an array of so many elements.
pub type DestroyVector = unsafe extern "C" fn(*mut c_void, usize);

/// How the copies of a C++ object are made and ended; `None` where the compiler gives no function.
#[derive(Clone, Copy, Debug)]
pub enum Lifetime {
    /// Of a single object.
    Object {
        /// Constructs a copy.
        construct: Option<Construct>,
        /// Constructs a copy of the original, if it is not constructed otherwise.
        copy: Option<CopyConstruct>,
        /// Ends a copy.
        destroy: Option<Destroy>,
    },
    /// Of an array.
    Array {
        /// Constructs a copy.
        construct: Option<ConstructVector>,
        /// Constructs a copy of the original, if it is not constructed otherwise.
        copy: Option<CopyConstructVector>,
        /// Ends a copy.
        destroy: Option<DestroyVector>,
        /// Number of elements.
        length: usize,
    },
}

impl Lifetime {
    /// Constructs a copy of the object at `original`: whether there is a function for that.
    ///
    /// # Safety
    /// There is memory for the object at `copy`.
    unsafe fn begin(self, copy: *mut c_void, original: *mut c_void) -> bool {
        // SAFETY: by contract; the functions are the compiler's for objects of this kind.
        unsafe {
            match self {
                Lifetime::Object { construct: Some(construct), .. } => construct(copy),
                Lifetime::Object { copy: Some(construct), .. } => construct(copy, original),
                Lifetime::Array { construct: Some(construct), length, .. } => {
                    construct(copy, length)
                }
                Lifetime::Array { copy: Some(construct), length, .. } => {
                    construct(copy, original, length)
                }
                _ => return false,
            };
        }
        true
    }

    /// Ends a copy.
    ///
    /// # Safety
    /// It was begun, and is not used afterwards.
    unsafe fn end(self, copy: *mut c_void) {
        // SAFETY: by contract; the functions are the compiler's for objects of this kind.
        unsafe {
            match self {
                Lifetime::Object { destroy: Some(destroy), .. } => destroy(copy),
                Lifetime::Array { destroy: Some(destroy), length, .. } => destroy(copy, length),
                _ => {}
            }
        }
    }
}

/// A threadprivate variable: the program's object, which is the copy of thread 0, and the copies of
/// the other threads.
///
/// Invariants:
/// 1. A variable is never freed: programs keep a pointer to it in the cache that they pass.
/// 2. Entry *i* of the table is written by thread *i* alone, and is its copy.
#[derive(Debug)]
pub struct Variable {
    original: *mut c_void,
    size: usize,
    lifetime: Option<Lifetime>,
    /// The value that copies start with: what the object held when it was first asked for.
    image: Box<[u8]>,
    copies: Table,
}

// SAFETY: `original` is an address; the bytes at it are read once, in `Variable::create`.
unsafe impl Sync for Variable {}
// SAFETY: as above.
unsafe impl Send for Variable {}

/// A pointer a thread, in segments that double, so that it grows without moving.
#[derive(Debug)]
struct Table([OnceLock<Box<[AtomicPtr<c_void>]>>; SEGMENTS]);

/// Entries of the first segment.
const FIRST_SEGMENT: u32 = 32;
/// With 32 · 2^26 threads at most.
const SEGMENTS: usize = 27;

impl Table {
    fn entry(&self, thread_number: u32) -> &AtomicPtr<c_void> {
        let position = u64::from(thread_number) + u64::from(FIRST_SEGMENT);
        let segment = position.ilog2() - FIRST_SEGMENT.ilog2();
        let length = 1usize << position.ilog2();
        let entries = self.0[segment as usize]
            .get_or_init(|| (0..length).map(|_| AtomicPtr::new(ptr::null_mut())).collect());
        &entries[position as usize - length]
    }
}

/// What the compilers registered and used.
struct Known {
    variables: Vec<&'static Variable>,
    /// Registered before their size is known.
    lifetimes: Vec<(usize, Lifetime)>,
}

static KNOWN: Guarded<Known> = Guarded::new(Known { variables: Vec::new(), lifetimes: Vec::new() });

/// fork(2) must not happen while somebody is at the list of variables.
pub(crate) fn before_fork() {
    KNOWN.hold();
}

/// In the parent process, after fork(2).
pub(crate) fn after_fork_in_parent() {
    KNOWN.let_go();
}

/// In the child process, which has none of the threads `gone`: their numbers are for others, who
/// must not find their copies. What those hold is not ended: the parent's threads do that.
pub(crate) fn after_fork_in_child(gone: &[Vacant]) {
    KNOWN.let_go();
    for variable in KNOWN.with(|known| known.variables.clone()) {
        for block in gone {
            variable.copies.entry(block.thread().number()).store(ptr::null_mut(), Release);
        }
    }
}

/// The object at `original` has constructors; before its first use.
pub fn register(original: *mut c_void, lifetime: Lifetime) {
    KNOWN.with(|known| known.lifetimes.push((original.addr(), lifetime)));
}

/// The variable whose object is the `size` bytes at `original`.
///
/// # Safety
/// They are readable, and are it for the whole run.
#[cold]
pub unsafe fn find(original: *mut c_void, size: usize) -> &'static Variable {
    KNOWN.with(|known| {
        let found = known.variables.iter().find(|variable| variable.original == original);
        if let Some(variable) = found {
            return *variable;
        }
        let lifetime = known.lifetimes.iter().rev().find(|(at, _)| *at == original.addr());
        // SAFETY: by contract.
        let image = unsafe { core::slice::from_raw_parts(original.cast::<u8>(), size) };
        let variable: &'static Variable = Box::leak(Box::new(Variable {
            original,
            size,
            lifetime: lifetime.map(|(_, lifetime)| *lifetime),
            image: image.into(),
            copies: Table([const { OnceLock::new() }; SEGMENTS]),
        }));
        known.variables.push(variable);
        variable
    })
}

impl Variable {
    /// The copy of `thread`, which is the calling one.
    #[inline(always)]
    pub fn copy_of(&self, thread: &Thread) -> *mut c_void {
        if thread.number() == 0 {
            return self.original;
        }
        let entry = self.copies.entry(thread.number());
        let copy = entry.load(Acquire);
        if copy.is_null() { self.create(entry) } else { copy }
    }

    /// Of a copy: the compiler does not tell the alignment, a cache line satisfies all types.
    fn layout(&self) -> Option<Layout> {
        Layout::from_size_align(self.size.max(1), 64).ok()
    }

    #[cold]
    fn create(&self, entry: &AtomicPtr<c_void>) -> *mut c_void {
        let Some(memory) = self.layout().and_then(memory::zeroed) else {
            diag::fatal_in_call(&format!(
                "threadprivate: no memory for a thread's copy of a variable of {} bytes",
                self.size
            ));
        };
        let copy = memory.as_ptr().cast::<c_void>();
        // SAFETY: the memory has the object's size.
        unsafe {
            if !self.lifetime.is_some_and(|lifetime| lifetime.begin(copy, self.original)) {
                ptr::copy_nonoverlapping(self.image.as_ptr(), copy.cast(), self.size);
            }
        }
        // Release: the pointer may be read by a thread that takes over the number later.
        entry.store(copy, Release);
        copy
    }

    fn end_copy_of(&self, thread_number: u32) {
        let entry = self.copies.entry(thread_number);
        let copy = entry.swap(ptr::null_mut(), Acquire);
        let (Some(memory), Some(layout)) = (NonNull::new(copy), self.layout()) else { return };
        // SAFETY: a copy that `create` made, of a thread that goes.
        unsafe {
            if let Some(lifetime) = self.lifetime {
                lifetime.end(copy);
            }
            memory::free(memory.cast::<u8>(), layout);
        }
    }
}

/// The native thread of `thread` ends, and with it its copies, last made first.
pub(crate) fn end_copies(thread: &Thread) {
    if thread.number() == 0 {
        return;
    }
    let variables = KNOWN.with(|known| known.variables.clone());
    for variable in variables.iter().rev() {
        variable.end_copy_of(thread.number());
    }
}
