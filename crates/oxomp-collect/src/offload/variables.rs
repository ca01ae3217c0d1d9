//! Which data were copied to or from a device before, by any thread, since deferred constructs run
//! on threads of the runtime.
//!
//! A transfer is repeated if the same data, by host address and size, were copied before: an
//! enclosing `target data` would keep them on the device. Whether the host changes or reads them in
//! between, no event tells.

use std::cell::UnsafeCell;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};

use super::operation::Direction;

/// The most variables that are known at a time; the one that was used least recently makes room.
const SLOTS: usize = 512;
/// Slots tried for a variable.
const PROBES: usize = 8;
/// The most variables whose repeated transfers have sums of their own: each takes places in the
/// sums.
const NAMED: u32 = 96;
/// How often a thread looks whether another one has left the table; then it gives up.
const LOOKS: u32 = 2_000;

/// The table of the process.
pub(crate) static VARIABLES: Variables = Variables::new();

/// The variables that were copied last.
#[derive(Debug)]
pub(crate) struct Variables {
    taken: AtomicBool,
    table: UnsafeCell<Table>,
}

// SAFETY: only the thread that has set `taken` uses the table.
unsafe impl Sync for Variables {}

#[derive(Debug)]
struct Table {
    slots: [Slot; SLOTS],
    /// Variables with a number of their own so far.
    named: u32,
}

/// One variable on one device.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// Host address; 0: free.
    address: u64,
    device: u32,
    bytes: u64,
    /// Where it lies on the device, as far as that is known.
    device_address: u64,
    /// The last transfer.
    last: Option<Copied>,
    /// Time in which its memory on the device was allocated and freed since the last transfer,
    /// ticks.
    around: u64,
    /// Whether it has a number of its own.
    named: bool,
    /// When it was last used, ticks.
    used: u64,
}

/// The place and the cost of a transfer.
#[derive(Debug, Clone, Copy)]
struct Copied {
    direction: Direction,
    code: u64,
    ticks: u64,
}

/// A transfer from the host or to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) direction: Direction,
    /// Host address.
    pub(crate) address: u64,
    pub(crate) device: u32,
    pub(crate) bytes: u64,
    pub(crate) code: u64,
    /// How long it took; 0 if that is not known.
    pub(crate) ticks: u64,
    /// When it ended.
    pub(crate) now: u64,
}

/// A transfer that an enclosing construct would have saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub(crate) direction: Direction,
    /// Host address; 0 if there is no room for a further one.
    pub(crate) address: u64,
    pub(crate) code: u64,
    /// The other transfer of the same data.
    pub(crate) other: u64,
    pub(crate) ticks: u64,
}

impl Variables {
    const fn new() -> Self {
        let free = Slot {
            address: 0,
            device: 0,
            bytes: 0,
            device_address: 0,
            last: None,
            around: 0,
            named: false,
            used: 0,
        };
        let table = UnsafeCell::new(Table { slots: [free; SLOTS], named: 0 });
        Self { taken: AtomicBool::new(false), table }
    }

    /// The repeated transfers that `transfer` shows: one that came before, and `transfer` itself.
    pub(crate) fn transferred(&self, transfer: Transfer) -> [Option<Repeated>; 2] {
        self.with(|table| table.transferred(transfer)).unwrap_or_default()
    }

    /// Memory for the variable of `transfer` was allocated on a device, at `device_address`.
    pub(crate) fn allocated(&self, transfer: Transfer, device_address: u64) {
        self.with(|table| {
            let slot = table.slot(transfer);
            slot.device_address = device_address;
            slot.around += transfer.ticks;
        });
    }

    /// Memory was freed on a device, which took `ticks` ticks.
    pub(crate) fn freed(&self, device: u32, device_address: u64, ticks: u64) {
        self.with(|table| {
            let own = |slot: &&mut Slot| {
                slot.address != 0 && slot.device == device && slot.device_address == device_address
            };
            if let Some(slot) = table.slots.iter_mut().find(own) {
                slot.around += ticks;
                slot.device_address = 0;
            }
        });
    }

    /// Calls `act` with the table. `None` if other threads keep it too long, or if one had it when
    /// it forked.
    fn with<R>(&self, act: impl FnOnce(&mut Table) -> R) -> Option<R> {
        let mut looks = 0;
        // Acquire: pairs with the Release below.
        while self.taken.swap(true, Ordering::Acquire) {
            looks += 1;
            if looks == LOOKS {
                return None;
            }
            hint::spin_loop();
        }
        // SAFETY: this thread has set `taken`, and a signal handler on it finds no log, without
        // which no one comes here.
        let result = act(unsafe { &mut *self.table.get() });
        // Release: pairs with the Acquire of the next thread.
        self.taken.store(false, Ordering::Release);
        Some(result)
    }
}

