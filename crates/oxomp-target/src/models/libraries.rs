//! The first use of a device, in its turnstile, while libraries come and go.

use core::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;

use super::{check, on_threads};
use crate::sync::{Mutex, lock};
use crate::testing::library::{TestLibrary, assert_empty, assert_ready, close, runtime};

/// Threads that use a device for the first time: one loads the program, and all go on when it is
/// there. I6.
#[test]
fn first_uses_on_several_threads_find_one_program() {
    check(3, || {
        let (offload, device, deeds) = runtime();
        let library = TestLibrary::new();
        library.open(offload);
        let region = library.region();
        on_threads(2, move |_| {
            assert!(offload.device(0).is_some());
            assert!(device.kernel(region).is_some());
        });
        assert_ready(device, &deeds, &library);
    });
}

/// A library is closed while another thread's first use of the device loads its program: the
/// program is there as long as that thread enters its variables, nothing of it stays, and neither
/// waits for the other for ever. I6, I7.
#[test]
fn a_library_that_is_closed_during_a_first_use_leaves_nothing() {
    check(3, || {
        let (offload, device, deeds) = runtime();
        let library = TestLibrary::new();
        let descriptor = library.open(offload);
        let (programs, others) = (deeds.clone(), Mutex::new(()));
        deeds.at_queue.set(move || {
            // Another thread may run here.
            drop(lock(&others));
            assert_eq!(programs.programs.load(Relaxed), 1);
        });
        on_threads(2, move |me| match me {
            0 => close(offload, descriptor),
            _ => assert!(offload.device(0).is_some()),
        });
        assert_empty(device, &deeds, &library);
    });
}

/// A thread that holds the loader's lock closes a library, while the thread that loads its program
/// has to wait for that lock. I7.
#[test]
fn a_library_that_is_closed_with_the_loader_s_lock_held_waits_for_no_load() {
    check(3, || {
        let (offload, device, deeds) = runtime();
        let library = TestLibrary::new();
        let descriptor = library.open(offload);
        let loader = Arc::new(Mutex::new(()));
        let closes = loader.clone();
        deeds.at_load.set(move || drop(lock(&loader)));
        on_threads(2, move |me| match me {
            0 => {
                let _held = lock(&closes);
                close(offload, descriptor);
            }
            _ => assert!(offload.device(0).is_some()),
        });
        assert_empty(device, &deeds, &library);
    });
}

/// A library is closed while two threads use the device, one of which loads its program. I6, I7.
#[test]
fn a_library_that_is_closed_during_two_first_uses_leaves_nothing() {
    check(2, || {
        let (offload, device, deeds) = runtime();
        let library = TestLibrary::new();
        let descriptor = library.open(offload);
        on_threads(3, move |me| match me {
            0 => close(offload, descriptor),
            _ => assert!(offload.device(0).is_some()),
        });
        assert_empty(device, &deeds, &library);
    });
}

/// A library registers while a device loads another library's program: at its first use the device
/// has its own program, too. I6.
#[test]
fn a_library_that_comes_during_a_first_use_is_loaded() {
    check(2, || {
        let (offload, _, deeds) = runtime();
        TestLibrary::new().open(offload);
        on_threads(2, move |me| {
            let library = (me == 1).then(TestLibrary::new);
            if let Some(library) = &library {
                library.open(offload);
            }
            assert!(offload.device(0).is_some());
            if library.is_some() {
                assert_eq!(deeds.programs.load(Relaxed), 2);
            }
        });
    });
}
