//! A debugger of a memory image: the callbacks, and the library's functions as a debugger calls
//! them. It counts its memory: at the end the library has given back all that it did not hand out.

use core::cell::{Cell, RefCell};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxomp_ompd_layout::SYMBOL;
use oxomp_sys::ompd::{
    ompd_address_space_context_t, ompd_address_space_handle_t, ompd_address_t, ompd_callbacks_t,
    ompd_device_type_sizes_t, ompd_rc_t, ompd_scope_t, ompd_size_t, ompd_thread_context_t,
    ompd_word_t,
};

use super::api::{ompd_finalize, ompd_initialize, ompd_process_initialize};
use super::image::{Image, TABLE};

/// One test at a time uses the library.
static TURN: Mutex<()> = Mutex::new(());

/// What the debugger's callbacks see of the process.
#[derive(Debug)]
pub(crate) struct Debuggee {
    pub(crate) image: Image,
    /// Reads until now.
    pub(crate) reads: Cell<usize>,
    /// The read that fails, counted from 0.
    pub(crate) fails_at: Cell<Option<usize>>,
    /// The address that the table's symbol has; `None`: the symbol is missing.
    pub(crate) table: Option<u64>,
    pub(crate) pointer: u8,
    pub(crate) is_gone: bool,
}

thread_local! {
    static ALLOCATED: RefCell<BTreeMap<usize, Box<[u64]>>> = const { RefCell::new(BTreeMap::new()) };
    /// Allocations until there is no memory left.
    pub(crate) static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// Allocations until the one that is refused, and only that; `None`: no single one is refused.
    pub(crate) static REFUSED: Cell<Option<usize>> = const { Cell::new(None) };
    /// Allocations that have been refused.
    pub(crate) static REFUSALS: Cell<usize> = const { Cell::new(0) };
}

unsafe extern "C" fn allocate(size: ompd_size_t, place: *mut *mut c_void) -> ompd_rc_t {
    let (left, refused) = (LEFT.get(), REFUSED.get());
    LEFT.set(left.saturating_sub(1));
    REFUSED.set(refused.and_then(|before| before.checked_sub(1)));
    if left == 0 || refused == Some(0) {
        REFUSALS.set(REFUSALS.get() + 1);
        return ompd_rc_t::NOMEM;
    }
    let mut words = vec![u64::MAX; size.div_ceil(8).max(1) as usize].into_boxed_slice();
    let address = words.as_mut_ptr().cast::<c_void>();
    ALLOCATED.with_borrow_mut(|all| all.insert(address.addr(), words));
    // SAFETY: the library passes a place.
    unsafe { place.write(address) };
    ompd_rc_t::OK
}

unsafe extern "C" fn free(memory: *mut c_void) -> ompd_rc_t {
    let freed = ALLOCATED.with_borrow_mut(|all| all.remove(&memory.addr()));
    assert!(freed.is_some(), "the library frees what it has not allocated");
    ompd_rc_t::OK
}

/// The process of a context.
fn debuggee<'a>(context: *mut ompd_address_space_context_t) -> &'a Debuggee {
    // SAFETY: the tests pass the address of a `Debuggee` that outlives the call.
    unsafe { &*context.cast::<Debuggee>() }
}

unsafe extern "C" fn sizes(
    context: *mut ompd_address_space_context_t,
    sizes: *mut ompd_device_type_sizes_t,
) -> ompd_rc_t {
    let debuggee = debuggee(context);
    if debuggee.is_gone {
        return ompd_rc_t::STALE_HANDLE;
    }
    let found = ompd_device_type_sizes_t {
        sizeof_char: 1,
        sizeof_short: 2,
        sizeof_int: 4,
        sizeof_long: 8,
        sizeof_long_long: 8,
        sizeof_pointer: debuggee.pointer,
    };
    // SAFETY: the library passes a place.
    unsafe { sizes.write(found) };
    ompd_rc_t::OK
}

unsafe extern "C" fn symbol(
    context: *mut ompd_address_space_context_t,
    thread: *mut ompd_thread_context_t,
    name: *const c_char,
    address: *mut ompd_address_t,
    file: *const c_char,
) -> ompd_rc_t {
    assert!(thread.is_null() && file.is_null());
    // SAFETY: the library passes a string.
    let name = unsafe { CStr::from_ptr(name) };
    let table = debuggee(context).table.filter(|_| name.to_bytes() == SYMBOL.as_bytes());
    let Some(table) = table else { return ompd_rc_t::ERROR };
    // SAFETY: the library passes a place.
    unsafe { address.write(ompd_address_t { segment: 0, address: table }) };
    ompd_rc_t::OK
}

