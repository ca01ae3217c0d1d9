//! The list items of a construct, as the compiler passes them or as a mapper expands them.

use core::ffi::c_void;
use core::mem::transmute;
use core::ptr;

use oxomp_sys::offload::mapper_t;

use crate::location::ItemName;
use crate::map_type::MapType;

/// A list item: what a construct does with a range of the host's memory.
///
/// An item exists only by an `unsafe` function, whose caller promises that the ranges are valid for
/// the construct: reads for transfers to the device, writes for those from it.
#[derive(Clone, Copy, Debug)]
pub struct MapItem {
    /// The base of the item: the address from which kernels index it, or of the pointer to attach.
    pub base: usize,
    /// The first byte, or the array of dimensions.
    pub begin: usize,
    /// The number of bytes, or of dimensions.
    pub bytes: usize,
    /// What is done.
    pub map_type: MapType,
    /// The name, for messages.
    pub name: ItemName,
    /// The mapper that expands the item.
    mapper: Option<mapper_t>,
    /// Where the base stands; null for items of mappers.
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
    /// Their names; null for none.
    pub names: *const *mut c_void,
    /// Their mappers; null for none.
    pub mappers: *const *mut c_void,
}

impl ItemArrays {
    /// The items.
    ///
    /// # Safety
    /// The compiler made the arrays for this construct, and the memory of the items is valid while
    /// the items are in use.
    #[must_use]
    pub unsafe fn read(&self) -> Vec<MapItem> {
        let at = |array: *const *mut c_void, index| {
            if array.is_null() {
                return ptr::null_mut();
            }
            // SAFETY: an array that is there has `count` elements.
            unsafe { *array.add(index) }
        };
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

/// The list that mappers push their items to, behind the handle that they pass on.
#[derive(Debug, Default)]
pub struct Components {
    items: Vec<MapItem>,
}

impl Components {
    /// Appends an item.
    ///
    /// # Safety
    /// The memory of the item is valid for the construct whose item the mapper expands.
    pub unsafe fn push(
        &mut self,
        base: *mut c_void,
        begin: *mut c_void,
        size: i64,
        map_type: i64,
        name: *mut c_void,
    ) {
        self.items.push(MapItem {
            base: base.expose_provenance(),
            begin: begin.expose_provenance(),
            bytes: usize::try_from(size).unwrap_or(0),
            map_type: MapType(map_type as u64),
            // SAFETY: names are strings of the program.
            name: unsafe { ItemName::new(name) },
            mapper: None,
            slot: ptr::null_mut(),
        });
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl MapItem {
    /// The items that the item's mapper makes of it; none if it has no mapper. The map type delete
    /// applies to all of them (OpenMP 5.2 table 5.3), though clang's mappers drop it.
    #[must_use]
    pub fn expand(&self) -> Option<Vec<MapItem>> {
        let mapper = self.mapper?;
        let mut components = Components::default();
        // SAFETY: the compiler made the mapper for this item. It passes the handle on to the two
        // functions for mappers, which use it as the list that it is.
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
        if self.map_type.is_delete() {
            for item in &mut components.items {
                item.map_type = item.map_type.deleting();
            }
        }
        Some(components.items)
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

    /// The address of the compiler's array in which the base of the item stands; 0 for none. It is
    /// the same at the begin and at the end of a region.
    #[must_use]
    pub fn array(&self) -> usize {
        self.slot.addr()
    }

    /// The dimensions of an item that is not contiguous.
    #[must_use]
    pub fn dimensions(&self) -> Vec<oxomp_sys::offload::__tgt_target_non_contig> {
        let first = ptr::with_exposed_provenance(self.begin);
        // SAFETY: such an item's begin is an array of so many dimensions.
        unsafe { core::slice::from_raw_parts(first, self.bytes) }.to_vec()
    }
}
