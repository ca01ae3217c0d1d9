//! Constructs of several threads that map the same memory: whole constructs, on a device whose
//! operations are done at once.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use super::{check, on_threads};
use crate::device::TargetDevice;
use crate::item::MapItem;
use crate::testing::construct::{FROM, TO, construct, item_at};
use crate::testing::device::Deeds;
use crate::testing::library::runtime;

/// Numbers that constructs map: the device reads and writes them.
static NUMBERS: [AtomicU64; 2] = [AtomicU64::new(7), AtomicU64::new(8)];

/// A member of the structure that is the first list item.
const MEMBER: i64 = 1 << 48;

/// The number as a list item.
fn mapped(index: usize, map_type: i64) -> MapItem {
    item_at(NUMBERS[index].as_ptr().cast(), 8, map_type)
}

/// The value on the device of a number that is mapped.
fn on_device(device: &TargetDevice, deeds: &Deeds, index: usize) -> u64 {
    // Relaxed: it tells loom that this depends on the transfers.
    deeds.to_device.load(Relaxed);
    let host = NUMBERS[index].as_ptr().addr();
    let table = device.table();
    let entry = table.present(&(host..host + 8)).expect("it is mapped");
    // SAFETY: the memory that the entry has on the tests' device, which nobody writes any more.
    unsafe { entry.translate(host).as_ptr().cast::<u64>().read_unaligned() }
}

/// Two constructs map their items at the same time: each sees all data when its begin is over.
fn both_see_the_data(items: impl Fn(usize) -> Vec<MapItem> + Clone + Send + Sync + 'static) {
    check(3, move || {
        let (offload, device, deeds) = runtime();
        let items = items.clone();
        on_threads(2, move |me| {
            let mut construct = construct(offload, device);
            construct.begin(&items(me)).expect("they are mapped");
            for (index, number) in NUMBERS.iter().enumerate() {
                assert_eq!(on_device(device, &deeds, index), number.load(Relaxed));
            }
            construct.finish().expect("it is done");
        });
    });
}

/// Two constructs map the same two numbers in different orders: both see the data of both numbers,
/// though each may have made one of the entries. I4.
#[test]
fn constructs_that_make_an_entry_of_each_other_s_both_see_the_data() {
    both_see_the_data(|me| [me, 1 - me].map(|index| mapped(index, TO)).to_vec());
}

/// Constructs map a structure, whose members' data come one after the other: the construct that
/// finds the entry goes on when all are there. I4.
#[test]
fn a_construct_that_finds_an_entry_waits_for_all_its_data() {
    both_see_the_data(|_| {
        let structure = item_at(NUMBERS.as_ptr().cast_mut().cast(), 16, 0);
        vec![structure, mapped(0, TO | MEMBER), mapped(1, TO | MEMBER)]
    });
}

/// Constructs map and unmap the same number: each sees its data on the device, and when all have
/// ended, nothing is left. I2, I5.
#[test]
fn constructs_that_come_and_go_leave_nothing() {
    check(3, || {
        let (offload, device, deeds) = runtime();
        let seen = deeds.clone();
        on_threads(2, move |_| {
            let deeds = &seen;
            let items = [mapped(0, TO | FROM)];
            let mut construct = construct(offload, device);
            construct.begin(&items).expect("it is mapped");
            assert_eq!(on_device(device, deeds, 0), 7);
            construct.end(&items).expect("it is unmapped");
            construct.finish().expect("it is done");
        });
        assert_eq!(NUMBERS[0].load(Relaxed), 7);
        assert_eq!(device.table().iter().count(), 0);
        assert_eq!(deeds.allocations.load(Relaxed), 0);
    });
}
