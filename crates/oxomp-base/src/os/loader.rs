//! The dynamic loader: symbols of the address space, libraries loaded by name, and the object at an
//! address.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::AcqRel;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::own_object::is_ours;

/// An object in the loader's list: the public part of `struct link_map` in <link.h>.
#[derive(Debug)]
#[repr(C)]
struct LinkMap {
    base: usize,
    name: *const c_char,
    dynamic: *const DynamicEntry,
}

/// An entry of an object's dynamic section (`Elf64_Dyn`).
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
/// Searches from the program, since RTLD_DEFAULT would begin with the runtime itself, which is
/// linked with -Bsymbolic.
pub fn symbol_in_address_space(name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: null stands for the program, which is loaded anyway; dlsym only reads the name.
    unsafe {
        let program = NonNull::new(libc::dlopen(ptr::null(), libc::RTLD_LAZY))?;
        NonNull::new(libc::dlsym(program.as_ptr(), name.as_ptr()))
    }
}

/// Whether the C library knows that the process has one thread; false if it does not tell (before
/// glibc 2.32).
pub fn has_one_thread() -> bool {
    let flag = symbol_in_address_space(c"__libc_single_threaded");
    // SAFETY: the C library's variable of type `char`, which it changes when it starts a thread.
    flag.is_some_and(|flag| unsafe { flag.cast::<u8>().as_ptr().read_volatile() } != 0)
}

/// The folders in which the loader looks for the program's libraries, in its order: those that the
/// program names itself, those of LD_LIBRARY_PATH, and the system's. Those of ld.so.cache, which
/// lists files, are not among them.
pub fn folders_of_program() -> Vec<PathBuf> {
    /// `Dl_serpath`.
    #[repr(C)]
    struct Folder {
        name: *const c_char,
        flags: c_uint,
    }
    /// `Dl_serinfo`, which `count` folders and their names follow.
    #[repr(C)]
    struct List {
        bytes: usize,
        count: c_uint,
        folders: [Folder; 0],
    }
    const RTLD_DI_SERINFO: c_int = 4;
    const RTLD_DI_SERINFOSIZE: c_int = 5;
    let mut head = List { bytes: 0, count: 0, folders: [] };
    // SAFETY: null stands for the program; the first request writes the two numbers.
    let program = unsafe {
        let program = libc::dlopen(ptr::null(), libc::RTLD_LAZY);
        let is_known = libc::dlinfo(program, RTLD_DI_SERINFOSIZE, (&raw mut head).cast()) == 0;
        if !is_known {
            return Vec::new();
        }
        program
    };
    let mut room = vec![0_u64; head.bytes.max(size_of::<List>()).div_ceil(size_of::<u64>())];
    let list = room.as_mut_ptr().cast::<List>();
    // SAFETY: the room has the bytes that the loader asked for, and begins with the two numbers as
    // the second request demands; it writes as many folders, whose names are C strings in the room.
    unsafe {
        list.write(head);
        if libc::dlinfo(program, RTLD_DI_SERINFO, list.cast()) != 0 {
            return Vec::new();
        }
        let folders = (&raw const (*list).folders).cast::<Folder>();
        core::slice::from_raw_parts(folders, (*list).count as usize)
            .iter()
            .map(|folder| OsStr::from_bytes(CStr::from_ptr(folder.name).to_bytes()).into())
            .collect()
    }
}

/// The number of objects that the loader has loaded so far, unloaded ones included.
pub fn objects_loaded() -> u64 {
    unsafe extern "C" fn first(
        info: *mut libc::dl_phdr_info,
        _: usize,
        loaded: *mut c_void,
    ) -> c_int {
        // SAFETY: the C library passes its own structure, and `loaded` as it was given.
        unsafe { *loaded.cast::<u64>() = (*info).dlpi_adds };
        1
    }
    let mut loaded = 0_u64;
    // SAFETY: `first` writes the variable during the call only.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut loaded).cast()) };
    loaded
}

