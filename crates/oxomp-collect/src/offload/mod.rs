//! Constructs for devices, their kernels and transfers: timed and added up in every mode.
//!
//! The encountering thread, or the one that executes a deferred construct, waits for each operation
//! of a device: so the time between the operation's two events is the time of the operation. If a
//! runtime defers a construct, this ends on the thread that asks for it last, which may be another
//! one.

mod operation;
mod state;
mod variables;

use oxomp_trace::fold::{Extremes, repeated, target, transfer};
use oxomp_trace::offload::target_kind;
use oxomp_trace::{EventKind, FoldKind, Record};

use crate::log::{Log, record};
use crate::store::{Exhausted, Store};
use operation::Direction;
use state::Construct;
use variables::{Transfer, VARIABLES};

pub(crate) use operation::{Operation, OperationKind, device_number};
pub(crate) use state::Offload;

impl Log {
    /// A construct for a device begins. If the thread is still in another construct, the runtime
    /// has deferred that one, and may report its end on another thread: this thread ends it now.
    pub(crate) fn begin_target(
        &mut self,
        store: &Store,
        now: u64,
        id: u64,
        (kind, device, code): (u8, u32, u64),
    ) -> Result<(), Exhausted> {
        self.close_target(store, now)?;
        let recorded = self.takes_event(store, now)?;
        let values = [0; 12];
        self.offload.operation = None;
        self.offload.construct =
            Some(Construct { id, kind, device, code, begin: now, recorded, values });
        if !recorded {
            return Ok(());
        }
        let begin = record(EventKind::TargetBegin, now);
        self.push(store, Record { sub: kind, aux: device, code, ..begin })
    }

    /// The construct of that number ends. Its begin may have been on another thread.
    pub(crate) fn end_target(&mut self, store: &Store, now: u64, id: u64) -> Result<(), Exhausted> {
        match self.offload.is_in(id) {
            true => self.close_target(store, now),
            false => Ok(()),
        }
    }

    /// Ends the construct that the thread is in, if there is one.
    fn close_target(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.offload.operation = None;
        let Some(construct) = self.offload.construct.take() else { return Ok(()) };
        let Construct { kind, device, code, begin, recorded, values, .. } = construct;
        let time = now.saturating_sub(begin);
        if self.is_outside() {
            self.offload.outside += now.saturating_sub(begin.max(self.context.since));
        }
        if let Some(sums) = self.beside(store, FoldKind::Target, kind, [code, device.into()]) {
            let kernels = sums[target::KERNELS];
            for (position, (sum, value)) in sums.iter_mut().zip(values).enumerate() {
                match position {
                    target::LONGEST_KERNEL => *sum = value.max(*sum),
                    target::TEAMS if values[target::KERNELS] == 0 => {}
                    target::TEAMS if kernels == 0 => *sum = value,
                    target::TEAMS => {
                        let teams = Extremes::unpacked(*sum).joined(Extremes::unpacked(value));
                        *sum = teams.packed();
                    }
                    _ => *sum += value,
                }
            }
            sums[target::CALLS] += 1;
            sums[target::TIME] += time;
            sums[target::LONGEST] = sums[target::LONGEST].max(time);
        }
        if !recorded {
            return Ok(());
        }
        let end = record(EventKind::TargetEnd, now);
        self.push(store, Record { sub: kind, aux: device, code, ..end })
    }

    /// Whether the thread is outside every region, as far as serial code is concerned.
    fn is_outside(&mut self) -> bool {
        self.context.regions.top().is_none() && self.context.member_of.is_none()
    }

    /// An operation of a device begins.
    pub(crate) fn begin_operation(
        &mut self,
        store: &Store,
        now: u64,
        operation: Operation,
    ) -> Result<(), Exhausted> {
        let recorded = self.takes_event(store, now)?;
        self.offload.operation = Some((now, recorded));
        if recorded { self.tell(store, EventKind::DeviceBegin, now, operation) } else { Ok(()) }
    }

    /// An operation of a device has ended. Its begin was reported, or it has only this event.
    pub(crate) fn end_operation(
        &mut self,
        store: &Store,
        now: u64,
        operation: Operation,
        begun: bool,
    ) -> Result<(), Exhausted> {
        let begin = self.offload.operation.take().filter(|_| begun);
        let ticks = begin.map(|(begin, _)| now.saturating_sub(begin));
        self.add_to_construct(operation, ticks);
        self.add_transfer(store, operation, ticks);
        self.remember(store, now, operation, ticks.unwrap_or(0));
        match begin {
            Some((_, true)) => self.tell(store, EventKind::DeviceEnd, now, operation),
            _ => Ok(()),
        }
    }