impl Table {
    /// The slot of the variable, made if it is new.
    fn slot(&mut self, transfer: Transfer) -> &mut Slot {
        let Transfer { address, device, bytes, now, .. } = transfer;
        let mix = (address ^ u64::from(device) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let start = (mix >> 32) as usize;
        let places = (0..PROBES).map(|probe| (start + probe) % SLOTS);
        let is_own = |slot: &Slot| slot.address == address && slot.device == device;
        let own = places.clone().find(|&place| is_own(&self.slots[place]));
        let place = own.or_else(|| places.min_by_key(|&place| self.slots[place].used));
        let slot = &mut self.slots[place.unwrap_or(0)];
        if !is_own(slot) || slot.bytes != bytes {
            *slot = Slot {
                address,
                device,
                bytes,
                device_address: 0,
                last: None,
                around: 0,
                named: false,
                used: now,
            };
        }
        slot.used = now;
        slot
    }

    fn transferred(&mut self, transfer: Transfer) -> [Option<Repeated>; 2] {
        let Transfer { direction, code, ticks, .. } = transfer;
        let named = self.named;
        let slot = self.slot(transfer);
        let around = std::mem::take(&mut slot.around);
        let Some(last) = slot.last.replace(Copied { direction, code, ticks }) else {
            return [None; 2];
        };
        let is_sent_again = direction == Direction::To;
        let is_fetched_again = last.direction == Direction::From;
        if !is_sent_again && !is_fetched_again {
            return [None; 2];
        }
        let is_new = !slot.named && named < NAMED;
        slot.named |= is_new;
        let address = if slot.named { slot.address } else { 0 };
        self.named += u32::from(is_new);
        // The memory was freed and allocated for one of the two.
        let fetched = is_fetched_again.then(|| Repeated {
            direction: Direction::From,
            address,
            code: last.code,
            other: code,
            ticks: last.ticks + if is_sent_again { 0 } else { around },
        });
        let sent = is_sent_again.then(|| Repeated {
            direction: Direction::To,
            address,
            code,
            other: last.code,
            ticks: ticks + around,
        });
        [fetched, sent]
    }
}

#[cfg(test)]
mod tests {
    use super::{Direction, NAMED, SLOTS, Transfer, Variables};

    fn transfer(direction: Direction, address: u64, now: u64) -> Transfer {
        Transfer { direction, address, device: 0, bytes: 64, code: 7, ticks: 10, now }
    }

    /// The ticks that are saved in both directions, from the device first.
    fn saved(table: &Variables, transfer: Transfer) -> [Option<u64>; 2] {
        table.transferred(transfer).map(|one| one.map(|one| one.ticks))
    }

    #[test]
    fn to_and_from_in_turns_save_all_but_the_first_and_the_last() {
        let table = Variables::new();
        let (to, from) = (Direction::To, Direction::From);
        assert_eq!(saved(&table, transfer(to, 64, 1)), [None, None]);
        assert_eq!(saved(&table, transfer(from, 64, 2)), [None, None]);
        assert_eq!(saved(&table, transfer(to, 64, 3)), [Some(10), Some(10)]);
        assert_eq!(saved(&table, transfer(from, 64, 4)), [None, None]);
        // The host's copy of the last one may be needed.
        assert_eq!(saved(&table, transfer(from, 64, 5)), [Some(10), None]);
        assert_eq!(saved(&table, transfer(to, 64, 6)), [Some(10), Some(10)]);
        assert_eq!(saved(&table, transfer(to, 64, 7)), [None, Some(10)]);
    }

    #[test]
    fn other_sizes_devices_and_addresses_are_other_data() {
        let table = Variables::new();
        let first = transfer(Direction::To, 64, 1);
        for other in [
            first,
            Transfer { bytes: 65, ..first },
            Transfer { device: 1, ..first },
            Transfer { address: 128, ..first },
        ] {
            assert_eq!(saved(&table, other), [None, None], "{other:?}");
        }
    }

    #[test]
    fn memory_that_is_freed_and_allocated_in_between_is_saved_too() {
        let table = Variables::new();
        let to = transfer(Direction::To, 64, 1);
        table.allocated(Transfer { ticks: 100, ..to }, 4096);
        assert_eq!(saved(&table, to), [None, None]);
        table.freed(0, 4096, 3);
        // Of no variable that is known.
        table.freed(0, 4096, 1000);
        table.allocated(Transfer { ticks: 5, ..to }, 8192);
        assert_eq!(saved(&table, to), [None, Some(18)]);
    }

    #[test]
    fn the_table_forgets_and_names_no_more_than_it_has_room_for() {
        let table = Variables::new();
        let many = SLOTS as u64 * 16;
        for address in 1..many {
            table.transferred(transfer(Direction::To, address * 64, address));
        }
        let last = table.transferred(transfer(Direction::To, (many - 1) * 64, many));
        assert_eq!(last[1].map(|one| one.address), Some((many - 1) * 64));
        let mut named = 1;
        for round in 0..u64::from(NAMED) * 2 {
            let address = many * 64 + round * 64;
            table.transferred(transfer(Direction::To, address, many + 2 * round));
            let again = transfer(Direction::To, address, many + 2 * round + 1);
            let [_, Some(again)] = table.transferred(again) else { panic!("{address:#x}") };
            named += u32::from(again.address != 0);
        }
        assert_eq!(named, NAMED);
    }
}
