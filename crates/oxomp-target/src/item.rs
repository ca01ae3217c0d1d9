//! The list items of a construct, as the compiler passes them or as a mapper expands them.

use core::ffi::c_void;
use core::mem::transmute;
use core::ptr;

use oxomp_sys::offload::{__tgt_target_non_contig as Dimension, mapper_t};

use crate::components::{Component, Components};
use crate::location::ItemName;
use crate::map_type::MapType;

/// More dimensions than a section has.
const MOST_DIMENSIONS: usize = 16;
/// Arrays that lie nearer to each other than this are in one frame, or in the data of one task; a
/// constant array of the program is farther away.
const NEAR: usize = 1 << 20;

/// A list item: what a construct does with a range of the host's memory.
///
/// An item exists only by an `unsafe` function, whose caller promises that the ranges are valid for
/// the construct: reads for transfers to the device, writes for those from it.
#[derive(Clone, Copy, Debug)]
pub struct MapItem {
    /// The base of the item: the address from which kernels index it, or the address of the pointer
    /// to attach.
    pub base: usize,
    /// The first byte, or the array of dimensions.
    pub begin: usize,
    /// The number of bytes, or of dimensions; 0 for a negative number.
    pub bytes: usize,
    /// The number of bytes or of dimensions as the program has computed it.
    size: i64,
    /// Whether the sizes of all items of the construct are constants of the compiler.
    has_constant_size: bool,
    /// What is done.
    pub map_type: MapType,
    /// The name, for messages.
    pub name: ItemName,
    /// The mapper that expands the item.
    mapper: Option<mapper_t>,
    /// Where the base stands in the compiler's array; null for items of mappers.
    slot: *mut *mut c_void,
}

/// The arrays by which the compiler passes items.
#[derive(Clone, Copy, Debug)]
pub struct ItemArrays {
    /// The number of items.
    pub count: usize,
    /// Their bases.
    pub bases: *mut *mut c_void,
    /// Their first bytes.
    pub begins: *mut *mut c_void,
    /// Their sizes.
    pub sizes: *const i64,
    /// Their map types.
    pub types: *const i64,
    /// Their names; null without names.
    pub names: *const *mut c_void,
    /// Their mappers; null without mappers.
    pub mappers: *const *mut c_void,
}

impl ItemArrays {
    /// The items; none without arrays for them.
    ///
    /// # Safety
    /// The compiler made the arrays for this construct, and the memory of the items is valid while
    /// the items are in use.
    #[must_use]
    pub unsafe fn read(&self) -> Vec<MapItem> {
        let is_missing = self.bases.is_null() || self.begins.is_null();
        if is_missing || self.sizes.is_null() || self.types.is_null() {
            return Vec::new();
        }
        let at = |array: *const *mut c_void, index| {
            if array.is_null() {
                return ptr::null_mut();
            }
            // SAFETY: an array that is there has `count` elements.
            unsafe { *array.add(index) }
        };
        let has_constant_size = self.sizes.addr().abs_diff(self.bases.addr()) > NEAR;
        (0..self.count)
            .map(|index| {
                // SAFETY: the arrays have `count` elements.
                let (slot, begin, size, map_type) = unsafe {
                    let (size, map_type) = (*self.sizes.add(index), *self.types.add(index));
                    (self.bases.add(index), *self.begins.add(index), size, map_type)
                };
                MapItem {
                    // SAFETY: as above.
                    base: unsafe { *slot }.expose_provenance(),
                    begin: begin.expose_provenance(),
                    bytes: usize::try_from(size).unwrap_or(0),
                    size,
                    has_constant_size,
                    map_type: MapType(map_type as u64),
                    // SAFETY: names are strings of the program.
                    name: unsafe { ItemName::new(at(self.names, index)) },
                    // SAFETY: mappers are functions of this type, or null.
                    mapper: unsafe {
                        transmute::<*mut c_void, Option<mapper_t>>(at(self.mappers, index))
                    },
                    slot,
                }
            })
            .collect()
    }
}

/// A list item as a compiler other than clang passes it.
#[derive(Clone, Copy, Debug)]
pub struct PlainItem {
    /// The base, for an item that attaches a pointer the address of the pointer.
    pub base: usize,
    /// The first byte.
    pub begin: usize,
    /// The number of bytes.
    pub bytes: usize,
    /// What is done.
    pub map_type: MapType,
    /// Where the address stands in the compiler's array.
    pub slot: *mut *mut c_void,
}

impl PlainItem {
    /// The item.
    ///
    /// # Safety
    /// The memory of the item is valid while the item is in use; if a pointer is attached, it is at
    /// the base.
    #[must_use]
    pub unsafe fn promised(self) -> MapItem {
        let Self { base, begin, bytes, map_type, slot } = self;
        MapItem {
            base,
            begin,
            bytes,
            size: i64::try_from(bytes).unwrap_or(-1),
            has_constant_size: false,
            map_type,
            name: ItemName::default(),
            mapper: None,
            slot,
        }
    }
}

