//! The dynamic loader: symbols of the address space, libraries loaded by name, and who owns an
//! address.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};

/// One library as the loader lists it: the public part of `struct link_map` in <link.h>.
#[derive(Debug)]
#[repr(C)]
struct LinkMap {
    base: usize,
    name: *const c_char,
    dynamic: *const DynamicEntry,
}

/// An entry of a library's dynamic section (`Elf64_Dyn`).
#[repr(C)]
struct DynamicEntry {
    tag: i64,
    value: u64,
}

const DT_NULL: i64 = 0;
const DT_INIT_ARRAYSZ: i64 = 27;
/// `dladdr1` writes a pointer to the library's `LinkMap`.
const RTLD_DL_LINKMAP: c_int = 2;

/// The first definition of `name` in the program and the libraries that it sees.
///
/// Asks the program, since RTLD_DEFAULT would begin with the runtime itself, which is linked with
/// -Bsymbolic.
pub(crate) fn symbol_in_address_space(name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: null stands for the program, which is open anyway; dlsym reads the name only.
    unsafe {
        let program = NonNull::new(libc::dlopen(ptr::null(), libc::RTLD_LAZY))?;
        NonNull::new(libc::dlsym(program.as_ptr(), name.as_ptr()))
    }
}

/// The next definition of `name` behind the object that this code is in.
pub(crate) fn symbol_behind_us(name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: dlsym reads the name only.
    NonNull::new(unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) })
}

/// The definition of `name` in the library that `address` lies in, or in what that depends on, else as
/// in `symbol_in_address_space`: a library may be loaded without the program seeing it.
pub(crate) fn symbol_seen_from(address: *const c_void, name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: code there has called us; dlsym reads the name only; the handle is closed, and the
    // library stays as often loaded as it was.
    let found = unsafe { Object::around(address) }.and_then(|object| unsafe {
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
        let library = NonNull::new(libc::dlopen(object.map.name, flags))?;
        let found = NonNull::new(libc::dlsym(library.as_ptr(), name.as_ptr()));
        libc::dlclose(library.as_ptr());
        found
    });
    found.or_else(|| symbol_in_address_space(name))
}

/// A library loaded by name; it stays loaded until `close`.
#[derive(Debug)]
pub(crate) struct Library(NonNull<c_void>);

impl Library {
    /// Loads `name`, with its constructors, or finds it loaded.
    ///
    /// # Errors
    /// What the loader says.
    pub(crate) fn open(name: &CStr) -> Result<Self, &CStr> {
        // SAFETY: dlopen reads the name; what the library's constructors do is the user's choice.
        match NonNull::new(unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) }) {
            Some(handle) => Ok(Library(handle)),
            None => Err(last_error()),
        }
    }

    /// The definition of `name` in the library or what it depends on.
    ///
    /// # Errors
    /// What the loader says.
    pub(crate) fn symbol(&self, name: &CStr) -> Result<NonNull<c_void>, &CStr> {
        // SAFETY: the handle is open.
        match NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) }) {
            Some(symbol) => Ok(symbol),
            None => Err(last_error()),
        }
    }

    /// Unloads the library if nobody else has loaded it.
    pub(crate) fn close(self) {
        // SAFETY: the handle is open, and goes with `self`.
        unsafe { libc::dlclose(self.0.as_ptr()) };
    }
}

/// The message of the loader call on this thread that has just failed. Valid until its next call.
fn last_error<'a>() -> &'a CStr {
    // SAFETY: dlerror returns null or a string that lives until the thread's next loader call.
    unsafe {
        let message = libc::dlerror();
        if message.is_null() { c"unknown error" } else { CStr::from_ptr(message) }
    }
}

/// The program or library that an address lies in, as the loader knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    /// Where it lies.
    pub(crate) base: *const c_void,
    /// The name of its file, of the program as it was called.
    pub(crate) name: &'a CStr,
    /// The exported symbol that the address lies in or behind, and where that begins.
    pub(crate) symbol: Option<(&'a CStr, *const c_void)>,
    map: &'a LinkMap,
}

impl Object<'_> {
    /// The object around `address`; none if the loader knows of none there. Allocates nothing.
    ///
    /// # Safety
    /// The object is not unloaded while the answer is used, as one is not whose code has called us.
    pub(crate) unsafe fn around(address: *const c_void) -> Option<Self> {
        let mut info = MaybeUninit::<libc::Dl_info>::uninit();
        let mut map: *const LinkMap = ptr::null();
        // SAFETY: dladdr1 writes `info` and, asked so, a link_map pointer, unless it returns 0; map and
        // names live as long as the object is loaded. Only the symbol's name may be null.
        unsafe {
            let found = libc::dladdr1(
                address.cast_mut(),
                info.as_mut_ptr(),
                (&raw mut map).cast::<*mut c_void>(),
                RTLD_DL_LINKMAP,
            );
            let map = map.as_ref().filter(|_| found != 0)?;
            let info = info.assume_init();
            let symbol = (!info.dli_sname.is_null())
                .then(|| (CStr::from_ptr(info.dli_sname), info.dli_saddr.cast_const()));
            let name = CStr::from_ptr(info.dli_fname);
            Some(Object { base: info.dli_fbase, name, symbol, map })
        }
    }

    /// The object's path; empty for the program.
    pub(crate) fn path(&self) -> &CStr {
        // SAFETY: the loader's string, which is there as long as the object.
        unsafe { CStr::from_ptr(self.map.name) }
    }

    /// `address` as the file counts it.
    pub(crate) fn address_in_file(&self, address: *const c_void) -> u64 {
        address.addr().wrapping_sub(self.map.base) as u64
    }
}

