//! Transfers of the data of an entry, in a turn at its gate.

use core::ptr;
use std::ops::Range;

use super::Construct;
use crate::info::Direction;
use crate::location::ItemName;
use crate::mapping::{Ticket, Turn};
use crate::plugin::{Address, DeviceError};
use crate::transfer::{Channel, Transfer};

/// Data of an entry.
#[derive(Clone, Debug)]
pub(super) struct Data {
    /// The host's memory.
    pub(super) host: Range<usize>,
    /// The counterpart of the host's memory.
    pub(super) device: Address,
    /// The name of the list item.
    pub(super) name: ItemName,
}

impl Construct<'_> {
    /// Takes the turn of the ticket; the queue's next operations follow those of earlier turns.
    pub(super) fn enter(&mut self, ticket: Ticket) -> Result<Turn, DeviceError> {
        let turn = ticket.enter();
        if let Some(event) = turn.previous() {
            self.queue.wait_for(&event)?;
        }
        Ok(turn)
    }

    /// Ends the turn, whose operations are in the queue.
    pub(super) fn leave(&mut self, turn: Turn) -> Result<(), DeviceError> {
        let event = self.queue.record()?;
        turn.leave(event);
        Ok(())
    }

    /// Where the construct's transfers are done.
    pub(super) fn channel(&mut self) -> Channel<'_> {
        Channel { device: self.device, queue: &mut *self.queue, scope: &self.scope }
    }

    /// Transfers the data, without the attached pointers.
    pub(super) fn transfer(
        &mut self,
        turn: &Turn,
        direction: Direction,
        data: &Data,
    ) -> Result<(), DeviceError> {
        for part in turn.shared().parts(data.host.clone()) {
            let device = data.device.plus(part.start - data.host.start);
            let (host, bytes, name) = (part.start, part.len(), data.name);
            let (transfer, mut channel) = (Transfer { host, device, bytes, name }, self.channel());
            // SAFETY: the host memory is an item's (`MapItem`); the counterpart is in an entry to
            // which this construct has a reference, or which it is leaving.
            unsafe {
                match direction {
                    Direction::ToDevice => {
                        channel.send(&transfer, ptr::with_exposed_provenance(host))?;
                    }
                    Direction::FromDevice => {
                        channel.fetch(&transfer, ptr::with_exposed_provenance_mut(host))?;
                    }
                }
            }
        }
        Ok(())
    }
}
