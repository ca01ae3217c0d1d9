//! The call of the runtime that the calling thread is in, for lines that are written far below the
//! exported function: found by walking the frames, which the runtime keeps.
//!
//! Allocates nothing and locks nothing of ours, so it serves a panic and a lack of memory too.

use core::ffi::{CStr, c_void};
use core::fmt;
use core::mem::MaybeUninit;
use core::ptr;

use super::Location;
use crate::arch;

/// A call of the runtime by the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtHand {
    /// The exported function.
    entry: &'static CStr,
    /// Where it returns to.
    pub(crate) return_address: *const c_void,
}

impl AtHand {
    /// The innermost call by code that is not the runtime's; none on a thread of ours that no such
    /// call led to, and where the frames do not say.
    #[inline(never)]
    pub(crate) fn find() -> Option<Self> {
        let ours = module(Self::find as fn() -> Option<Self> as *const c_void)?.dli_fbase;
        let mut frame = arch::frame_pointer().addr();
        let mut inside: *const c_void = ptr::null();
        for _ in 0..DEEPEST {
            let [caller, return_address] = read(frame)?;
            let return_address = ptr::with_exposed_provenance::<c_void>(return_address);
            // A return address may be that of the next function: the call lies before it.
            let around = module(return_address.wrapping_byte_sub(1))?;
            if around.dli_fbase != ours {
                return Some(AtHand { entry: name(inside)?, return_address });
            }
            if caller <= frame {
                return None;
            }
            (frame, inside) = (caller, return_address);
        }
        None
    }

    /// The exported function, without what Fortran's name of it has more.
    pub(crate) fn entry(&self) -> &str {
        self.entry.to_str().unwrap_or_default().trim_end_matches('_')
    }

    pub(crate) fn location(&self) -> Location<'static> {
        Location::Code(self.return_address)
    }
}

/// `entry called at module+offset`, without a look into the module's file.
impl fmt::Display for AtHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} called at ", self.entry())?;
        match module(self.return_address) {
            None => write!(f, "{:p}", self.return_address),
            Some(module) => {
                // SAFETY: the loader's string; the code in the module called us.
                let path = unsafe { CStr::from_ptr(module.dli_fname) }.to_str().unwrap_or("?");
                let file = path.rsplit('/').next().unwrap_or(path);
                write!(f, "{file}+{:#x}", self.return_address.addr() - module.dli_fbase.addr())
            }
        }
    }
}

/// A chain of frames that is longer than this inside the runtime is none.
const DEEPEST: usize = 100;

fn module(address: *const c_void) -> Option<libc::Dl_info> {
    let mut info = MaybeUninit::uninit();
    // SAFETY: dladdr writes `info` unless it returns 0.
    unsafe { (libc::dladdr(address, info.as_mut_ptr()) != 0).then(|| info.assume_init()) }
}

fn name(inside: *const c_void) -> Option<&'static CStr> {
    let name = module(inside.wrapping_byte_sub(1))?.dli_sname;
    // SAFETY: null or a string of our own module, which is never unloaded.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
}

/// The two words of a frame. The kernel reads them, so that a wrong address is no more than an error.
fn read(frame: usize) -> Option<[usize; 2]> {
    let mut words = [0_usize; 2];
    let to = libc::iovec { iov_base: words.as_mut_ptr().cast(), iov_len: size_of_val(&words) };
    let from = libc::iovec {
        iov_base: ptr::with_exposed_provenance_mut(frame),
        iov_len: size_of_val(&words),
    };
    // SAFETY: the kernel writes to `words`, and checks what it reads from.
    let bytes =
        unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0) };
    (bytes.cast_unsigned() == size_of_val(&words)).then_some(words)
}
