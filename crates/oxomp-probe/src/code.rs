//! Whose code an address belongs to.

use std::ffi::{CStr, CString, c_void};
use std::fmt;
use std::mem::MaybeUninit;

/// The owner of a code address, told by the loader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Code {
    #[default]
    Null,
    /// Ours, the program's in the eyes of the runtime.
    Program(usize),
    /// Of another object, by its file name.
    Other(String),
}

impl Code {
    pub(crate) fn of(address: *const c_void) -> Self {
        if address.is_null() {
            return Self::Null;
        }
        let ours = object_of(oxomp_probe_address());
        match object_of(address) {
            Some((base, _)) if ours.as_ref().is_some_and(|(own, _)| *own == base) => {
                Self::Program(address.addr())
            }
            Some((_, name)) => Self::Other(name),
            None => Self::Other("no loaded object".to_owned()),
        }
    }

    pub(crate) fn is_programs(&self) -> bool {
        matches!(self, Self::Program(_))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Program(_) => f.write_str("an address in the program"),
            Self::Other(name) => write!(f, "an address in {name}"),
        }
    }
}

/// An address inside this object.
fn oxomp_probe_address() -> *const c_void {
    (object_of as fn(*const c_void) -> _) as *const c_void
}

fn object_of(address: *const c_void) -> Option<(usize, String)> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is writable; the address is only compared with the loaded objects' ranges.
    if unsafe { libc::dladdr(address, info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: dladdr succeeded, so it has filled the structure.
    let info = unsafe { info.assume_init() };
    // SAFETY: the name is a C string as long as the object is loaded.
    let name = unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy();
    let file = name.rsplit('/').next().unwrap_or(&name).to_owned();
    Some((info.dli_fbase.addr(), file))
}

/// The path of this object, as it was loaded; empty if the loader does not tell.
pub(crate) fn own_file() -> CString {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is writable.
    if unsafe { libc::dladdr(oxomp_probe_address(), info.as_mut_ptr()) } == 0 {
        return CString::default();
    }
    // SAFETY: dladdr succeeded; the name lives as long as the object is loaded.
    unsafe { CStr::from_ptr(info.assume_init().dli_fname) }.to_owned()
}
