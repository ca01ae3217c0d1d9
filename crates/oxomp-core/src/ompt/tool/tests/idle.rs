//! Workers are idle from their first event or the end of a region to the next region or their end.

use core::ffi::c_void;
use core::num::NonZeroU32;
use core::ptr;
use std::time::Duration;

use oxomp_arch::CallSite;
use oxomp_base::os;
use oxomp_sys::ompt::ompt_callbacks_t as E;

use super::{Heard, Listening, all, await_heard, end_workers, of_thread, texts};
use crate::block::Thread;
use crate::ompt::event::{ACTIVE, Mask, OtherCodes as _, State, bit, set_mask};
use crate::parallel::{self, Outlined, Request};

/// The events of a region on a worker.
const REGION: [&str; 8] = [
    "idle End",
    "implicit_task Begin",
    "sync_region Begin",
    "sync_region_wait Begin",
    "sync_region_wait End",
    "sync_region End",
    "implicit_task End",
    "idle Begin",
];

const EVENTS: Mask = bit(E::THREAD_BEGIN)
    | bit(E::THREAD_END)
    | bit(E::IMPLICIT_TASK)
    | bit(E::SYNC_REGION)
    | bit(E::SYNC_REGION_WAIT)
    | bit(E::IDLE);

unsafe extern "C" fn empty(_: *mut c_void) {}

/// The primary thread comes to the end of the region when the others may sleep there.
unsafe extern "C" fn late(_: *mut c_void) {
    if Thread::current().implicit_task().thread_num() == 0 {
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn region(threads: u32, body: unsafe extern "C" fn(*mut c_void)) {
    let request = Request { num_threads: NonZeroU32::new(threads), ..Request::PLAIN };
    let outlined = Outlined::Gomp { function: body as *const c_void, data: ptr::null_mut() };
    parallel::run(Thread::current(), outlined, request, CallSite::here());
}

fn workers(heard: &[Heard]) -> Vec<i32> {
    let begun = heard.iter().filter(|heard| heard.text == "thread_begin Worker");
    begun.map(|heard| heard.thread).collect()
}

/// Whether `count` workers have heard their `times`-th begin of idle time, after which no event
/// has come.
fn are_idle(heard: &[Heard], count: usize, times: usize) -> bool {
    let is_idle = |worker: &i32| {
        let own: Vec<_> = heard.iter().filter(|heard| heard.thread == *worker).collect();
        own.last().is_some_and(|last| last.text == "idle Begin")
            && own.iter().filter(|heard| heard.text == "idle Begin").count() == times
    };
    workers(heard).iter().filter(|worker| is_idle(worker)).count() == count
}

#[test]
fn workers_are_idle_between_regions() {
    let _listening = Listening::to(EVENTS);
    // A root with a team of its own, which ends with it.
    let root = std::thread::spawn(|| {
        region(3, empty);
        await_heard(|heard| are_idle(heard, 2, 2));
        region(3, late);
        await_heard(|heard| are_idle(heard, 2, 3));
        // The worker that the team does not need any more stays idle.
        region(2, empty);
        await_heard(|heard| are_idle(heard, 1, 4) && are_idle(heard, 1, 3));
        os::thread_id()
    });
    let root = root.join().expect("the root has ended");
    end_workers();
    let workers = workers(&all());
    assert_eq!(workers.len(), 2);
    let mut regions = Vec::new();
    for worker in workers {
        let events = of_thread(worker);
        let count = events.iter().filter(|heard| heard.text == "implicit_task Begin").count();
        let mut expected = vec!["thread_begin Worker", "idle Begin"];
        expected.extend(REGION.repeat(count));
        expected.extend(["idle End", "thread_end Worker"]);
        assert_eq!(texts(&events), expected);
        let idle = events.iter().filter(|heard| heard.text.starts_with("idle"));
        assert!(idle.clone().all(|heard| heard.state == State::Idle), "{events:#?}");
        regions.push(count);
    }
    regions.sort_unstable();
    assert_eq!(regions, [2, 3]);
    assert!(of_thread(root).iter().all(|heard| !heard.text.starts_with("idle")));
}

/// A listener to idle time alone hears it at the end of the region.
#[test]
fn idle_time_alone_is_heard_at_once() {
    let _listening = Listening::to(bit(E::IDLE) | bit(E::THREAD_BEGIN));
    std::thread::spawn(|| {
        region(3, late);
        await_heard(|heard| are_idle(heard, 2, 2));
    })
    .join()
    .expect("the workers are idle");
}

/// Whether `count` workers have heard of a region of theirs, and then of the begin of idle time.
fn are_idle_anew(heard: &[Heard], count: usize) -> bool {
    let is_idle_anew = |worker: &i32| {
        let own: Vec<_> = heard.iter().filter(|heard| heard.thread == *worker).collect();
        own.last().is_some_and(|last| last.text == "idle Begin")
            && own.iter().any(|heard| heard.text == "implicit_task Begin")
    };
    workers(heard).iter().filter(|worker| is_idle_anew(worker)).count() == count
}

/// A worker whose idle time no listener has heard of does not report an end without a begin. One
/// that comes late to the end of the first region is heard to begin idle time there.
#[test]
fn no_end_comes_without_a_begin() {
    let _listening = Listening::to(bit(E::THREAD_BEGIN));
    std::thread::spawn(|| {
        region(3, empty);
        set_mask(ACTIVE | EVENTS);
        region(3, empty);
        await_heard(|heard| are_idle_anew(heard, 2));
        let workers = workers(&all());
        for worker in workers {
            let events = of_thread(worker);
            let idle = events.iter().filter(|heard| heard.text.starts_with("idle"));
            let begins_and_ends = ["idle Begin", "idle End"].into_iter().cycle();
            assert!(idle.zip(begins_and_ends).all(|(is, wanted)| is.text == wanted), "{events:#?}");
        }
    })
    .join()
    .expect("the root has ended");
}
