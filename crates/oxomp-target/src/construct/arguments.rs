//! The arguments of a kernel: a word for each list item that the kernel has a parameter for.

use core::ptr;

use super::cleanup::PrivateCopy;
use super::{Construct, memory};
use crate::item::MapItem;
use crate::mapping::POINTER_BYTES;
use crate::plugin::{ALIGNMENT, Address, MemoryKind};
use crate::report::Mistake;
use crate::transfer::Transfer;

impl Construct<'_> {
    /// The arguments; the items are mapped.
    pub(super) fn arguments(&mut self, items: &[MapItem]) -> Result<Vec<u64>, Mistake> {
        let mut arguments = Vec::with_capacity(items.len());
        // The index of each item's argument, for items that depend on others.
        let mut positions = vec![None; items.len()];
        for (index, item) in items.iter().enumerate() {
            if item.map_type.is_parameter() {
                positions[index] = Some(arguments.len());
                arguments.push(self.argument(item)?);
            } else if item.map_type.is_capture() {
                let parent = item.map_type.parent();
                let position = parent.and_then(|it| positions.get(it).copied().flatten());
                let (Some(parent), Some(position)) = (parent, position) else { continue };
                self.capture(item, &items[parent], arguments[position])?;
            }
        }
        Ok(arguments)
    }

    fn argument(&mut self, item: &MapItem) -> Result<u64, Mistake> {
        let map_type = item.map_type;
        if map_type.is_literal() {
            return Ok(item.base as u64);
        }
        let base = match map_type.is_pointer_and_object() {
            true => item.pointer_value(),
            false => item.base,
        };
        let address = match map_type.is_private() {
            true => self.private_copy(item)?,
            false => match self.counterpart(item)? {
                Some(address) => address,
                None if map_type.is_null_if_absent() => return Ok(0),
                // Memory of no bytes that is not mapped: the pointer keeps its value.
                None => Address(item.begin),
            },
        };
        Ok(address.minus(item.begin.wrapping_sub(base)).0 as u64)
    }

    /// The device address of the item; `None` for an item of no bytes that is not mapped.
    fn counterpart(&self, item: &MapItem) -> Result<Option<Address>, Mistake> {
        let (host, table) = (memory(item), self.device.table());
        // A mapper may map a part of its structure only.
        match table.overlapping(&host) {
            Some(entry) => Ok(Some(entry.translate(item.begin))),
            None if self.is_memory_unified || host.is_empty() => Ok(None),
            None => Err(Mistake::Unmapped(self.place_of(item, &host))),
        }
    }

    /// A private copy on the device, for this construct.
    fn private_copy(&mut self, item: &MapItem) -> Result<Address, Mistake> {
        let offset = item.begin % ALIGNMENT;
        let bytes = item.bytes.max(1) + offset;
        let copy = {
            let mut operation = self.scope.allocation(self.device, item.begin, item.bytes);
            let allocation = self.device.device.allocate(bytes, MemoryKind::Device);
            let copy = allocation.map(|allocation| allocation.plus(offset));
            operation.allocated(copy);
            allocation.zip(copy)
        };
        let Some((allocation, copy)) = copy else {
            return Err(Mistake::NoMemory(self.place_of(item, &memory(item))));
        };
        let host = memory(item);
        self.cleanup.copies.push(PrivateCopy { host, device: copy, allocation });
        if item.map_type.is_to() && item.bytes > 0 {
            let (host, bytes, name) = (item.begin, item.bytes, item.name);
            let transfer = Transfer { host, device: copy, bytes, name };
            let from = ptr::with_exposed_provenance(host);
            // SAFETY: the host memory is the item's (`MapItem`), the copy was just allocated.
            unsafe { self.channel().send(&transfer, from)? };
        }
        Ok(copy)
    }

    /// Stores the device address of a captured variable in the lambda's copy, which is `argument`.
    fn capture(&mut self, item: &MapItem, lambda: &MapItem, argument: u64) -> Result<(), Mistake> {
        let value = {
            let table = self.device.table();
            let Some(entry) = table.present(&memory(item)) else { return Ok(()) };
            entry.translate(item.begin)
        };
        let place = Address(argument as usize).plus(item.base.wrapping_sub(lambda.begin));
        let value = self.cleanup.keep(value.0);
        let (host, bytes, name) = (item.base, POINTER_BYTES, item.name);
        let transfer = Transfer { host, device: place, bytes, name };
        // SAFETY: the capture is a pointer in the lambda's copy, and the value is kept until the
        // queue's operations are done.
        unsafe { self.channel().send(&transfer, value.cast())? };
        Ok(())
    }
}