/// Where the object of `address` lies; none if it lies in none.
pub(crate) fn base_of(address: *const c_void) -> Option<*const c_void> {
    // SAFETY: its names are not used.
    unsafe { Object::around(address) }.map(|object| object.base)
}

/// Where the object that holds the runtime lies.
pub(crate) fn own_base() -> Option<*const c_void> {
    base_of(own_base as fn() -> Option<*const c_void> as *const c_void)
}

/// Whether `address` lies in the object that holds the runtime.
pub(crate) fn is_ours(address: NonNull<c_void>) -> bool {
    let base = base_of(address.as_ptr());
    base.is_some() && base == own_base()
}

/// Makes sure that the constructors of the object at `address` have run: whether they have.
///
/// While a program starts, libraries are initialized one after the other, and ours may come before
/// the one at `address`. Loading it once more initializes it and all that it needs now. The program
/// itself always comes last: false if it has constructors of its own.
pub(crate) fn initialize_object_of(address: NonNull<c_void>) -> bool {
    // SAFETY: it holds the tool, which stays loaded: here it is loaded once more.
    unsafe {
        let Some(object) = Object::around(address.as_ptr()) else { return false };
        if object.path().is_empty() {
            return !has_constructors(object.map.dynamic);
        }
        // The handle is kept: the tool stays loaded until the end.
        !libc::dlopen(object.map.name, libc::RTLD_LAZY).is_null()
    }
}

/// Whether there is more than the one constructor that every compiler's start-up files bring.
///
/// # Safety
/// `dynamic` is the dynamic section of a loaded object, or null.
unsafe fn has_constructors(mut dynamic: *const DynamicEntry) -> bool {
    if dynamic.is_null() {
        return false;
    }
    // SAFETY: the section ends with DT_NULL.
    unsafe {
        while (*dynamic).tag != DT_NULL {
            if (*dynamic).tag == DT_INIT_ARRAYSZ {
                return (*dynamic).value as usize > size_of::<usize>();
            }
            dynamic = dynamic.add(1);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{
        Library, Object, initialize_object_of, is_ours, own_base, symbol_in_address_space,
        symbol_seen_from,
    };
    use core::ffi::c_void;
    use core::ptr::{self, NonNull};

    #[test]
    fn a_symbol_of_libc_is_found_and_not_ours() {
        let symbol = symbol_in_address_space(c"getpid").expect("libc is loaded");
        assert!(!is_ours(symbol));
        assert!(initialize_object_of(symbol));
        assert!(symbol_in_address_space(c"oxomp_no_such_symbol").is_none());
    }

    #[test]
    fn a_symbol_is_looked_for_around_an_address_first() {
        let libc_code = libc::getpid as *const c_void;
        let found = symbol_seen_from(libc_code, c"getpid").expect("libc has it");
        assert!(found.as_ptr().cast_const() == libc_code);
        let own_code = own_base as *const c_void;
        assert_eq!(symbol_seen_from(own_code, c"getpid"), Some(found));
        assert_eq!(symbol_seen_from(ptr::null(), c"getpid"), Some(found));
        assert!(symbol_seen_from(libc_code, c"oxomp_no_such_symbol").is_none());
    }

    #[test]
    fn our_own_code_is_ours() {
        let own = NonNull::new(is_ours as fn(NonNull<c_void>) -> bool as *mut c_void);
        assert!(is_ours(own.expect("functions have addresses")));
    }

    #[test]
    fn what_lies_around_an_address_is_known() {
        let address = libc::getpid as *const c_void;
        // SAFETY: libc is never unloaded.
        let object = unsafe { Object::around(address) }.expect("libc is loaded");
        assert!(object.path().to_string_lossy().contains("libc.so"), "{object:?}");
        let (name, begin) = object.symbol.expect("getpid is exported");
        assert!(name.to_string_lossy().contains("getpid") && begin == address);
        assert!(object.base != own_base().expect("we are loaded"));
        // SAFETY: there is none.
        assert!(unsafe { Object::around(ptr::without_provenance(16)) }.is_none());
    }

    #[test]
    fn a_library_that_cannot_be_loaded_says_why() {
        let error = Library::open(c"/nonexistent/library.so").expect_err("it does not exist");
        assert!(error.to_string_lossy().contains("/nonexistent/library.so"));
        let libc = Library::open(c"libc.so.6").expect("every program has it");
        assert!(libc.symbol(c"getpid").is_ok());
        let error = libc.symbol(c"oxomp_no_such_symbol").expect_err("not defined");
        assert!(error.to_string_lossy().contains("oxomp_no_such_symbol"));
        libc.close();
    }
}
