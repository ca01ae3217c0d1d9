//! Libraries that come and go while their programs are loaded.

use core::ptr;
use std::sync::mpsc;
use std::thread;

use oxomp_protocol::Alone;

use crate::offload::Destination;
use crate::sync::Child;
use crate::testing::library::{TestLibrary, assert_empty, assert_ready, close, runtime};

#[test]
fn a_library_comes_and_goes() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    for _ in 0..3 {
        let descriptor = library.open(offload);
        assert!(offload.device(0).is_some());
        assert_ready(device, &deeds, &library);
        close(offload, descriptor);
        assert_empty(device, &deeds, &library);
    }
}

#[test]
fn constructors_of_an_image_and_other_threads_use_the_runtime_while_it_is_loaded() {
    let (offload, device, deeds) = runtime();
    let (library, other) = (TestLibrary::new(), TestLibrary::new());
    library.open(offload);
    let other = other.open(offload);
    deeds.at_load.set(move || {
        assert!(!device.executes(ptr::null()), "nothing is loaded yet");
        // Acts as a thread that holds the loader's lock, for which the load has to wait.
        let closes = thread::spawn(move || close(offload, other));
        closes.join().expect("it does not wait for the load");
    });
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}

#[test]
fn a_library_that_is_closed_while_its_image_is_loaded_leaves_nothing() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    let descriptor = library.open(offload);
    deeds.at_load.set(move || close(offload, descriptor));
    assert!(offload.device(0).is_some());
    assert_empty(device, &deeds, &library);
    library.open(offload);
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}

#[test]
fn a_library_that_is_closed_while_its_variables_are_entered_leaves_nothing() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    let descriptor = library.open(offload);
    // At this moment the device reads the function's address; the variable is in the table already.
    deeds.at_queue.set(move || {
        let closes = thread::spawn(move || close(offload, descriptor));
        closes.join().expect("it does not wait for the thread that loads");
        assert_eq!(device.table().iter().count(), 0, "its memory is about to go");
    });
    assert!(offload.device(0).is_some());
    assert_empty(device, &deeds, &library);
}

#[test]
fn the_child_of_a_fork_goes_on_with_what_another_thread_was_loading() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    library.open(offload);
    let (reached, is_reached) = mpsc::channel();
    deeds.at_queue.set(move || {
        reached.send(()).expect("the test waits");
        // The thread never goes on: the child does not have it.
        loop {
            thread::park();
        }
    });
    thread::spawn(move || offload.device(0).is_some());
    is_reached.recv().expect("it loads");
    assert_eq!(device.table().iter().count(), 1);
    // SAFETY: the other thread never goes on.
    let alone = unsafe { Alone::in_child() };
    offload.after_fork(&Child::new(false, alone));
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}

/// A thread that the fork cannot wait for is gone in the middle of a change.
#[test]
fn the_child_of_a_fork_goes_on_without_a_device_that_another_thread_was_changing() {
    let (offload, device, _) = runtime();
    let library = TestLibrary::new();
    library.open(offload);
    assert!(matches!(offload.destination(0), Ok(Destination::Device(_))));
    let (reached, is_reached) = mpsc::channel();
    thread::spawn(move || {
        let _table = device.table();
        reached.send(()).expect("the test waits");
        loop {
            thread::park();
        }
    });
    is_reached.recv().expect("the table is locked");
    // SAFETY: the other thread never goes on.
    let alone = unsafe { Alone::in_child() };
    offload.after_fork(&Child::new(false, alone));
    assert_eq!(device.table().iter().count(), 0);
    assert!(offload.device(0).is_none());
    assert!(matches!(offload.destination(0), Ok(Destination::Host)));
}

/// The thread that is left has forked in a handler of a signal, in the middle of a change.
#[test]
fn the_child_of_a_fork_keeps_what_its_own_thread_was_changing() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    library.open(offload);
    assert!(offload.device(0).is_some());
    let table = device.table();
    // SAFETY: the runtime of this test has no other thread.
    let alone = unsafe { Alone::in_child() };
    offload.after_fork(&Child::new(false, alone));
    drop(table);
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}

/// A thread has taken a lock in the quiescence, and would have freed it.
#[test]
fn the_child_of_a_fork_keeps_what_nobody_was_changing() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    library.open(offload);
    assert!(offload.device(0).is_some());
    let (reached, is_reached) = mpsc::channel();
    thread::spawn(move || {
        let _table = device.table();
        reached.send(()).expect("the test waits");
        loop {
            thread::park();
        }
    });
    is_reached.recv().expect("the table is locked");
    // SAFETY: the other thread never goes on.
    let alone = unsafe { Alone::in_child() };
    offload.after_fork(&Child::new(true, alone));
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}