impl MapItem {
    /// The number of bytes, if the item is not in the address space: the number is negative, or the
    /// bytes reach beyond the last address (OpenMP 5.2 §3.2.5 demands a length of at least 0).
    #[must_use]
    pub fn impossible_size(&self) -> Option<i64> {
        let has_end =
            || self.map_type.is_non_contiguous() || self.begin.checked_add(self.bytes).is_some();
        (self.size < 0 || !has_end()).then_some(self.size)
    }

    /// The items that the item's mapper makes of it; `None` if it has no mapper. The map type
    /// delete applies to all of them (OpenMP 5.2 table 5.3), though clang's mappers drop it.
    #[must_use]
    pub fn expand(&self) -> Option<Vec<MapItem>> {
        let mapper = self.mapper?;
        let mut components = Components::default();
        // SAFETY: the compiler made the mapper for this item. It passes the handle on to the two
        // functions for mappers, which use the handle as the list.
        unsafe {
            mapper(
                (&raw mut components).cast(),
                ptr::with_exposed_provenance_mut(self.base),
                ptr::with_exposed_provenance_mut(self.begin),
                self.bytes as i64,
                self.map_type.0 as i64,
                self.name.as_ptr(),
            );
        }
        Some(components.items().iter().map(|component| self.expanded(component)).collect())
    }

    /// An item that the item's mapper has pushed.
    fn expanded(&self, component: &Component) -> Self {
        let map_type = MapType(component.map_type as u64);
        Self {
            base: component.base.expose_provenance(),
            begin: component.begin.expose_provenance(),
            bytes: usize::try_from(component.size).unwrap_or(0),
            size: component.size,
            has_constant_size: false,
            map_type: if self.map_type.is_delete() { map_type.deleting() } else { map_type },
            // SAFETY: names are strings of the program.
            name: unsafe { ItemName::new(component.name) },
            mapper: None,
            slot: ptr::null_mut(),
        }
    }

    /// The value of the pointer whose address is the item's base.
    #[must_use]
    pub fn pointer_value(&self) -> usize {
        let pointer = ptr::with_exposed_provenance::<*mut c_void>(self.base);
        // SAFETY: the base of such an item is the address of a pointer of the program.
        unsafe { pointer.read_unaligned() }.expose_provenance()
    }

    /// Passes `address` back to the construct's code in place of the base.
    pub fn return_base(&self, address: usize) {
        if self.slot.is_null() {
            return;
        }
        // SAFETY: the element of the compiler's array from which the base was read.
        unsafe { *self.slot = ptr::with_exposed_provenance_mut(address) };
    }

    /// The address in the compiler's array at which the base of the item stands; 0 for items of
    /// mappers. It is the same at the begin and at the end of a region.
    #[must_use]
    pub fn array(&self) -> usize {
        self.slot.addr()
    }

    /// The dimensions of an item that is not contiguous, the outermost first. The last dimension
    /// describes an element: one, at offset 0. `end` is where the array of another item begins, if
    /// there is one behind this item's array. `None` if the dimensions stand there in no known
    /// form.
    ///
    /// If the length of the section is a constant, clang passes the number of dimensions as the
    /// size. Otherwise (up to clang 22) it passes the bytes that the innermost dimension of the
    /// section has without its stride. The sizes of a construct are a constant array unless the
    /// program computes one of them; then the last dimension is the first one that fits either
    /// form.
    #[must_use]
    pub fn dimensions(&self, end: Option<usize>) -> Option<Vec<Dimension>> {
        let room = end.map_or(MOST_DIMENSIONS, |end| (end - self.begin) / size_of::<Dimension>());
        let room = room.min(MOST_DIMENSIONS);
        let first = ptr::with_exposed_provenance::<Dimension>(self.begin);
        // SAFETY: such an item's begin is an array of dimensions, at least two, in the frame of the
        // function that has the construct. If the size is not their number, the search may look
        // behind them: at this distance further up stand the frames of its callers.
        let at = |index| unsafe { first.add(index).read_unaligned() };
        let is_inner = |&index: &usize| at(index).stride <= at(index - 1).stride;
        let is_element = |index: usize| matches!(at(index), Dimension { offset: 0, count: 1, .. });
        let bytes = |index: usize| at(index - 1).count.wrapping_mul(at(index).stride);
        let inner = || (1..room).take_while(is_inner).filter(|&index| is_element(index));
        let fits = |&index: &usize| {
            let has_bytes = !self.has_constant_size && bytes(index) == self.bytes as u64;
            index + 1 == self.bytes || has_bytes
        };
        let last = inner().find(fits)?;
        Some((0..=last).map(at).collect())
    }
}
