//! The gate of an entry: tickets, turns, and constructs that need no turn.

use core::any::Any;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;

use super::{Data, check};
use crate::location::ItemName;
use crate::mapping::{CountKind, Mapped, Match, NewEntry, Request, Table, Ticket};
use crate::plugin::{Address, Event};
use crate::sync::{Mutex, lock};

/// The range that is mapped.
const RANGE: core::ops::Range<usize> = 64..128;

/// A table and the data of its entry.
#[derive(Debug, Default)]
struct Mapping {
    table: Mutex<Table>,
    data: Data,
}

impl Mapping {
    /// A table with an entry, whose data are on the device.
    fn filled() -> Arc<Self> {
        let mapping = Arc::<Self>::default();
        let mapped = map(&mut lock(&mapping.table), 1, false);
        drop(mapped.ticket);
        mapped.filled.expect("the entry is new").gate.end_filling();
        mapping
    }

    /// Whether the entry's transfers are done.
    fn is_idle(&self) -> bool {
        lock(&self.table).get(RANGE.start).is_some_and(|entry| entry.shared.gate.is_idle())
    }

    /// The next ticket.
    fn ticket(&self) -> Ticket {
        lock(&self.table).ticket(RANGE.start).expect("there is an entry")
    }
}

/// The construct `construct` maps the range, and sends the data to the device if `is_always` or if
/// the entry is new.
fn map(table: &mut Table, construct: u64, is_always: bool) -> Mapped {
    let request = Request {
        construct,
        count: CountKind::Dynamic,
        takes_reference: true,
        is_always_to: is_always,
        is_to: true,
    };
    if let Match::Within(key) = table.find(&RANGE) {
        return table.map(key, &RANGE, &request).expect("there is an entry");
    }
    let new = NewEntry {
        host: RANGE,
        base: RANGE.start,
        device: Address(RANGE.start),
        allocation: None,
        name: ItemName::default(),
        origin: None,
    };
    table.insert(new, &request)
}

/// An operation: its number, and whether it is done.
#[derive(Debug)]
struct Operation(u32, bool);

impl Event for Operation {
    fn has_happened(&self) -> bool {
        self.1
    }

    fn time(&self) -> Option<u64> {
        None
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn number(event: &Arc<dyn Event>) -> u32 {
    event.as_any().downcast_ref::<Operation>().expect("an operation").0
}

/// Threads that transfer pass one after the other, in the order of their tickets; none sleeps for
/// ever. I1, I2.
#[test]
fn turns_come_in_the_order_of_the_tickets() {
    check(3, || {
        let mapping = Mapping::filled();
        let (first, second, last) = (mapping.ticket(), mapping.ticket(), mapping.ticket());
        let (one, data) = (mapping.clone(), mapping.clone());
        let other = loom::thread::spawn(move || {
            let turn = second.enter();
            assert_eq!(one.data.get(), 1);
            one.data.set(2);
            drop(turn);
        });
        let third = loom::thread::spawn(move || {
            let turn = last.enter();
            assert_eq!(data.data.get(), 2);
            drop(turn);
        });
        let turn = first.enter();
        mapping.data.set(1);
        drop(turn);
        other.join().unwrap();
        third.join().unwrap();
        assert!(mapping.is_idle());
    });
}

/// A ticket that is dropped unused passes its turn on, after the turns before it. I1.
#[test]
fn a_dropped_ticket_passes_its_turn_on() {
    check(3, || {
        let mapping = Mapping::filled();
        let (first, unused, last) = (mapping.ticket(), mapping.ticket(), mapping.ticket());
        let fails = loom::thread::spawn(move || drop(unused));
        let data = mapping.clone();
        let follows = loom::thread::spawn(move || {
            let turn = last.enter();
            assert_eq!(data.data.get(), 1);
            drop(turn);
        });
        let turn = first.enter();
        mapping.data.set(1);
        drop(turn);
        follows.join().unwrap();
        fails.join().unwrap();
        assert!(mapping.is_idle());
    });
}

/// A construct that has nothing to transfer takes a turn, or finds that all transfers have been
/// done: in both cases it sees the data of transfers that were decided before. I3.
#[test]
fn who_transfers_nothing_sees_the_transfers_before() {
    check(3, || {
        let mapping = Mapping::filled();
        let is_decided = Arc::new(AtomicBool::new(false));
        let (other, was_decided) = (mapping.clone(), is_decided.clone());
        let looks = loom::thread::spawn(move || {
            let (mapped, was_decided) = {
                let mut table = lock(&other.table);
                (map(&mut table, 3, false), was_decided.load(Relaxed))
            };
            drop(mapped.ticket.map(Ticket::enter));
            if was_decided {
                assert_eq!(other.data.get(), 1);
            }
        });
        let mapped = {
            let mut table = lock(&mapping.table);
            is_decided.store(true, Relaxed);
            map(&mut table, 2, true)
        };
        let turn = mapped.ticket.expect("it transfers").enter();
        mapping.data.set(1);
        drop(turn);
        looks.join().unwrap();
    });
}

/// A turn's operations follow those of the turn before it. An entry whose last operation has not
/// happened is not idle. I3.
#[test]
fn operations_follow_those_of_the_turn_before() {
    check(3, || {
        let mapping = Mapping::filled();
        let (first, second) = (mapping.ticket(), mapping.ticket());
        let follows = loom::thread::spawn(move || {
            let turn = second.enter();
            let previous = turn.previous().map(|event| number(&event));
            assert_eq!(previous, Some(1));
            turn.leave(Some(Arc::new(Operation(2, false))));
        });
        let turn = first.enter();
        turn.leave(Some(Arc::new(Operation(1, true))));
        follows.join().unwrap();
        assert!(!mapping.is_idle(), "the second operation goes on");
    });
}