unsafe extern "C" fn read(
    context: *mut ompd_address_space_context_t,
    thread: *mut ompd_thread_context_t,
    address: *const ompd_address_t,
    size: ompd_size_t,
    buffer: *mut c_void,
) -> ompd_rc_t {
    assert!(thread.is_null());
    let debuggee = debuggee(context);
    let count = debuggee.reads.replace(debuggee.reads.get() + 1);
    if debuggee.fails_at.get() == Some(count) {
        return ompd_rc_t::ERROR;
    }
    // SAFETY: the library passes an address, and a buffer of this size, which it has filled.
    let (from, buffer) = unsafe {
        ((*address).address, core::slice::from_raw_parts_mut(buffer.cast::<u8>(), size as usize))
    };
    match debuggee.image.read(from, buffer) {
        true => ompd_rc_t::OK,
        false => ompd_rc_t::ERROR,
    }
}

/// The least table that a debugger may have: no callback that the library can do without.
pub(crate) const CALLBACKS: ompd_callbacks_t = ompd_callbacks_t {
    alloc_memory: Some(allocate),
    free_memory: Some(free),
    print_string: None,
    sizeof_type: Some(sizes),
    symbol_addr_lookup: Some(symbol),
    read_memory: Some(read),
    write_memory: None,
    read_string: None,
    device_to_host: None,
    host_to_device: None,
    get_thread_context_for_thread_id: None,
};

/// The version that a debugger of OpenMP 5.2 speaks.
pub(crate) const VERSION: ompd_word_t = 202_111;

/// Takes the turn of using the library.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A debugger that has initialized the library, and the address space of its process.
#[derive(Debug)]
pub(crate) struct Debugger {
    pub(crate) debuggee: Box<Debuggee>,
    pub(crate) space: *mut ompd_address_space_handle_t,
    /// Pieces of memory that the library needs for the address space.
    needed: usize,
    _turn: MutexGuard<'static, ()>,
}

/// A process of the image.
pub(crate) fn process(image: Image) -> Box<Debuggee> {
    let pointer = image.machine.word;
    Box::new(Debuggee {
        image,
        reads: Cell::new(0),
        fails_at: Cell::new(None),
        table: Some(TABLE),
        pointer,
        is_gone: false,
    })
}

/// The context of a process.
pub(crate) fn context(debuggee: &Debuggee) -> *mut ompd_address_space_context_t {
    ptr::from_ref(debuggee).cast_mut().cast()
}

impl Debugger {
    /// The debugger of an image, which speaks `version`; or the code for the process.
    pub(crate) fn try_start(image: Image, version: ompd_word_t) -> Result<Self, ompd_rc_t> {
        let turn = turn();
        LEFT.set(usize::MAX);
        let debuggee = process(image);
        let mut space = ptr::null_mut();
        assert_eq!(ompd_initialize(version, &CALLBACKS), ompd_rc_t::OK);
        match ompd_process_initialize(context(&debuggee), &raw mut space) {
            ompd_rc_t::OK => Ok(Debugger { debuggee, space, needed: allocated(), _turn: turn }),
            code => {
                assert_eq!(ompd_finalize(), ompd_rc_t::OK);
                Err(code)
            }
        }
    }

    /// The debugger of an image.
    pub(crate) fn start(image: Image) -> Self {
        Self::try_start(image, VERSION).expect("the image is a process on the runtime")
    }

    /// How many pieces of memory the library has, or has given and the debugger has not freed, in
    /// addition to those that it needs for the address space.
    pub(crate) fn held(&self) -> isize {
        allocated().wrapping_sub(self.needed).cast_signed()
    }
}

/// Calls a function for one result.
pub(crate) fn ask<T>(call: impl FnOnce(*mut T) -> ompd_rc_t) -> Result<T, ompd_rc_t> {
    let mut place = MaybeUninit::uninit();
    match call(place.as_mut_ptr()) {
        // SAFETY: the library has written the result.
        ompd_rc_t::OK => Ok(unsafe { place.assume_init() }),
        code => {
            assert!(code.name().is_some(), "{code:?} is no code");
            Err(code)
        }
    }
}

/// The text that the library has given; frees it.
pub(crate) fn take_text(text: *const c_char) -> String {
    // SAFETY: the library has given a string of the debugger's memory.
    let taken = unsafe { CStr::from_ptr(text) }.to_str().expect("it is text").to_owned();
    take(text);
    taken
}

/// Frees memory that the library has given.
pub(crate) fn take<T>(memory: *const T) {
    let freed = ALLOCATED.with_borrow_mut(|all| all.remove(&memory.addr()));
    assert!(freed.is_some(), "what the library gives is the debugger's memory");
}

/// How many pieces of memory the library has and the debugger has not freed.
pub(crate) fn allocated() -> usize {
    ALLOCATED.with_borrow(BTreeMap::len)
}

/// The number of a scope, as in C.
pub(crate) fn scopes() -> impl Iterator<Item = ompd_scope_t> {
    (0 as c_int..=9).map(ompd_scope_t)
}

impl Drop for Debugger {
    fn drop(&mut self) {
        LEFT.set(usize::MAX);
        REFUSED.set(None);
        assert_eq!({ ompd_finalize() }, ompd_rc_t::OK);
        if !std::thread::panicking() {
            assert_eq!(allocated(), 0, "memory is left");
        }
    }
}
