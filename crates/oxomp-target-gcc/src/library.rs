//! The object that an image of gcc's belongs to: its functions and variables on the host, whose
//! counterparts in the image have the same places.

use core::slice;

use oxomp_sys::connection::oxomp_gcc_image_t;
use oxomp_sys::gomp::{GOMP_LINK_BIT, gomp_host_table};
use oxomp_target::entry::OffloadEntry;
use oxomp_target::library::Library;
use oxomp_target::plugin::{Image, OpaqueImage};

use crate::nvptx;

/// The words of a variable in the table: its address and its size.
const VARIABLE_WORDS: usize = 2;

/// The library of an image, and the address that stands for its registration.
///
/// # Safety
/// A program registers the image, with its table, and both stay until the library is unregistered.
#[must_use]
pub unsafe fn library(image: &oxomp_gcc_image_t) -> Library {
    let opaque = OpaqueImage {
        device_type: image.device_type,
        version: image.version,
        data: image.data.expose_provenance(),
        // SAFETY: an image that a program registers (`# Safety`).
        bytes: unsafe { nvptx::bytes(image) },
    };
    // SAFETY: null, or the program's table (`# Safety`).
    let entries = match unsafe { image.host_table.cast::<gomp_host_table>().as_ref() } {
        // SAFETY: as above.
        Some(table) => unsafe { entries(table, image) },
        None => Vec::new(),
    };
    Library::new(image.data.addr(), vec![Image::Opaque(opaque)], entries)
}

/// # Safety
/// As for `library`.
unsafe fn entries(
    table: &gomp_host_table,
    image: &oxomp_gcc_image_t,
) -> Vec<OffloadEntry<'static>> {
    // SAFETY: the ranges of the program's table (`# Safety`).
    let (functions, variables) = unsafe {
        (
            between(table.functions, table.functions_end),
            between(table.variables, table.variables_end),
        )
    };
    // SAFETY: as above.
    let names = unsafe { nvptx::names(image, functions.len()) };
    let kernels = functions.iter().enumerate().map(|(index, function)| OffloadEntry::Kernel {
        region: function.addr(),
        name: names.get(index).copied().unwrap_or_default(),
    });
    let variable = |words: &[usize]| {
        let (address, bytes) = (words[0], words[1] & !GOMP_LINK_BIT);
        if words[1] & GOMP_LINK_BIT != 0 {
            return OffloadEntry::LinkedVariable { address, bytes };
        }
        OffloadEntry::Variable { address, name: c"", bytes, is_link: false }
    };
    kernels.chain(variables.chunks_exact(VARIABLE_WORDS).map(variable)).collect()
}

/// # Safety
/// `first` and `end` are the begin and the end of an array of the program.
unsafe fn between<T>(first: *const T, end: *const T) -> &'static [T] {
    let count = end.addr().saturating_sub(first.addr()) / size_of::<T>();
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { slice::from_raw_parts(first, count) }
}
