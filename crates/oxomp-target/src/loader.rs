//! The objects that the loader of the process has loaded, and what they export.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::{MaybeUninit, transmute_copy};
use core::ops::Range;
use core::ptr::{self, NonNull};
use core::slice;

/// An object of the process: its executable, or a library.
#[derive(Clone, Copy, Debug)]
pub struct LoadedObject<'a> {
    base: usize,
    headers: &'a [libc::Elf64_Phdr],
}

impl LoadedObject<'_> {
    /// Where the loader has put it.
    #[must_use]
    pub fn base(&self) -> usize {
        self.base
    }

    /// The addresses of its segments.
    pub fn segments(&self) -> impl Iterator<Item = Range<usize>> {
        let loaded = self.headers.iter().filter(|it| it.p_type == libc::PT_LOAD);
        loaded.map(|it| {
            let start = self.base.wrapping_add(it.p_vaddr as usize);
            start..start.wrapping_add(it.p_memsz as usize)
        })
    }
}

/// Calls `look` for each object until it returns a value, and returns that. `look` runs with the
/// loader's lock held.
pub fn search<T>(mut look: impl FnMut(LoadedObject<'_>) -> Option<T>) -> Option<T> {
    let mut found = None;
    let mut visit = |object: LoadedObject<'_>| {
        found = look(object);
        found.is_some()
    };
    let mut visitor: &mut dyn FnMut(LoadedObject<'_>) -> bool = &mut visit;
    // SAFETY: the function is for the loader, and takes a visitor.
    unsafe { libc::dl_iterate_phdr(Some(visit_with), (&raw mut visitor).cast()) };
    found
}

/// The function or variable `name` that the loader finds by `library`, as a pointer of type `F`.
///
/// # Safety
/// A handle of the loader; the function or variable of that name has the type `F`.
pub(crate) unsafe fn symbol<F: Copy>(library: *mut c_void, name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: a handle of the loader, and a string.
    let address = NonNull::new(unsafe { libc::dlsym(library, name.as_ptr()) })?;
    // SAFETY: something of this type (`# Safety`), and a pointer like any pointer.
    Some(unsafe { transmute_copy::<NonNull<c_void>, F>(&address) })
}

/// A handle of the library that contains `address`, which stays loaded; `None` without such a
/// library. The caller holds no lock.
pub(crate) fn library_at(address: *const c_void) -> Option<*mut c_void> {
    let name = name_at(address)?;
    // SAFETY: the name of a loaded library, whose constructors have run or are running.
    let library = unsafe { libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    (!library.is_null()).then_some(library)
}

/// The name of the object that contains `address`; the object stays loaded while it is used.
fn name_at(address: *const c_void) -> Option<*const c_char> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the place is this function's own, and zeros are valid in it.
    let name = unsafe {
        libc::dladdr(address, info.as_mut_ptr());
        info.assume_init().dli_fname
    };
    (!name.is_null()).then_some(name)
}

/// The file of the object that contains `address`. The caller holds no lock.
pub(crate) fn file_of(address: usize) -> String {
    let Some(name) = name_at(ptr::without_provenance(address)) else {
        return "a library".to_owned();
    };
    // SAFETY: the loader's string for a library that stays loaded meanwhile.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

/// Returns what ends the loader's iteration, or 0.
///
/// # Safety
/// The loader calls it with an object and the visitor of `search`.
unsafe extern "C" fn visit_with(
    object: *mut libc::dl_phdr_info,
    _size: usize,
    visitor: *mut c_void,
) -> c_int {
    // SAFETY: the caller's own promise (`# Safety`); the object has `dlpi_phnum` headers.
    let (object, visitor) = unsafe {
        let object = &*object;
        let headers = slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum));
        let visitor = &mut *visitor.cast::<&mut dyn FnMut(LoadedObject<'_>) -> bool>();
        (LoadedObject { base: object.dlpi_addr as usize, headers }, visitor)
    };
    visitor(object).into()
}

#[cfg(test)]
mod tests {
    use super::search;

    #[test]
    fn the_object_that_has_a_function_is_found() {
        let address = super::visit_with as *const () as usize;
        let found = search(|object| {
            object.segments().find(|it| it.contains(&address)).map(|it| (object.base(), it))
        });
        let (base, segment) = found.expect("the test itself is loaded");
        assert!(base <= segment.start);
        assert!(search(|object| object.segments().find(|it| it.contains(&1))).is_none());
    }
}
