//! Threadprivate variables for compilers that do not use thread-local storage (OpenMP 5.2 §5.2).

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, Ordering::Acquire, Ordering::Release};

use once_cell::race::OnceBox;
use oxomp_base::{diag, memory};
use oxomp_protocol::chain::Chain;

use crate::block::{Thread, Vacant};

/// Constructs an object at the address.
pub type Construct = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
/// Constructs a copy of the second argument at the first.
pub type CopyConstruct = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void;
/// Destroys an object.
pub type Destroy = unsafe extern "C" fn(*mut c_void);

/// `Construct` for an array, whose number of elements is the last argument.
pub type ConstructVector = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
/// `CopyConstruct` for an array, whose number of elements is the last argument.
pub type CopyConstructVector = unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void;
/// `Destroy` for an array, whose number of elements is the last argument.
pub type DestroyVector = unsafe extern "C" fn(*mut c_void, usize);

/// The functions that construct and destroy the copies of a C++ object; `None` where the compiler
/// gives no function.
#[derive(Clone, Copy, Debug)]
pub enum Lifetime {
    /// The functions for a single object.
    Object {
        /// Constructs a copy.
        construct: Option<Construct>,
        /// Constructs a copy of the original, if it is not constructed otherwise.
        copy: Option<CopyConstruct>,
        /// Destroys a copy.
        destroy: Option<Destroy>,
    },
    /// The functions for an array.
    Array {
        /// Constructs a copy.
        construct: Option<ConstructVector>,
        /// Constructs a copy of the original, if it is not constructed otherwise.
        copy: Option<CopyConstructVector>,
        /// Destroys a copy.
        destroy: Option<DestroyVector>,
        /// Number of elements.
        length: usize,
    },
}

