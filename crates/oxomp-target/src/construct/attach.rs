//! Pointer attachment (OpenMP 5.2 §5.8.6): a pointer in mapped memory gets the device address of
//! what it points to.

use super::Construct;
use super::transfer::Data;
use crate::info::Direction;
use crate::item::MapItem;
use crate::mapping::{Attached, POINTER_BYTES};
use crate::plugin::Address;
use crate::report::Mistake;
use crate::transfer::Transfer;

impl Construct<'_> {
    /// Attaches the pointer at the item's base, whose value on the host is `host`, to the device
    /// address `device`. If the pointer is attached already, it is attached anew only if
    /// `is_forced`.
    pub(super) fn attach(
        &mut self,
        item: &MapItem,
        host: usize,
        device: Address,
        is_forced: bool,
    ) -> Result<(), Mistake> {
        let pointer = item.base..item.base + POINTER_BYTES;
        let (address, name, ticket) = {
            let table = self.device.table();
            let Some(entry) = table.present(&pointer) else { return Ok(()) };
            (entry.translate(item.base), entry.name, table.ticket(entry.host.start))
        };
        let Some(ticket) = ticket else { return Ok(()) };
        let turn = self.enter(ticket)?;
        let was_attached = turn.shared().attach(item.base, Attached { host, device });
        if !was_attached || is_forced {
            let value = self.cleanup.keep(device.0);
            let transfer =
                Transfer { host: item.base, device: address, bytes: POINTER_BYTES, name };
            // SAFETY: the pointer is in an entry that is present, and the value is kept until the
            // queue's operations are done.
            unsafe { self.channel().send(&transfer, value.cast())? };
        }
        Ok(self.leave(turn)?)
    }

    /// Sends the null pointer at the item's base if this construct brings the data of its entry:
    /// nothing is attached to it, and code on the device may ask whether it is null.
    pub(super) fn send_null(&mut self, item: &MapItem) -> Result<(), Mistake> {
        let host = item.base..item.base + POINTER_BYTES;
        let (device, ticket) = {
            let table = self.device.table();
            let entry = table.present(&host).filter(|entry| entry.filler == self.number);
            let Some(entry) = entry else { return Ok(()) };
            (entry.translate(item.base), table.ticket(entry.host.start))
        };
        let Some(ticket) = ticket else { return Ok(()) };
        let turn = self.enter(ticket)?;
        self.transfer(&turn, Direction::ToDevice, &Data { host, device, name: item.name })?;
        Ok(self.leave(turn)?)
    }

    /// Makes the pointer null on the device, if this construct brings the data of its entry: it
    /// leads to no memory that the device has.
    fn attach_null(&mut self, item: &MapItem) -> Result<(), Mistake> {
        let is_new = {
            let table = self.device.table();
            let pointer = table.present(&(item.base..item.base + POINTER_BYTES));
            pointer.is_some_and(|entry| entry.filler == self.number)
        };
        let host = item.pointer_value();
        if is_new { self.attach(item, host, Address(0), true) } else { Ok(()) }
    }

    /// Ends the attachment of an item's pointer, if the pointer is present and what it points to is
    /// not any more: the device gets the host's value.
    pub(super) fn detach(&mut self, item: &MapItem) -> Result<(), Mistake> {
        let host = item.base..item.base + POINTER_BYTES;
        let (device, ticket) = {
            let table = self.device.table();
            let Some(pointer) = table.present(&host) else { return Ok(()) };
            if table.present(&(item.begin..item.begin)).is_some() {
                return Ok(());
            }
            (pointer.translate(item.base), table.ticket(pointer.host.start))
        };
        let Some(ticket) = ticket else { return Ok(()) };
        let turn = self.enter(ticket)?;
        if turn.shared().detach(item.base) {
            self.transfer(&turn, Direction::ToDevice, &Data { host, device, name: item.name })?;
        }
        Ok(self.leave(turn)?)
    }

    /// Attaches the pointer of an item that only attaches, if the pointer and what it points to are
    /// present, and one of them is new.
    pub(super) fn attach_item(&mut self, item: &MapItem) -> Result<(), Mistake> {
        let (value, is_new) = {
            let table = self.device.table();
            let pointer = table.present(&(item.base..item.base + POINTER_BYTES));
            let pointee = table.present(&(item.begin..item.begin));
            let (Some(pointer), Some(pointee)) = (pointer, pointee) else {
                let is_null = pointer.is_some() && item.map_type.is_null_if_absent();
                drop(table);
                return if is_null { self.attach_null(item) } else { Ok(()) };
            };
            let is_new = [pointer, pointee].iter().any(|entry| entry.filler == self.number);
            (pointee.translate(item.begin), is_new)
        };
        if !is_new && !item.map_type.is_always() {
            return Ok(());
        }
        let host = item.pointer_value();
        self.attach(item, host, value.minus(item.begin.wrapping_sub(host)), true)
    }
}