/// The next definition of `name` in search order after the object that contains the runtime.
pub fn symbol_behind_us(name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: dlsym only reads the name.
    NonNull::new(unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) })
}

/// The definition of `name` in the object at `address` or its dependencies; otherwise the result of
/// `symbol_in_address_space`. A library may be loaded such that the program does not see its
/// symbols.
///
/// # Safety
/// No thread unloads the object at `address` during the call.
pub unsafe fn symbol_seen_from(address: *const c_void, name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: the object stays loaded during the call (`# Safety`); dlsym only reads the name;
    // closing the handle restores the object's reference count.
    let found = unsafe { Object::around(address) }.and_then(|object| unsafe {
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
        let library = NonNull::new(libc::dlopen(object.map.name, flags))?;
        let found = NonNull::new(libc::dlsym(library.as_ptr(), name.as_ptr()));
        libc::dlclose(library.as_ptr());
        found
    });
    found.or_else(|| symbol_in_address_space(name))
}

/// The definition of `name` that is seen by an object which was loaded late with RTLD_LOCAL and has
/// loaded the runtime: the program sees neither of the two. `own` is a symbol of the runtime, by
/// which such objects are recognized.
pub fn symbol_beside_us(name: &CStr, own: &CStr) -> Option<NonNull<c_void>> {
    unsafe extern "C" fn keep(
        info: *mut libc::dl_phdr_info,
        _: usize,
        names: *mut c_void,
    ) -> c_int {
        // SAFETY: the C library passes its own structure with a C string or null, and `names` as it
        // was given.
        unsafe {
            if !(*info).dlpi_name.is_null() {
                let names = &mut *names.cast::<Vec<CString>>();
                names.push(CStr::from_ptr((*info).dlpi_name).to_owned());
            }
        }
        0
    }
    let mut names = Vec::<CString>::new();
    // SAFETY: `keep` changes the list during the call only.
    unsafe { libc::dl_iterate_phdr(Some(keep), (&raw mut names).cast()) };
    names.iter().filter(|object| !object.is_empty()).find_map(|object| {
        // SAFETY: the object is loaded or dlopen returns null; dlsym only reads the names; closing
        // the handle restores the object's reference count.
        unsafe {
            let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
            let library = NonNull::new(libc::dlopen(object.as_ptr(), flags))?;
            let find = |name: &CStr| NonNull::new(libc::dlsym(library.as_ptr(), name.as_ptr()));
            let has_us = find(own).is_some_and(is_ours);
            let found = find(name).filter(|symbol| has_us && !is_ours(*symbol));
            libc::dlclose(library.as_ptr());
            found
        }
    })
}

/// The definition of `name` in a library or its dependencies.
///
/// # Safety
/// The handle of a library that is open.
pub unsafe fn symbol_of(library: NonNull<c_void>, name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: an open library (`# Safety`); dlsym only reads the name.
    NonNull::new(unsafe { libc::dlsym(library.as_ptr(), name.as_ptr()) })
}

/// A library loaded by name; it stays loaded until `close`.
#[derive(Debug)]
pub struct Library(NonNull<c_void>);

impl Library {
    /// Loads the library `name` and runs its constructors, unless it is loaded.
    ///
    /// # Errors
    /// The loader's message.
    pub fn open(name: &CStr) -> Result<Self, &CStr> {
        // SAFETY: dlopen reads the name; the user chose the library, and thereby its constructors.
        match NonNull::new(unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) }) {
            Some(handle) => Ok(Library(handle)),
            None => Err(last_error()),
        }
    }

    /// The definition of `name` in the library or its dependencies.
    ///
    /// # Errors
    /// The loader's message.
    pub fn symbol(&self, name: &CStr) -> Result<NonNull<c_void>, &CStr> {
        // SAFETY: the handle is open until `close`.
        match NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) }) {
            Some(symbol) => Ok(symbol),
            None => Err(last_error()),
        }
    }

    /// Closes the library; the loader unloads it if no other reference is left.
    pub fn close(self) {
        // SAFETY: the handle is open, and `self` is consumed, so it is closed once.
        unsafe { libc::dlclose(self.0.as_ptr()) };
    }

    /// The loader's handle; the library stays open.
    pub fn into_handle(self) -> NonNull<c_void> {
        self.0
    }

    /// Keeps the library open, for any thread to close.
    pub fn keep(self) -> KeptLibrary {
        KeptLibrary(AtomicPtr::new(self.0.as_ptr()))
    }
}

