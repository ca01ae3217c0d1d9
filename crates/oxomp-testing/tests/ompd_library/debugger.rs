//! A small debugger: it reads a stopped process, or a core file, for libompd.so, and asks the
//! library questions.

use core::cell::RefCell;
use core::ffi::{CStr, c_char, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxomp_sys::ompd::{
    ompd_address_space_context_t, ompd_address_space_handle_t, ompd_address_t, ompd_callbacks_t,
    ompd_device_type_sizes_t, ompd_parallel_handle_t, ompd_rc_t, ompd_scope_t, ompd_size_t,
    ompd_task_handle_t, ompd_thread_context_t, ompd_thread_handle_t,
};

use crate::api::{Api, api};

/// What the debugger reads.
pub(crate) trait Target {
    /// Fills the buffer; returns whether all of it could be read.
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool;
    /// The address of a symbol.
    fn symbol(&self, name: &str) -> Option<u64>;
}

/// The context of an address space.
struct Context(Box<dyn Target>);

/// Calls of `allocate`.
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
/// Calls of `free`.
static FREED: AtomicUsize = AtomicUsize::new(0);

/// How many pieces of memory the library has asked for until now.
pub(crate) fn allocations() -> usize {
    // Relaxed, here and below: one test at a time uses the library.
    ALLOCATIONS.load(Relaxed)
}

/// How many of them are not free: only a test that has failed leaves some.
fn held() -> usize {
    allocations() - FREED.load(Relaxed)
}

unsafe extern "C" fn allocate(size: ompd_size_t, place: *mut *mut c_void) -> ompd_rc_t {
    ALLOCATIONS.fetch_add(1, Relaxed);
    // SAFETY: the library passes a place.
    unsafe { place.write(libc::malloc(size as usize)) };
    ompd_rc_t::OK
}

/// Frees what `allocate` returned, whether the library does so or the debugger.
pub(crate) unsafe extern "C" fn free(memory: *mut c_void) -> ompd_rc_t {
    FREED.fetch_add(1, Relaxed);
    // SAFETY: the caller passes what `allocate` returned.
    unsafe { libc::free(memory) };
    ompd_rc_t::OK
}

unsafe extern "C" fn sizes(
    _context: *mut ompd_address_space_context_t,
    sizes: *mut ompd_device_type_sizes_t,
) -> ompd_rc_t {
    let found = ompd_device_type_sizes_t {
        sizeof_char: 1,
        sizeof_short: 2,
        sizeof_int: 4,
        sizeof_long: 8,
        sizeof_long_long: 8,
        sizeof_pointer: 8,
    };
    // SAFETY: the library passes a place.
    unsafe { sizes.write(found) };
    ompd_rc_t::OK
}

fn target<'a>(context: *mut ompd_address_space_context_t) -> &'a dyn Target {
    // SAFETY: the debugger passes a context that outlives the library's use of it.
    unsafe { &*(*context.cast::<Context>()).0 }
}

unsafe extern "C" fn symbol(
    context: *mut ompd_address_space_context_t,
    _thread: *mut ompd_thread_context_t,
    name: *const c_char,
    address: *mut ompd_address_t,
    _file: *const c_char,
) -> ompd_rc_t {
    // SAFETY: the library passes a string.
    let name = unsafe { CStr::from_ptr(name) };
    let found = name.to_str().ok().and_then(|name| target(context).symbol(name));
    let Some(found) = found else { return ompd_rc_t::ERROR };
    // SAFETY: the library passes a place.
    unsafe { address.write(ompd_address_t { segment: 0, address: found }) };
    ompd_rc_t::OK
}

unsafe extern "C" fn read(
    context: *mut ompd_address_space_context_t,
    _thread: *mut ompd_thread_context_t,
    address: *const ompd_address_t,
    size: ompd_size_t,
    buffer: *mut c_void,
) -> ompd_rc_t {
    let mut bytes = vec![0; size as usize];
    // SAFETY: the library passes an address, and a buffer of this size.
    unsafe {
        if !target(context).read((*address).address, &mut bytes) {
            return ompd_rc_t::ERROR;
        }
        buffer.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    ompd_rc_t::OK
}

static CALLBACKS: ompd_callbacks_t = ompd_callbacks_t {
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

/// One test at a time uses the library.
static TURN: Mutex<()> = Mutex::new(());

pub(crate) type Answer<T> = Result<T, ompd_rc_t>;
pub(crate) type Thread = *mut ompd_thread_handle_t;
pub(crate) type Region = *mut ompd_parallel_handle_t;
pub(crate) type Task = *mut ompd_task_handle_t;

/// Calls a function for one result.
pub(crate) fn ask<T>(call: impl FnOnce(*mut T) -> ompd_rc_t) -> Answer<T> {
    let mut place = MaybeUninit::uninit();
    match call(place.as_mut_ptr()) {
        // SAFETY: the library has written the result.
        ompd_rc_t::OK => Ok(unsafe { place.assume_init() }),
        code => Err(code),
    }
}

/// The text that the library has given; frees it.
pub(crate) fn take_text(text: *const c_char) -> String {
    // SAFETY: the library has given a string that `allocate` returned, which nothing uses further.
    unsafe {
        let taken = CStr::from_ptr(text).to_str().expect("it is text").to_owned();
        free(text.cast_mut().cast());
        taken
    }
}

/// A debugger of one process or core file.
pub(crate) struct Debugger {
    pub(crate) api: &'static Api,
    pub(crate) space: *mut ompd_address_space_handle_t,
    /// Number and scope of each variable, by its name.
    variables: RefCell<BTreeMap<String, (u64, ompd_scope_t)>>,
    /// Pieces of memory that earlier debuggers have left.
    held: usize,
    _context: Box<Context>,
    _turn: MutexGuard<'static, ()>,
}

impl Debugger {
    pub(crate) fn start(target: impl Target + 'static) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let held = held();
        let mut context = Box::new(Context(Box::new(target)));
        let address = ptr::from_mut(&mut *context).cast();
        let api = api();
        // SAFETY: the table lives forever, and the context until the library's end.
        let space = unsafe {
            assert_eq!((api.ompd_initialize)(202_111, &CALLBACKS), ompd_rc_t::OK);
            ask(|place| (api.ompd_process_initialize)(address, place))
        };
        let space = space.unwrap_or_else(|code| panic!("the process is refused: {code:?}"));
        let variables = RefCell::default();
        let debugger = Debugger { api, space, variables, held, _context: context, _turn: turn };
        debugger.enumerate();
        debugger
    }

    fn enumerate(&self) {
        let (mut id, mut more) = (0, 1);
        while more == 1 {
            let (mut name, mut scope) = (ptr::null(), ompd_scope_t::GLOBAL);
            // SAFETY: a handle and places are passed.
            let next = ask(|place| unsafe {
                let (name, scope) = (&raw mut name, &raw mut scope);
                (self.api.ompd_enumerate_icvs)(self.space, id, place, name, scope, &raw mut more)
            });
            id = next.expect("a variable");
            self.variables.borrow_mut().entry(take_text(name)).or_insert((id, scope));
        }
    }

    /// The thread with this kernel id.
    pub(crate) fn thread(&self, lwp: u64) -> Answer<Thread> {
        let id = (&raw const lwp).cast();
        // SAFETY: a handle, an id and a place are passed.
        ask(|place| unsafe { (self.api.ompd_get_thread_handle)(self.space, 1, 8, id, place) })
    }

    /// The value of a variable, and whether it is all of it.
    pub(crate) fn number<T>(&self, handle: *mut T, name: &str) -> Answer<(i64, bool)> {
        let (id, scope) = self.variables.borrow()[name];
        self.number_in(handle, scope, id)
    }

    /// The value of a variable in a scope.
    pub(crate) fn number_in<T>(
        &self,
        handle: *mut T,
        scope: ompd_scope_t,
        id: u64,
    ) -> Answer<(i64, bool)> {
        let mut value = 0;
        // SAFETY: a handle of the scope and a place are passed.
        let code =
            unsafe { (self.api.ompd_get_icv_from_scope)(handle.cast(), scope, id, &raw mut value) };
        match code {
            ompd_rc_t::OK => Ok((value, true)),
            ompd_rc_t::INCOMPLETE => Ok((value, false)),
            code => Err(code),
        }
    }

    /// The value of a variable that has one number.
    pub(crate) fn value<T>(&self, handle: *mut T, name: &str) -> u64 {
        match self.number(handle, name) {
            Ok((value, _)) => value.cast_unsigned(),
            Err(code) => panic!("{name}: {code:?}"),
        }
    }

    /// The value of a variable as a text.
    pub(crate) fn text<T>(&self, handle: *mut T, name: &str) -> Answer<String> {
        let (id, scope) = self.variables.borrow()[name];
        // SAFETY: a handle of the scope and a place are passed.
        let text = ask(|place| unsafe {
            (self.api.ompd_get_icv_string_from_scope)(handle.cast(), scope, id, place)
        });
        text.map(take_text)
    }

    /// The names of all variables with their scopes.
    pub(crate) fn variables(&self) -> Vec<(String, ompd_scope_t)> {
        let variables = self.variables.borrow();
        variables.iter().map(|(name, (_, scope))| (name.clone(), *scope)).collect()
    }

    /// The state of a thread, and what it waits for.
    pub(crate) fn state(&self, thread: Thread) -> (i64, u64) {
        let mut wait_id = 0;
        // SAFETY: a handle and places are passed.
        let state =
            ask(|place| unsafe { (self.api.ompd_get_state)(thread, place, &raw mut wait_id) });
        (state.unwrap_or_else(|code| panic!("no state: {code:?}")), wait_id)
    }

    /// The entry of a task's code.
    pub(crate) fn function(&self, task: Task) -> Answer<u64> {
        // SAFETY: a handle and a place are passed.
        let entry = ask(|place| unsafe { (self.api.ompd_get_task_function)(task, place) });
        entry.map(|entry| entry.address)
    }

    /// The exit frame and the enter frame of a task: address and flags.
    pub(crate) fn frames(&self, task: Task) -> [(u64, i64); 2] {
        let mut enter = MaybeUninit::uninit();
        // SAFETY: a handle and places are passed; both results are there.
        let (exit, enter) = unsafe {
            let exit = ask(|place| (self.api.ompd_get_task_frame)(task, place, enter.as_mut_ptr()));
            (exit.expect("frames"), enter.assume_init())
        };
        [exit, enter].map(|frame| (frame.frame_address.address, frame.frame_flag))
    }

    /// The tool's word of a scope.
    pub(crate) fn data<T>(&self, handle: *mut T, scope: ompd_scope_t) -> Answer<i64> {
        let mut pointer = ompd_address_t { segment: 0, address: 0 };
        // SAFETY: a handle and places are passed.
        let value = ask(|place| unsafe {
            (self.api.ompd_get_tool_data)(handle.cast(), scope, place, &raw mut pointer)
        })?;
        assert_eq!(pointer.address, value.cast_unsigned());
        Ok(value)
    }
}

/// Relations: the function, what it asks, and what it answers.
macro_rules! relations {
    ($($(#[$doc:meta])* $name:ident = $function:ident($from:ty $(, $number:ident)?) -> $to:ty;)*) => {
        impl Debugger {
            $(
                $(#[$doc])*
                pub(crate) fn $name(&self, from: $from $(, $number: i32)?) -> Answer<$to> {
                    // SAFETY: a handle and a place are passed.
                    ask(|place| unsafe { (self.api.$function)(from $(, $number)?, place) })
                }
            )*
        }
    };
}

relations! {
    /// The task that a thread executes.
    current_task = ompd_get_curr_task_handle(Thread) -> Task;
    /// The region that a thread is in.
    current_region = ompd_get_curr_parallel_handle(Thread) -> Region;
    /// The region around a region.
    enclosing = ompd_get_enclosing_parallel_handle(Region) -> Region;
    /// The region of a task.
    region_of = ompd_get_task_parallel_handle(Task) -> Region;
    /// The task that created a task.
    generating = ompd_get_generating_task_handle(Task) -> Task;
    /// The task that was left for a task.
    scheduling = ompd_get_scheduling_task_handle(Task) -> Task;
    /// An implicit task of a region.
    task_in = ompd_get_task_in_parallel(Region, number) -> Task;
    /// A thread of a region.
    thread_in = ompd_get_thread_in_parallel(Region, number) -> Thread;
}

/// Comparisons.
macro_rules! comparisons {
    ($($name:ident = $function:ident($type:ty);)*) => {
        impl Debugger {
            $(
                /// Whether both handles denote the same object.
                pub(crate) fn $name(&self, one: $type, other: $type) -> bool {
                    // SAFETY: handles and a place are passed.
                    ask(|place| unsafe { (self.api.$function)(one, other, place) }) == Ok(0)
                }
            )*
        }
    };
}

comparisons! {
    same_thread = ompd_thread_handle_compare(Thread);
    same_region = ompd_parallel_handle_compare(Region);
    same_task = ompd_task_handle_compare(Task);
}

impl Drop for Debugger {
    fn drop(&mut self) {
        // SAFETY: no arguments. The handles that are left end with the library.
        let code = unsafe { (self.api.ompd_finalize)() };
        if !std::thread::panicking() {
            assert_eq!(code, ompd_rc_t::OK);
            assert_eq!(held(), self.held, "memory is left");
        }
    }
}
