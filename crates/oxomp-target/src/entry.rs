//! Offload entries: the parts of a library that have counterparts in its images, in the formats of
//! clang 19 and of clang 22.

use core::ffi::{CStr, c_char, c_void};
use core::mem::size_of;

use oxomp_sys::offload::{entry_flag, offload_entry_19, offload_entry_22};

/// The OpenMP kind of an entry of clang 22.
const OPENMP: u16 = 1;
/// The version of the entries of clang 22.
const VERSION: u16 = 1;
/// The last kind that shares the table: OpenMP, CUDA, HIP, SYCL are 1, 2, 4 and 8.
const LAST_KIND: u16 = 0x10;
/// More than any flags of an entry, and less than the upper half of an address of a name.
const MOST_FLAGS: u32 = 0xFF;

/// What the names of reference pointers end with.
const REFERENCE: &[u8] = b"_decl_tgt_ref_ptr";

/// What an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffloadEntry<'a> {
    /// A target region: its id on the host, and the name of its kernel.
    Kernel {
        /// The address that launches pass.
        region: usize,
        /// The kernel's name in the image.
        name: &'a CStr,
    },
    /// A variable of a declare target directive.
    Variable {
        /// The variable's address on the host; with `is_link`, the address of the reference
        /// pointer.
        address: usize,
        /// The variable's name in the image.
        name: &'a CStr,
        /// The variable's size in bytes.
        bytes: usize,
        /// Whether it is a reference pointer (the link clause, or unified shared memory).
        is_link: bool,
    },
    /// A variable of a declare target directive with the link clause, in gcc's code: the image has
    /// a pointer, which leads to the variable's counterpart while the variable is mapped.
    LinkedVariable {
        /// The variable's address on the host.
        address: usize,
        /// The variable's size in bytes.
        bytes: usize,
    },
    /// A function that may be called through a pointer.
    IndirectFunction {
        /// The function's address on the host.
        address: usize,
        /// The name of the variable in the image that holds the function's address on the device.
        name: &'a CStr,
    },
    /// The bits of the library's requires directives.
    Requires(u64),
}

/// How the entries of a library are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Clang19,
    Clang22,
}

/// Reads the entries of a library. Entries of other languages than OpenMP are left out.
///
/// # Safety
/// The range is the entry table of a library that stays loaded as long as `'a`.
pub unsafe fn read<'a>(begin: *const c_void, end: *const c_void) -> Vec<OffloadEntry<'a>> {
    let bytes = end.addr().saturating_sub(begin.addr());
    if begin.is_null() || bytes == 0 {
        return Vec::new();
    }
    // SAFETY: the table is not empty, and an entry of either format has these words.
    let format = unsafe { format(begin, bytes) };
    match format {
        Format::Clang19 => {
            let count = bytes / size_of::<offload_entry_19>();
            let entry = |index| {
                // SAFETY: the table has `count` entries, of alignment 1.
                unsafe { begin.cast::<offload_entry_19>().add(index).read_unaligned() }
            };
            (0..count)
                .map(entry)
                .filter_map(|it| {
                    // SAFETY: the names of a library's entries are its strings (`# Safety`).
                    let name = unsafe { string(it.name) };
                    interpret(it.flags as u32, it.addr, name, it.size, it.data as u32 as u64)
                })
                .collect()
        }
        Format::Clang22 => {
            let count = bytes / size_of::<offload_entry_22>();
            let entry = |index| {
                // SAFETY: the table has `count` entries.
                unsafe { begin.cast::<offload_entry_22>().add(index).read_unaligned() }
            };
            (0..count)
                .map(entry)
                .filter(|it| it.kind == OPENMP)
                .filter_map(|it| {
                    // SAFETY: the names of a library's entries are its strings (`# Safety`).
                    let name = unsafe { string(it.name) };
                    interpret(it.flags, it.addr, name, it.size, it.data)
                })
                .collect()
        }
    }
}

/// Which compiler wrote the table. The descriptor does not say. But an entry of clang 22 begins
/// with a word of 0 and a word with version and kind. An entry of clang 19 begins with an address;
/// if this is null, the next word is the address of a name, which is never so small.
///
/// # Safety
/// The table has at least one entry.
unsafe fn format(begin: *const c_void, bytes: usize) -> Format {
    // SAFETY: an entry of either format has at least 32 bytes.
    let (first, second) = unsafe {
        (begin.cast::<u64>().read_unaligned(), begin.cast::<u64>().add(1).read_unaligned())
    };
    // Entries of other languages may stand first: their kinds are other bits, their flags are few.
    let (version, kind, flags) = (second as u16, (second >> 16) as u16, (second >> 32) as u32);
    let is_versioned = version == VERSION && kind.is_power_of_two() && kind <= LAST_KIND;
    let fits_22 = bytes.is_multiple_of(size_of::<offload_entry_22>());
    if first == 0 && fits_22 && is_versioned && flags <= MOST_FLAGS {
        Format::Clang22
    } else {
        Format::Clang19
    }
}

/// # Safety
/// `text` is null or a string that lives as long as `'a`.
unsafe fn string<'a>(text: *const c_char) -> &'a CStr {
    if text.is_null() {
        return c"";
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { CStr::from_ptr(text) }
}

fn interpret(
    flags: u32,
    address: *const c_void,
    name: &CStr,
    bytes: u64,
    data: u64,
) -> Option<OffloadEntry<'_>> {
    let address_on_host = address.addr();
    if flags & entry_flag::REQUIRES != 0 {
        return Some(OffloadEntry::Requires(data));
    }
    // A damaged table may name no address, or bytes that reach beyond the last one.
    let end = address_on_host.checked_add(usize::try_from(bytes).ok()?)?;
    if address.is_null() || end > isize::MAX as usize {
        return None;
    }
    Some(if flags & entry_flag::INDIRECT != 0 {
        OffloadEntry::IndirectFunction { address: address_on_host, name }
    } else if bytes == 0 {
        OffloadEntry::Kernel { region: address_on_host, name }
    } else {
        OffloadEntry::Variable {
            address: address_on_host,
            name,
            bytes: bytes as usize,
            // With unified shared memory clang makes such a pointer for each variable, whatever its
            // clause, and says so in the name only.
            is_link: flags & entry_flag::LINK != 0 || name.to_bytes().ends_with(REFERENCE),
        }
    })
}