/// A library that stays loaded until the first `close`, on any thread.
#[derive(Debug)]
pub struct KeptLibrary(AtomicPtr<c_void>);

impl KeptLibrary {
    /// Closes the library, unless a thread has closed it before.
    pub fn close(&self) {
        if let Some(handle) = NonNull::new(self.0.swap(ptr::null_mut(), AcqRel)) {
            Library(handle).close();
        }
    }
}

/// The message of the loader's call that has just failed on this thread. Valid until the thread's
/// next call of the loader.
fn last_error<'a>() -> &'a CStr {
    // SAFETY: dlerror returns null or a string that lives until the thread's next loader call.
    unsafe {
        let message = libc::dlerror();
        if message.is_null() { c"unknown error" } else { CStr::from_ptr(message) }
    }
}

/// The loaded object, program or library, that contains an address.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// The load address.
    pub(crate) base: *const c_void,
    /// The name of the object's file; for the program, the name by which it was called.
    pub(crate) name: &'a CStr,
    /// The exported symbol that begins at the address or last before it, and its address.
    pub(crate) symbol: Option<(&'a CStr, *const c_void)>,
    map: &'a LinkMap,
}

impl Object<'_> {
    /// The object at `address`; `None` if the loader knows no object there. Allocates nothing.
    ///
    /// # Safety
    /// The object is not unloaded while the result is used. This holds for an object whose code has
    /// called the runtime and not returned.
    pub unsafe fn around(address: *const c_void) -> Option<Self> {
        let mut info = MaybeUninit::<libc::Dl_info>::uninit();
        let mut map: *const LinkMap = ptr::null();
        // SAFETY: unless it returns 0, dladdr1 writes `info` and, with RTLD_DL_LINKMAP, a link_map
        // pointer. Map and names live as long as the object is loaded (`# Safety`). Only the
        // symbol's name may be null.
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
    pub fn path(&self) -> &CStr {
        // SAFETY: the loader's string lives as long as the object is loaded.
        unsafe { CStr::from_ptr(self.map.name) }
    }

    /// The address in the object's file that corresponds to `address`.
    pub(crate) fn address_in_file(&self, address: *const c_void) -> u64 {
        address.addr().wrapping_sub(self.map.base) as u64
    }
}

/// The load address of the object at `address`; `None` if there is no object.
pub(crate) fn base_of(address: *const c_void) -> Option<*const c_void> {
    // SAFETY: the names in the result, which could dangle, are not used.
    unsafe { Object::around(address) }.map(|object| object.base)
}

/// Makes the loader keep the object at `address` until the process ends, although the program
/// closes it. Returns false if there is no object.
///
/// # Safety
/// No thread unloads the object during the call.
pub unsafe fn keep_loaded(address: NonNull<c_void>) -> bool {
    // SAFETY: the object stays loaded during the call (`# Safety`); closing the handle restores the
    // object's reference count, not its mark.
    unsafe {
        let Some(object) = Object::around(address.as_ptr()) else { return false };
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
        let Some(library) = NonNull::new(libc::dlopen(object.map.name, flags)) else {
            return false;
        };
        libc::dlclose(library.as_ptr());
    }
    true
}

/// Runs the constructors of the object at `address`, unless they have run. Returns whether they
/// have run now.
///
/// While a program starts, the loader initializes its libraries one after the other, and the
/// runtime may come before the object at `address`. To load that object again initializes it and
/// its dependencies at once. The program itself always comes last: the result is false if it has
/// constructors of its own.
///
/// # Safety
/// The object that contains `address` is not unloaded meanwhile.
pub unsafe fn initialize_object_of(address: NonNull<c_void>) -> bool {
    // SAFETY: the object stays loaded (`# Safety`), and the new reference keeps it.
    unsafe {
        let Some(object) = Object::around(address.as_ptr()) else { return false };
        if object.path().is_empty() {
            return !has_constructors(object.map.dynamic);
        }
        // The handle is not closed: the tool stays loaded until the process ends.
        !libc::dlopen(object.map.name, libc::RTLD_LAZY).is_null()
    }
}