impl Lifetime {
    /// Constructs a copy of the object at `original`. Returns whether there is a function for that.
    ///
    /// # Safety
    /// There is memory for the object at `copy`, and the object at `original` is constructed.
    unsafe fn begin(self, copy: *mut c_void, original: *mut c_void) -> bool {
        // SAFETY: there is memory at `copy` (`# Safety`); the compiler made the functions for this
        // object.
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

    /// Destroys a copy.
    ///
    /// # Safety
    /// The copy was constructed, and is not used afterwards.
    unsafe fn end(self, copy: *mut c_void) {
        // SAFETY: the copy is constructed and not used afterwards (`# Safety`); the compiler made
        // the functions for this object.
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
/// 2. Entry *i* of the table is the copy of thread *i*, and only that thread writes it.
#[derive(Debug)]
pub struct Variable {
    original: *mut c_void,
    size: usize,
    lifetime: Option<&'static Lifetime>,
    /// The initial value of copies: the bytes of the object when a thread first asked for a copy.
    image: Box<[u8]>,
    copies: Table,
}

// SAFETY: `original` is an address of the program, which any thread may use; the table holds
// atomics.
unsafe impl Sync for Variable {}
// SAFETY: no field belongs to a thread.
unsafe impl Send for Variable {}

/// One pointer per thread, in segments of doubling size, so that the table grows without moving
/// entries.
#[derive(Debug)]
struct Table([OnceBox<Segment>; SEGMENTS]);

type Segment = Box<[AtomicPtr<c_void>]>;

/// The number of entries of the first segment.
const FIRST_SEGMENT: u32 = 32;
/// The number of segments: enough for 32 · 2^26 threads.
const SEGMENTS: usize = 27;

impl Table {
    const fn empty() -> Self {
        Table([const { OnceBox::new() }; SEGMENTS])
    }

    /// The segment that has the entry of the thread, the segment's length, and where the entry is.
    fn place(&self, thread_number: u32) -> (&OnceBox<Segment>, usize, usize) {
        let position = u64::from(thread_number) + u64::from(FIRST_SEGMENT);
        let segment = position.ilog2() - FIRST_SEGMENT.ilog2();
        let length = 1usize << position.ilog2();
        (&self.0[segment as usize], length, position as usize - length)
    }

    fn entry(&self, thread_number: u32) -> &AtomicPtr<c_void> {
        let (segment, length, index) = self.place(thread_number);
        let empty = || (0..length).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
        // Several threads may make the segment: the first one's stays.
        &segment.get_or_init(|| Box::new(empty()))[index]
    }

    /// Empties the entry of a thread that is gone, if there is one.
    fn clear(&self, thread_number: u32) {
        let (segment, _, index) = self.place(thread_number);
        if let Some(entries) = segment.get() {
            entries[index].store(ptr::null_mut(), Release);
        }
    }
}

/// The variables that compiled code has used.
static VARIABLES: Chain<Variable> = Chain::new();

/// The lifetimes that compiled code has registered, by the object's address: they are registered
/// before the size is known.
static LIFETIMES: Chain<(usize, Lifetime)> = Chain::new();

/// In the child of a fork(2), where the threads `gone` do not exist: clears their entries, since
/// other threads will get their numbers. Their copies are not destroyed: the threads of the parent
/// do that.
pub(crate) fn after_fork_in_child(gone: &[Vacant]) {
    for variable in VARIABLES.iter() {
        for block in gone {
            variable.copies.clear(block.thread().number());
        }
    }
}

/// Registers the constructors and the destructor of the object at `original`, before its first use.
pub fn register(original: *mut c_void, lifetime: Lifetime) {
    LIFETIMES.add((original.addr(), lifetime));
}

/// The variable whose object is the `size` bytes at `original`. A variable with another size at
/// this address belonged to a library that has been closed: its lifetime and its image are not
/// used.
///
/// # Safety
/// The bytes are readable, and belong to the object for the whole run.
#[cold]
pub unsafe fn find(original: *mut c_void, size: usize) -> &'static Variable {
    let make = || {
        let registered = LIFETIMES.iter().find(|(at, _)| *at == original.addr());
        let lifetime = registered.map(|(_, lifetime)| lifetime).filter(|it| {
            let has_it = |known: &Variable| known.lifetime.is_some_and(|its| ptr::eq(its, *it));
            !VARIABLES.iter().any(|known| known.size != size && has_it(known))
        });
        // SAFETY: the `size` bytes at `original` are readable (`# Safety`).
        let image = unsafe { core::slice::from_raw_parts(original.cast::<u8>(), size) };
        Variable { original, size, lifetime, image: image.into(), copies: Table::empty() }
    };
    let is_it = |known: &Variable| known.original == original && known.size == size;
    VARIABLES.find_or_add(is_it, make)
}

impl Variable {
    /// The copy of `thread`, which is the calling thread; created at the first call.
    #[inline(always)]
    pub fn copy_of(&self, thread: &Thread) -> *mut c_void {
        if thread.number() == 0 {
            return self.original;
        }
        let entry = self.copies.entry(thread.number());
        let copy = entry.load(Acquire);
        if copy.is_null() { self.create(entry) } else { copy }
    }

    /// The layout of a copy. The compiler does not pass the alignment; that of a cache line
    /// satisfies all types.
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
        // SAFETY: the memory has the object's size, and no other thread knows it; the program's
        // object is constructed before its first use.
        unsafe {
            if !self.lifetime.is_some_and(|lifetime| lifetime.begin(copy, self.original)) {
                ptr::copy_nonoverlapping(self.image.as_ptr(), copy.cast(), self.size);
            }
        }
        // Release: a thread that gets this number later may read the pointer.
        entry.store(copy, Release);
        copy
    }

    fn end_copy_of(&self, thread_number: u32) {
        let entry = self.copies.entry(thread_number);
        let copy = entry.swap(ptr::null_mut(), Acquire);
        let (Some(memory), Some(layout)) = (NonNull::new(copy), self.layout()) else { return };
        // SAFETY: `create` made the copy, and its thread ends, so no thread uses it any more.
        unsafe {
            if let Some(lifetime) = self.lifetime {
                lifetime.end(copy);
            }
            memory::free(memory.cast::<u8>(), layout);
        }
    }
}

/// Destroys the copies of `thread`, whose native thread ends, in reverse order of their variables'
/// first use.
pub(crate) fn end_copies(thread: &Thread) {
    if thread.number() == 0 {
        return;
    }
    for variable in VARIABLES.iter() {
        variable.end_copy_of(thread.number());
    }
}
