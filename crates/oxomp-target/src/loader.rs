//! The objects that the loader of the process has loaded.

use core::ffi::{c_int, c_void};
use core::ops::Range;
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
