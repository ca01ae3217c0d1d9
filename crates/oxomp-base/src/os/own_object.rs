//! The object, library or program, that contains the runtime: by its own headers, since dladdr(3)
//! compares an address with every symbol of the object, which took a third of a program's start.

use core::ffi::{CStr, c_int, c_void};
use core::mem::size_of;
use core::ptr::{self, NonNull};
use core::slice;
use std::ffi::CString;

use libc::{Elf64_Ehdr, Elf64_Phdr, PT_LOAD};

unsafe extern "C" {
    /// The begin of the object, which the linker defines in each.
    #[link_name = "__ehdr_start"]
    static HEADER: Elf64_Ehdr;
}

/// The load address of the object.
pub(crate) fn own_base() -> *const c_void {
    (&raw const HEADER).cast()
}

/// Whether `address` lies in the object.
pub fn is_ours(address: NonNull<c_void>) -> bool {
    let base = own_base();
    // SAFETY: the linker puts the program headers behind the header, and the loader maps both with
    // the first part, which begins with the file; none of them changes.
    let parts = unsafe {
        let first = base.wrapping_byte_add(HEADER.e_phoff as usize).cast::<Elf64_Phdr>();
        slice::from_raw_parts(first, HEADER.e_phnum.into())
    };
    let offset = address.as_ptr().addr().wrapping_sub(base.addr()) as u64;
    let begin = begin(parts);
    let holds = |part: &Elf64_Phdr| offset.wrapping_sub(part.p_vaddr - begin) < part.p_memsz;
    parts.iter().any(|part| part.p_type == PT_LOAD && holds(part))
}

/// The address that an object's file has for its begin.
fn begin(parts: &[Elf64_Phdr]) -> u64 {
    // The parts to load are in the order of their addresses.
    parts.iter().find(|part| part.p_type == PT_LOAD).map_or(0, |part| part.p_vaddr)
}

/// The path of the object as the loader has it; empty for the program, `None` if the loader does
/// not know the object.
pub fn own_path() -> Option<CString> {
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        bytes: usize,
        path: *mut c_void,
    ) -> c_int {
        debug_assert!(bytes >= size_of::<libc::dl_phdr_info>());
        // SAFETY: the C library passes its own structure, whose program headers and name live as
        // long as the object; `path` is as it was given.
        unsafe {
            if (*info).dlpi_phdr.is_null() {
                return 0;
            }
            let parts = slice::from_raw_parts((*info).dlpi_phdr, (*info).dlpi_phnum.into());
            if begin(parts).wrapping_add((*info).dlpi_addr) != own_base().addr() as u64 {
                return 0;
            }
            let name = (*info).dlpi_name;
            let name = if name.is_null() { c"" } else { CStr::from_ptr(name) };
            *path.cast::<Option<CString>>() = Some(name.to_owned());
        }
        1
    }
    let mut path = None::<CString>;
    // SAFETY: `look` writes the variable during the call only.
    unsafe { libc::dl_iterate_phdr(Some(look), ptr::from_mut(&mut path).cast()) };
    path
}

#[cfg(test)]
mod tests {
    use core::ffi::c_void;
    use core::ptr::NonNull;

    use super::{is_ours, own_base, own_path};
    use crate::os::loader::base_of;

    #[test]
    fn our_own_code_and_data_are_ours() {
        static DATA: u32 = 1;
        let code = is_ours as fn(NonNull<c_void>) -> bool as *mut c_void;
        let data = (&raw const DATA).cast_mut().cast();
        for own in [code, data] {
            assert!(is_ours(NonNull::new(own).expect("an address")));
        }
        assert_eq!(base_of(code), Some(own_base()));
    }

    #[test]
    fn the_code_of_a_library_is_not_ours() {
        let library = libc::getpid as *mut c_void;
        assert!(!is_ours(NonNull::new(library).expect("an address")));
        let mut local = 0_u32;
        assert!(!is_ours(NonNull::from(&mut local).cast()));
    }

    #[test]
    fn the_path_of_the_program_is_empty() {
        assert_eq!(own_path().as_deref(), Some(c""));
    }
}
