//! The debugger's callbacks, as safe functions.

use core::ffi::{CStr, c_void};
use core::ptr::{self, NonNull};

use oxomp_sys::ompd::{
    SEGMENT_NONE, ompd_address_space_context_t, ompd_address_t, ompd_callback_memory_read_fn_t,
    ompd_callback_sizeof_fn_t, ompd_callback_symbol_addr_fn_t, ompd_callbacks_t,
    ompd_device_type_sizes_t, ompd_rc_t, ompd_word_t,
};

use crate::Answer;
use crate::memory::{self, Provider};

/// The debugger's view of an address space: a word that goes back to the debugger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context(NonNull<ompd_address_space_context_t>);

// SAFETY: the library never dereferences the address; it hands it to the debugger only.
unsafe impl Send for Context {}

impl Context {
    /// The context at `address`; `None` for null.
    pub(crate) fn new(address: *mut ompd_address_space_context_t) -> Option<Self> {
        NonNull::new(address).map(Context)
    }
}

/// The callbacks that the library cannot do without, and the version of the interface that the
/// debugger speaks.
///
/// The debugger promises by `ompd_initialize` that its callbacks do what the specification says
/// until `ompd_finalize`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callbacks {
    provider: Provider,
    sizes: ompd_callback_sizeof_fn_t,
    symbol: ompd_callback_symbol_addr_fn_t,
    read: ompd_callback_memory_read_fn_t,
    version: ompd_word_t,
}

/// The version of the interface that has `ompd_rc_callback_error`.
const WITH_CALLBACK_ERROR: ompd_word_t = 202_011;

/// Calls the debugger; what the debugger allocates meanwhile does not count as the library's.
fn outside<R>(call: impl FnOnce() -> R) -> R {
    memory::with(None, call)
}

impl Callbacks {
    /// The callbacks of a debugger that speaks `version`.
    ///
    /// # Errors
    /// `bad_input` if one is missing without which nothing works.
    pub(crate) fn new(table: &ompd_callbacks_t, version: ompd_word_t) -> Answer<Self> {
        let missing = ompd_rc_t::BAD_INPUT;
        Ok(Callbacks {
            provider: Provider {
                allocate: table.alloc_memory.ok_or(missing)?,
                free: table.free_memory.ok_or(missing)?,
            },
            sizes: table.sizeof_type.ok_or(missing)?,
            symbol: table.symbol_addr_lookup.ok_or(missing)?,
            read: table.read_memory.ok_or(missing)?,
            version,
        })
    }

    /// The version of the interface that the debugger speaks.
    pub(crate) fn version(&self) -> ompd_word_t {
        self.version
    }

    /// The callbacks for memory.
    pub(crate) fn provider(&self) -> Provider {
        self.provider
    }

    /// The failure that the library reports where a callback has returned `code`.
    fn checked(&self, code: ompd_rc_t) -> Answer<()> {
        match code {
            ompd_rc_t::OK => Ok(()),
            ompd_rc_t::STALE_HANDLE | ompd_rc_t::NOMEM | ompd_rc_t::UNSUPPORTED => Err(code),
            _ if self.version >= WITH_CALLBACK_ERROR => Err(ompd_rc_t::CALLBACK_ERROR),
            _ => Err(ompd_rc_t::ERROR),
        }
    }

    /// Memory of the debugger of `size` bytes.
    ///
    /// # Errors
    /// `nomem` also if the debugger has refused other memory since the call began.
    pub(crate) fn allocate(&self, size: usize) -> Answer<NonNull<u8>> {
        memory::enough()?;
        let mut memory: *mut c_void = ptr::null_mut();
        // SAFETY: the debugger's promise; `memory` is a place for the result.
        let code = outside(|| unsafe { (self.provider.allocate)(size as u64, &raw mut memory) });
        self.checked(code)?;
        NonNull::new(memory.cast()).ok_or(ompd_rc_t::NOMEM)
    }

    /// Frees memory that `allocate` returned; its failure has no consequence.
    pub(crate) fn free(&self, memory: NonNull<u8>) {
        // SAFETY: the debugger's promise; the callers pass each address once.
        outside(|| unsafe { (self.provider.free)(memory.as_ptr().cast()) });
    }

    /// The sizes of C's types in the address space.
    pub(crate) fn sizes(&self, context: Context) -> Answer<ompd_device_type_sizes_t> {
        let mut sizes = ompd_device_type_sizes_t {
            sizeof_char: 0,
            sizeof_short: 0,
            sizeof_int: 0,
            sizeof_long: 0,
            sizeof_long_long: 0,
            sizeof_pointer: 0,
        };
        // SAFETY: the debugger's promise; `sizes` is a place for the result.
        let code = outside(|| unsafe { (self.sizes)(context.0.as_ptr(), &raw mut sizes) });
        self.checked(code).map(|()| sizes)
    }

    /// The address of a symbol; 0 if the debugger finds none and returns no failure.
    pub(crate) fn symbol(&self, context: Context, name: &CStr) -> Answer<u64> {
        let mut found = ompd_address_t { segment: SEGMENT_NONE, address: 0 };
        // SAFETY: the debugger's promise; no thread is meant, and no file is known.
        let code = outside(|| unsafe {
            (self.symbol)(
                context.0.as_ptr(),
                ptr::null_mut(),
                name.as_ptr(),
                &raw mut found,
                ptr::null(),
            )
        });
        self.checked(code).map(|()| found.address)
    }

    /// Fills `buffer` from the program's memory at `address`.
    pub(crate) fn read(&self, context: Context, address: u64, buffer: &mut [u8]) -> Answer<()> {
        let from = ompd_address_t { segment: SEGMENT_NONE, address };
        // SAFETY: the debugger's promise; the buffer has as many bytes as the call says.
        let code = outside(|| unsafe {
            (self.read)(
                context.0.as_ptr(),
                ptr::null_mut(),
                &raw const from,
                buffer.len() as u64,
                buffer.as_mut_ptr().cast(),
            )
        });
        self.checked(code)
    }
}