/// Whether the object has more constructors than the one of every compiler's start-up files.
///
/// # Safety
/// `dynamic` is the dynamic section of a loaded object, or null.
unsafe fn has_constructors(mut dynamic: *const DynamicEntry) -> bool {
    if dynamic.is_null() {
        return false;
    }
    // SAFETY: the dynamic section of a loaded object (`# Safety`) ends with DT_NULL.
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
        Library, Object, base_of, folders_of_program, has_one_thread, initialize_object_of,
        keep_loaded, symbol_in_address_space, symbol_seen_from,
    };
    use crate::os::own_object::{is_ours, own_base};
    use core::ffi::c_void;
    use core::ptr::{self, NonNull};

    #[test]
    fn a_symbol_of_libc_is_found_and_not_ours() {
        let symbol = symbol_in_address_space(c"getpid").expect("libc is loaded");
        assert!(!is_ours(symbol));
        // SAFETY: libc stays loaded.
        assert!(unsafe { initialize_object_of(symbol) });
        assert!(symbol_in_address_space(c"oxomp_no_such_symbol").is_none());
    }

    #[test]
    fn a_process_with_a_second_thread_has_not_one() {
        std::thread::spawn(|| assert!(!has_one_thread())).join().expect("two threads");
    }

    #[test]
    fn the_programs_libraries_lie_in_its_folders() {
        let folders = folders_of_program();
        let has_libc = folders.iter().any(|folder| folder.join("libc.so.6").exists());
        assert!(has_libc, "{folders:?}");
    }

    #[test]
    fn a_symbol_is_looked_for_around_an_address_first() {
        let libc_code = libc::getpid as *const c_void;
        // SAFETY: libc and the test stay loaded; no object is at null.
        let seen_from = |address, name| unsafe { symbol_seen_from(address, name) };
        let found = seen_from(libc_code, c"getpid").expect("libc has it");
        assert!(found.as_ptr().cast_const() == libc_code);
        let own_code = base_of as *const c_void;
        assert_eq!(seen_from(own_code, c"getpid"), Some(found));
        assert_eq!(seen_from(ptr::null(), c"getpid"), Some(found));
        assert!(seen_from(libc_code, c"oxomp_no_such_symbol").is_none());
    }

    #[test]
    fn what_lies_around_an_address_is_known() {
        let address = libc::getpid as *const c_void;
        // SAFETY: libc is never unloaded.
        let object = unsafe { Object::around(address) }.expect("libc is loaded");
        assert!(object.path().to_string_lossy().contains("libc.so"), "{object:?}");
        let (name, begin) = object.symbol.expect("getpid is exported");
        assert!(name.to_string_lossy().contains("getpid") && begin == address);
        assert!(object.base != own_base());
        // SAFETY: no object is at that address.
        assert!(unsafe { Object::around(ptr::without_provenance(16)) }.is_none());
    }

    #[test]
    fn an_object_that_is_kept_outlives_its_handles() {
        let open = || Library::open(c"libresolv.so.2").expect("the C library has it");
        let code = |library: &Library| library.symbol(c"ns_get16").expect("it is exported");
        let library = open();
        let address = code(&library);
        library.close();
        assert!(base_of(address.as_ptr()).is_none(), "nothing else loads it");
        let library = open();
        let address = code(&library);
        // SAFETY: the test closes the library afterwards.
        assert!(unsafe { keep_loaded(address) });
        library.close();
        assert!(base_of(address.as_ptr()).is_some());
        // SAFETY: no object is at that address.
        assert!(!unsafe { keep_loaded(NonNull::dangling()) });
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
