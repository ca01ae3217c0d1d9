//! What a construct does with its list items at its begin, and target enter data: entries are made
//! or get references, and data go to the device.

use std::ops::Range;

use super::transfer::Data;
use super::{Construct, count_kind, memory, serving};
use crate::info::{self, Direction, Note};
use crate::item::MapItem;
use crate::mapping::{Mapped, Match, NewEntry, POINTER_BYTES, Request};
use crate::plugin::{ALIGNMENT, Address, MemoryKind};
use crate::report::{self, Mistake};
use crate::transfer::Transfer;

/// The counterpart of host memory.
#[derive(Clone, Copy, Debug)]
struct Placed {
    address: Address,
    /// Whether it is the host's memory itself.
    is_host: bool,
    /// Whether this construct made it.
    is_new: bool,
}

/// What host memory is to be mapped, and on whose behalf.
struct Wish<'a> {
    host: Range<usize>,
    base: usize,
    request: Request,
    item: &'a MapItem,
}

impl Construct<'_> {
    /// Maps the items.
    pub fn begin(&mut self, items: &[MapItem]) -> Result<(), Mistake> {
        self.begin_items(items)?;
        for item in std::mem::take(&mut self.attaches) {
            self.attach_item(&item)?;
        }
        self.tell_mappings();
        self.exchange()
    }

    /// Lets other constructs use the entries whose data this one has brought, and then waits for
    /// the entries whose data others bring: in this order two constructs never wait for each other.
    fn exchange(&mut self) -> Result<(), Mistake> {
        for shared in std::mem::take(&mut self.filling) {
            shared.gate.end_filling();
        }
        for shared in std::mem::take(&mut self.awaited) {
            if let Some(event) = shared.gate.wait_until_filled() {
                self.queue.wait_for(&event)?;
            }
        }
        Ok(())
    }

    fn begin_items(&mut self, items: &[MapItem]) -> Result<(), Mistake> {
        for item in items.iter().filter(|item| item.map_type.is_mapped()) {
            self.check_size(item)?;
            if let Some(expanded) = item.expand() {
                self.begin_items(&expanded)?;
            } else if item.map_type.is_attach() {
                self.attaches.push(*item);
            } else {
                self.begin_item(item)?;
            }
        }
        Ok(())
    }

    fn begin_item(&mut self, item: &MapItem) -> Result<(), Mistake> {
        let map_type = item.map_type;
        let mut request = Request {
            construct: self.number,
            count: count_kind(item),
            // The structure has the reference for its members.
            takes_reference: map_type.parent().is_none(),
            is_always_to: false,
            is_to: false,
        };
        let mut base = item.base;
        let mut pointer = None;
        if map_type.is_pointer_and_object() {
            let host = item.base..item.base + POINTER_BYTES;
            pointer = self.place(&Wish { host, base, request, item })?;
            base = item.pointer_value();
            request.takes_reference = true;
        }
        request.is_to = map_type.is_to();
        request.is_always_to = map_type.is_to() && map_type.is_always();
        let placed = self.place(&Wish { host: memory(item), base, request, item })?;
        let Some(placed) = placed else {
            let is_null = base == 0 && pointer.is_some_and(|pointer| !pointer.is_host);
            return if is_null { self.send_null(item) } else { Ok(()) };
        };
        self.note_entering(item, placed.address, placed.is_host);
        if placed.is_new && !placed.is_host {
            self.link(item, &placed)?;
        }
        if map_type.is_returned() {
            item.return_base(placed.address.minus(item.begin.wrapping_sub(base)).0);
        }
        match pointer {
            Some(pointer) if !placed.is_host && !pointer.is_host => {
                let is_new = pointer.is_new || placed.is_new;
                let value = placed.address.minus(item.begin.wrapping_sub(base));
                self.attach(item, base, value, is_new)
            }
            _ => Ok(()),
        }
    }

    /// The counterpart of host memory, which is made if it is not there; `None` for memory of no
    /// bytes without a counterpart.
    fn place(&mut self, wish: &Wish<'_>) -> Result<Option<Placed>, Mistake> {
        let Wish { host, item, request, .. } = wish;
        // Memory for a new entry, which is allocated without the lock.
        let mut spare = None;
        let mut note = Note::default();
        let mapped = loop {
            let device = self.device;
            let mut table = device.table();
            let found = table.find(host);
            let entry = serving(found, item).and_then(|key| Some((key, table.get(key)?)));
            match entry {
                Some((key, entry)) if !(item.map_type.is_present() && entry.is_unreferenced()) => {
                    note = info::present(device.number, entry, host, item, "");
                    // An entry without references gets a reference from any item that finds it.
                    let takes_reference = (request.takes_reference || entry.is_unreferenced())
                        && self.counted.is_first(key, request.count);
                    break table.map(key, host, &Request { takes_reference, ..*request });
                }
                _ => {
                    // An entry that is being removed still occupies its range.
                    if let Match::Partly(key) = found
                        && let Some(entry) = table.get(key)
                    {
                        let mistake = Mistake::extends(self.place_of(item, host), entry);
                        if !item.map_type.is_present() {
                            return Err(mistake);
                        }
                        drop(table);
                        // The message names the entry that covers a part of the item.
                        report::message(&mistake);
                        return Err(self.not_present(item, host));
                    }
                    if self.is_memory_unified && !item.map_type.is_close() {
                        let address = Address(host.start);
                        return Ok(Some(Placed { address, is_host: true, is_new: false }));
                    }
                    if item.map_type.is_present() {
                        return Err(self.not_present(item, host));
                    }
                    if host.is_empty() {
                        return Ok(None);
                    }
                    if host.start == 0 && (item.map_type.is_to() || item.map_type.is_from()) {
                        return Err(Mistake::Null(self.place_of(item, host)));
                    }
                    let Some(allocation) = spare.take() else {
                        drop(table);
                        spare = Some(self.allocate(wish)?);
                        continue;
                    };
                    let origin = Some(self.location.kept());
                    let new = NewEntry {
                        host: host.clone(),
                        base: wish.base,
                        device: allocation.plus(host.start % ALIGNMENT),
                        allocation: Some(allocation),
                        name: item.name.kept(),
                        origin,
                    };
                    let mapped = table.insert(new, request);
                    self.counted.is_first(host.start, request.count);
                    if let Some(entry) = table.get(host.start) {
                        note = info::creation(device.number, entry);
                    }
                    break Some(mapped);
                }
            }
        };
        drop(note);
        // Another construct has made the entry meanwhile.
        if let Some(allocation) = spare {
            self.free(host, allocation);
        }
        let Some(mapped) = mapped else { return Ok(None) };
        self.fill(mapped, wish).map(Some)
    }

    /// Lets the pointers to variables that the item maps lead to their new counterparts.
    fn link(&mut self, item: &MapItem, placed: &Placed) -> Result<(), Mistake> {
        let links = self.device.table().links_in(&memory(item));
        for (host, pointer) in links {
            let value = self.cleanup.keep(placed.address.minus(item.begin.wrapping_sub(host)).0);
            let (bytes, name) = (POINTER_BYTES, item.name);
            let transfer = Transfer { host, device: pointer, bytes, name };
            // SAFETY: the pointer is in a program that stays loaded, and the value is kept until
            // the queue's operations are done.
            unsafe { self.channel().send(&transfer, value.cast())? };
        }
        Ok(())
    }

    /// Memory on the device for the data of a new entry.
    fn allocate(&self, wish: &Wish<'_>) -> Result<Address, Mistake> {
        let Wish { host, item, .. } = wish;
        let offset = host.start % ALIGNMENT;
        let mut operation = self.scope.allocation(self.device, host.start, host.len());
        let allocation = self.device.device.allocate(host.len() + offset, MemoryKind::Device);
        operation.allocated(allocation.map(|allocation| allocation.plus(offset)));
        allocation.ok_or_else(|| Mistake::NoMemory(self.place_of(item, host)))
    }

    /// Frees memory that no entry needed.
    fn free(&self, host: &Range<usize>, allocation: Address) {
        let address = allocation.plus(host.start % ALIGNMENT);
        let _operation = self.scope.deletion(self.device, host.start, address, host.len());
        self.device.free_mapped(allocation);
    }

    /// Takes the turn at the entry's gate, if there is something to do or to wait for.
    fn fill(&mut self, mapped: Mapped, wish: &Wish<'_>) -> Result<Placed, Mistake> {
        if let Some(shared) = mapped.filled {
            let list = if mapped.is_new { &mut self.filling } else { &mut self.awaited };
            list.push(shared);
        }
        if let Some(ticket) = mapped.ticket {
            let turn = self.enter(ticket)?;
            if mapped.needs_transfer && !wish.host.is_empty() {
                let (host, name) = (wish.host.clone(), wish.item.name);
                let data = Data { host, device: mapped.address, name };
                self.transfer(&turn, Direction::ToDevice, &data)?;
            }
            self.leave(turn)?;
        }
        Ok(Placed { address: mapped.address, is_host: false, is_new: mapped.is_new })
    }
}