    fn tell(
        &mut self,
        store: &Store,
        kind: EventKind,
        now: u64,
        operation: Operation,
    ) -> Result<(), Exhausted> {
        let Operation { kind: what, device, code } = operation;
        let (sub, value) = (what.number(), what.value());
        self.push(store, Record { sub, value, aux: device, code, ..record(kind, now) })
    }

    /// Adds the operation to the construct that the thread is in.
    fn add_to_construct(&mut self, operation: Operation, ticks: Option<u64>) {
        let Some(Construct { values, .. }) = &mut self.offload.construct else { return };
        let time = ticks.unwrap_or(0);
        values[target::UNTIMED] += u64::from(ticks.is_none());
        match operation.kind {
            OperationKind::Kernel { teams: asked } => {
                let known = match values[target::KERNELS] {
                    0 => Extremes::NONE,
                    _ => Extremes::unpacked(values[target::TEAMS]),
                };
                values[target::TEAMS] = known.joined(Extremes::of(asked)).packed();
                values[target::KERNELS] += 1;
                values[target::KERNEL_TIME] += time;
                values[target::LONGEST_KERNEL] = values[target::LONGEST_KERNEL].max(time);
            }
            OperationKind::Copy { direction: Direction::To, bytes, .. } => {
                values[target::TO_TIME] += time;
                values[target::TO_BYTES] += bytes;
            }
            OperationKind::Copy { direction: Direction::From, bytes, .. } => {
                values[target::FROM_TIME] += time;
                values[target::FROM_BYTES] += bytes;
            }
            _ => {}
        }
    }

    /// Adds a transfer to the sums of its place.
    fn add_transfer(&mut self, store: &Store, operation: Operation, ticks: Option<u64>) {
        let (OperationKind::Copy { bytes, .. } | OperationKind::Between { bytes }) = operation.kind
        else {
            return;
        };
        let key = [operation.code, operation.device.into()];
        let number = operation.kind.number();
        let Some(sums) = self.beside(store, FoldKind::Transfer, number, key) else { return };
        let (small, time) = (bytes <= transfer::SMALL_BYTES, ticks.unwrap_or(0));
        sums[transfer::COUNT] += 1;
        sums[transfer::BYTES] += bytes;
        sums[transfer::TIME] += time;
        sums[transfer::LONGEST] = sums[transfer::LONGEST].max(time);
        sums[transfer::SMALL] += u64::from(small);
        sums[transfer::SMALL_BYTES_SUM] += if small { bytes } else { 0 };
        sums[transfer::SMALL_TIME] += if small { time } else { 0 };
        sums[transfer::UNTIMED] += u64::from(ticks.is_none());
    }

    /// Notes what was copied by a construct, and adds what was copied again. A `target update`
    /// copies what the program wants copied.
    fn remember(&mut self, store: &Store, now: u64, operation: Operation, ticks: u64) {
        let is_update =
            |one: &Construct| matches!(one.kind, target_kind::UPDATE | target_kind::UPDATE_NOWAIT);
        if self.offload.construct.is_none_or(|construct| is_update(&construct)) {
            return;
        }
        let Operation { device, code, .. } = operation;
        let of = |direction, address, bytes| Transfer {
            direction,
            address,
            device,
            bytes,
            code,
            ticks,
            now,
        };
        let (transfer, bytes) = match operation.kind {
            OperationKind::Copy { direction, address, bytes } if address != 0 => {
                (of(direction, address, bytes), bytes)
            }
            OperationKind::Alloc { address, device_address, bytes } if address != 0 => {
                return VARIABLES.allocated(of(Direction::To, address, bytes), device_address);
            }
            OperationKind::Delete { device_address } => {
                return VARIABLES.freed(device, device_address, ticks);
            }
            _ => return,
        };
        for one in VARIABLES.transferred(transfer).into_iter().flatten() {
            let key = [one.code, one.address];
            let number = one.direction as u8;
            let Some(sums) = self.beside(store, FoldKind::Repeated, number, key) else { return };
            sums[repeated::COUNT] += 1;
            sums[repeated::BYTES] += bytes;
            sums[repeated::TIME] += one.ticks;
            sums[repeated::SIZE] = bytes;
            sums[repeated::DEVICE] = device.into();
            sums[repeated::OTHER] = one.other;
        }
    }
}
