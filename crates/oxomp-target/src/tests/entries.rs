//! Offload entries in both formats.

use core::ffi::{CStr, c_void};

use oxomp_sys::offload::{offload_entry_19, offload_entry_22};

use crate::entry::{OffloadEntry, read};

const KERNEL: &CStr = c"__omp_offloading_1_2_f_l3";
const VARIABLE: &CStr = c"table";

fn entries<T>(table: &[T]) -> Vec<OffloadEntry<'static>> {
    let range = table.as_ptr_range();
    // SAFETY: a table in the format of its type; the names are constants.
    unsafe { read(range.start.cast(), range.end.cast()) }
}

fn old(address: usize, name: &'static CStr, size: u64, flags: i32, data: i32) -> offload_entry_19 {
    let addr = core::ptr::without_provenance::<c_void>(address);
    offload_entry_19 { addr, name: name.as_ptr(), size, flags, data }
}

fn new(kind: u16, address: usize, name: &'static CStr, size: u64, flags: u32) -> offload_entry_22 {
    offload_entry_22 {
        reserved: 0,
        version: 1,
        kind,
        flags,
        addr: core::ptr::without_provenance(address),
        name: name.as_ptr(),
        size,
        data: 8,
        aux_addr: core::ptr::null(),
    }
}

#[test]
fn clang_19_writes_kernels_variables_and_requirements() {
    let table = [old(0, c"", 0, 0x10, 8), old(16, KERNEL, 0, 0, 0), old(32, VARIABLE, 40, 1, 0)];
    assert_eq!(
        entries(&table),
        [
            OffloadEntry::Requires(8),
            OffloadEntry::Kernel { region: 16, name: KERNEL },
            OffloadEntry::Variable { address: 32, name: VARIABLE, bytes: 40, is_link: true },
        ]
    );
}

#[test]
fn seven_entries_of_clang_19_are_as_long_as_four_of_clang_22() {
    let table = [old(0, c"", 0, 0x10, 1); 7];
    assert_eq!(entries(&table), [OffloadEntry::Requires(1); 7]);
}

#[test]
fn clang_22_shares_its_table_with_other_languages() {
    let table = [
        new(2, 8, c"of_cuda", 0, 0),
        new(1, 16, KERNEL, 0, 0),
        new(1, 32, VARIABLE, 40, 0),
        new(1, 48, c"indirect", 8, 8),
        new(1, 0, c".requires", 0, 0x10),
    ];
    assert_eq!(
        entries(&table),
        [
            OffloadEntry::Kernel { region: 16, name: KERNEL },
            OffloadEntry::Variable { address: 32, name: VARIABLE, bytes: 40, is_link: false },
            OffloadEntry::IndirectFunction { address: 48, name: c"indirect" },
            OffloadEntry::Requires(8),
        ]
    );
}

#[test]
fn a_library_without_entries_has_none() {
    assert_eq!(entries::<offload_entry_22>(&[]), []);
}

#[test]
fn entries_beyond_the_address_space_and_half_entries_are_left_out() {
    let table = [
        new(1, 32, VARIABLE, u64::MAX, 0),
        new(1, usize::MAX - 8, VARIABLE, 40, 0),
        new(1, 32, VARIABLE, 1 << 63, 0),
        new(1, 16, KERNEL, 0, 0),
    ];
    assert_eq!(entries(&table), [OffloadEntry::Kernel { region: 16, name: KERNEL }]);
    let cut = [old(0, c"", 0, 0x10, 8), old(16, KERNEL, 0, 0, 0)];
    let range = cut.as_ptr_range();
    // SAFETY: a part of the table.
    let found = unsafe { read(range.start.cast(), range.end.wrapping_byte_sub(1).cast()) };
    assert_eq!(found, [OffloadEntry::Requires(8)]);
    // SAFETY: with the end before the begin, the table has no entries.
    assert_eq!(unsafe { read(range.end.cast(), range.start.cast()) }, []);
}
