//! Constructs on a device that does its operations late, and on many threads.

use core::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use crate::testing::construct::{FROM, TO, construct, item, item_at};
use crate::testing::device::let_go;
use crate::testing::library::runtime;

const ALWAYS: i64 = 0x4;
const PRESENT: i64 = 0x1000;

#[test]
fn an_entry_stays_until_its_data_have_come() {
    let (offload, device, deeds) = runtime();
    let mut data = [1_u32, 2, 3];
    let items = [item(&mut data, TO | FROM)];
    let mut begin = construct(offload, device);
    begin.begin(&items).expect("it is mapped");
    begin.finish().expect("it is there");
    assert_eq!(deeds.to_device.load(Relaxed), 12);
    data.fill(0);
    deeds.is_held.store(true, Ordering::Release);
    let mut end = construct(offload, device);
    end.end(&items).expect("it is unmapped");
    assert_eq!(data, [0; 3], "the device is held");
    assert_eq!(deeds.allocations.load(Relaxed), 1, "the device reads its memory yet");
    let_go(&deeds);
    end.finish().expect("the data come");
    assert_eq!(data, [1, 2, 3]);
    assert_eq!(deeds.allocations.load(Relaxed), 0);
    assert_eq!(device.table().iter().count(), 0);
}

#[test]
fn a_construct_follows_the_transfers_of_others() {
    let (offload, device, deeds) = runtime();
    let mut data = [7_u8; 64];
    let items = [item(&mut data, TO)];
    deeds.is_held.store(true, Ordering::Release);
    let mut first = construct(offload, device);
    first.begin(&items).expect("it is mapped");
    let mut second = construct(offload, device);
    second.begin(&items).expect("it is there");
    assert_eq!(deeds.to_device.load(Relaxed), 64, "the data go once");
    assert!(deeds.waits.load(Relaxed) > 0, "the second queue waits for the first");
    let_go(&deeds);
    first.finish().expect("done");
    second.finish().expect("done");
    let mut third = construct(offload, device);
    let waits = deeds.waits.load(Relaxed);
    third.begin(&items).expect("it is there");
    third.end(&items).expect("it is there");
    third.finish().expect("done");
    assert_eq!(deeds.waits.load(Relaxed), waits, "what is done is not waited for");
}

#[test]
fn a_construct_follows_a_transfer_that_came_while_an_entry_was_filled() {
    let (offload, device, deeds) = runtime();
    let (mut first, mut second) = ([1_u64; 8], [1_u64; 8]);
    let address = first.as_mut_ptr().expose_provenance();
    let both = [item(&mut first, TO), item(&mut second, TO)];
    deeds.is_held.store(true, Ordering::Release);
    let (over, is_over) = mpsc::channel::<()>();
    // Between the transfers of the two arrays another construct transfers the first one again.
    let (at_second, counted) = (deeds.clone(), deeds.clone());
    deeds.at_copy.set(move || {
        at_second.at_copy.set(move || {
            std::thread::spawn(move || {
                let memory = ptr::with_exposed_provenance_mut::<c_void>(address);
                let mut other = construct(offload, device);
                other.begin(&[item_at(memory, 64, TO | ALWAYS)]).expect("it is there");
                // The construct goes on when the test is over.
                let _ = is_over.recv();
                other.finish().expect("done");
            });
            while counted.to_device.load(Relaxed) < 128 {
                std::thread::yield_now();
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        });
    });
    let mut filling = construct(offload, device);
    filling.begin(&both).expect("they are mapped");
    let mut last = construct(offload, device);
    last.begin(&both).expect("they are there");
    let_go(&deeds);
    filling.finish().expect("done");
    // What the transfer between them brings.
    first.fill(2);
    last.finish().expect("done");
    let there = device.table().present(&(address..address + 64)).map(|it| it.device.as_ptr());
    // SAFETY: the first element of the counterpart.
    let value = unsafe { there.expect("it is mapped").cast::<u64>().read() };
    assert_eq!(value, 2, "the last construct follows the transfer");
    drop(over);
}

#[test]
fn mistakes_name_the_memory() {
    let (offload, device, _deeds) = runtime();
    let mut data = [0_u8; 100];
    let absent = item(&mut data, TO | PRESENT);
    let mistake = construct(offload, device).begin(&[absent]).expect_err("it is absent");
    let text = mistake.to_string();
    assert!(text.contains("(100 bytes)") && text.contains("'present' map type"), "{text}");
    let mut mapping = construct(offload, device);
    mapping.begin(&[item(&mut data[10..20], TO)]).expect("it is mapped");
    let whole = item(&mut data, TO);
    let mistake = construct(offload, device).begin(&[whole]).expect_err("it extends");
    let text = mistake.to_string();
    assert!(text.contains("(100 bytes)") && text.contains("(10 bytes)"), "{text}");
    let update = item(&mut data, FROM | PRESENT);
    let mistake = construct(offload, device).update(&[update]).expect_err("it extends");
    assert!(mistake.to_string().contains("'present' motion"), "{mistake}");
}

#[test]
fn threads_that_map_the_same_memory_see_its_data() {
    let (offload, device, deeds) = runtime();
    let mut data = [5_u64; 1000];
    let address = data.as_mut_ptr().expose_provenance();
    let is_wrong = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..2000 {
                    let memory = ptr::with_exposed_provenance_mut::<c_void>(address);
                    let items = [item_at(memory, 8000, TO)];
                    let mut region = construct(offload, device);
                    region.begin(&items).expect("it is mapped");
                    let there = device
                        .table()
                        .present(&(address..address + 8000))
                        .map(|entry| entry.translate(address + 7992));
                    let last = there.expect("this construct has a reference").as_ptr();
                    // SAFETY: the last element of the counterpart.
                    if unsafe { last.cast::<u64>().read_volatile() } != 5 {
                        is_wrong.store(true, Relaxed);
                    }
                    region.end(&items).expect("it is unmapped");
                    region.finish().expect("done");
                }
            });
        }
    });
    assert!(!is_wrong.load(Relaxed), "a construct goes on when the data are there");
    assert_eq!(deeds.allocations.load(Relaxed), 0);
    assert_eq!(device.table().iter().count(), 0);
}
