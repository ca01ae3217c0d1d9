//! The function of the MPI library, or of another tool, that comes after ours.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A function, found at its first use.
#[derive(Debug)]
pub(crate) struct Next {
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Next {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self { name, found: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The address; null if no library of the process has the function.
    #[inline]
    pub(crate) fn address(&self) -> *mut c_void {
        // Relaxed: every thread finds the same address.
        let found = self.found.load(Ordering::Relaxed);
        if found.is_null() { self.find() } else { found }
    }

    #[cold]
    fn find(&self) -> *mut c_void {
        // SAFETY: the name is a C string.
        let mut found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        if found.is_null() {
            found = find_in_loaded(self.name);
        }
        self.found.store(found, Ordering::Relaxed);
        found
    }
}

/// The address of a variable of the MPI library; 0 if no library of the process has it.
pub(crate) fn variable(name: &'static CStr) -> usize {
    // SAFETY: the name is a C string. The first one in the order of all is the one that counts,
    // since a program may have a copy of the library's.
    let mut found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if found.is_null() {
        found = find_in_loaded(name);
    }
    found.addr()
}

/// A search in the libraries of the process one by one, since a library that was loaded without
/// RTLD_GLOBAL, as by an extension of Python, is in no search order but that of its users.
struct Search {
    name: &'static CStr,
    found: *mut c_void,
}

fn find_in_loaded(name: &'static CStr) -> *mut c_void {
    let mut search = Search { name, found: ptr::null_mut() };
    // SAFETY: `look` gets `search`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    search.found
}

unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader's facts, and the search of `find_in_loaded`.
    let (info, search) = unsafe { (&*info, &mut *data.cast::<Search>()) };
    // SAFETY: null, or the loader's C string.
    let is_mpi = !info.dlpi_name.is_null() && is_mpi(unsafe { CStr::from_ptr(info.dlpi_name) });
    if is_mpi {
        search.found = in_library(info.dlpi_name, search.name);
    }
    c_int::from(!search.found.is_null())
}

/// Whether the file has an MPI library's name: `libmpi.so.40`, `libmpich.so.12`.
fn is_mpi(path: &CStr) -> bool {
    let path = path.to_bytes();
    let start = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    path[start..].starts_with(b"libmpi")
}

/// The function `name` of a loaded library.
fn in_library(path: *const c_char, name: &CStr) -> *mut c_void {
    // SAFETY: both are C strings. The library is not loaded by this, and is not let go, so that the
    // address stays valid.
    unsafe {
        let library = libc::dlopen(path, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() { ptr::null_mut() } else { libc::dlsym(library, name.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Next, is_mpi};

    #[test]
    fn a_function_that_nobody_has_is_null() {
        assert!(Next::new(c"MPI_No_such_function").address().is_null());
        assert!(!Next::new(c"getpid").address().is_null());
    }

    #[test]
    fn libraries_of_mpi_are_known_by_their_names() {
        for name in [c"/usr/lib/libmpi.so.40", c"libmpich.so.12", c"/opt/libmpi_cray.so.12"] {
            assert!(is_mpi(name), "{name:?}");
        }
        for name in [c"/libmpi/libm.so", c"liboxomp_mpi.so", c""] {
            assert!(!is_mpi(name), "{name:?}");
        }
    }
}
