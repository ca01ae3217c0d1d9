//! The wait for a mutex: heard only if the first attempt has failed, in the state of the wait.

use core::ffi::c_void;
use core::num::NonZeroU32;
use core::ptr;

use oxomp_arch::CallSite;
use oxomp_base::os;
use oxomp_sys::ompt::ompt_callbacks_t as E;

use super::{Heard, Listening, await_heard, of_thread, texts};
use crate::block::Thread;
use crate::mutex::atomic;
use crate::mutex::critical::Critical;
use crate::mutex::lock::Lock;
use crate::mutex::nest_lock::{NestLock, Owner};
use crate::ompt::event::{Mask, OtherCodes as _, State, bit};
use crate::parallel::{self, Outlined, Request};
use crate::worksharing::{Schedule, WorksharingLoop};

const EVENTS: Mask = bit(E::MUTEX_ACQUIRE) | bit(E::MUTEX_WAIT) | bit(E::MUTEX_ACQUIRED);

fn waits(heard: &[Heard]) -> usize {
    heard.iter().filter(|heard| heard.text.starts_with("mutex_wait")).count()
}

/// Makes a thread take a mutex while this one holds it, and afterwards once more while it is free.
/// Returns the wait's event; `name` is the mutex in the events.
fn contend(name: &str, hint: u32, take: fn(), give: fn()) -> Heard {
    let _listening = Listening::to(EVENTS);
    take();
    let other = std::thread::spawn(move || {
        take();
        give();
        take();
        give();
        os::thread_id()
    });
    await_heard(|heard| waits(heard) == 1);
    give();
    let other = other.join().expect("the thread has had the mutex twice");
    let (asks, has) = (format!("mutex_acquire {name}"), format!("mutex_acquired {name}"));
    let wait = format!("mutex_wait {name} {hint}");
    let events = of_thread(other);
    assert_eq!(texts(&events), [&asks, &wait, &has, &asks, &has].map(String::as_str));
    assert_eq!(texts(&of_thread(os::thread_id())), [&asks, &has].map(String::as_str));
    assert_eq!(events[1].wait_id, events[1].about as u64);
    assert!(events[1].wait_id != 0 && events[2].wait_id == 0 && !events[2].waits_for_nest_lock);
    events[1].clone()
}

fn lock() -> &'static Lock {
    static mut LOCK: u32 = 0;
    // SAFETY: only the lock's routines access the word.
    unsafe { Lock::at(&raw mut LOCK) }
}

fn nest_lock() -> &'static NestLock {
    static mut LOCK: u64 = 0;
    // SAFETY: only the lock's routines access the words.
    unsafe { NestLock::at(&raw mut LOCK) }
}

fn critical() -> &'static Critical {
    static mut NAME: u32 = 0;
    // SAFETY: only the regions' routines access the word.
    unsafe { Critical::at(&raw mut NAME) }
}

#[test]
fn a_thread_waits_for_a_lock() {
    let wait =
        contend("Lock", 0, || lock().set(CallSite::here()), || lock().unset(CallSite::here()));
    assert_eq!((wait.state, wait.waits_for_nest_lock), (State::WaitLock, false));
}

#[test]
fn a_thread_waits_for_a_nest_lock() {
    let take = || nest_lock().set(Owner::Task, CallSite::here());
    let wait = contend("NestLock", 0, take, || nest_lock().unset(CallSite::here()));
    assert_eq!((wait.state, wait.waits_for_nest_lock), (State::WaitLock, true));
}

#[test]
fn a_thread_waits_for_a_critical_region_with_its_hint() {
    let take = || critical().enter(4, CallSite::here());
    let wait = contend("Critical", 4, take, || critical().leave(CallSite::here()));
    assert_eq!(wait.state, State::WaitCritical);
}

#[test]
fn a_thread_waits_for_an_atomic_region() {
    let take = || atomic::enter(CallSite::here());
    let wait = contend("Atomic", 0, take, || atomic::leave(CallSite::here()));
    assert_eq!(wait.state, State::WaitAtomic);
}

#[test]
fn a_test_of_a_lock_does_not_wait() {
    let _listening = Listening::to(EVENTS);
    lock().set(CallSite::here());
    nest_lock().set(Owner::Task, CallSite::here());
    let other = std::thread::spawn(|| {
        assert!(!lock().test(CallSite::here()));
        assert_eq!(nest_lock().test(Owner::Task, CallSite::here()), 0);
        os::thread_id()
    });
    let other = other.join().expect("the locks are taken");
    lock().unset(CallSite::here());
    nest_lock().unset(CallSite::here());
    assert_eq!(texts(&of_thread(other)), ["mutex_acquire TestLock", "mutex_acquire TestNestLock"]);
}

/// A thread with the second iteration of an ordered loop waits until that with the first one, which
/// waits to see it wait, has had its ordered region.
unsafe extern "C" fn two_turns(_: *mut c_void) {
    let thread = Thread::current();
    let description = WorksharingLoop {
        is_ordered: true,
        ..WorksharingLoop::new(2, Schedule::StaticChunked(1), 0, 1)
    };
    thread.begin_loop(description, CallSite::here());
    while let Some(chunk) = thread.next_chunk(CallSite::here()) {
        thread.begin_ordered(CallSite::here());
        if chunk.start == 0 {
            await_heard(|heard| waits(heard) == 1);
        }
        thread.end_ordered(CallSite::here());
        thread.end_ordered_iteration();
    }
}

#[test]
fn a_thread_waits_for_its_turn() {
    let _listening = Listening::to(EVENTS);
    let root = std::thread::spawn(|| {
        let body = two_turns as unsafe extern "C" fn(*mut c_void);
        let outlined = Outlined::Gomp { function: body as *const c_void, data: ptr::null_mut() };
        let request = Request { num_threads: NonZeroU32::new(2), ..Request::PLAIN };
        parallel::run(Thread::current(), outlined, request, CallSite::here());
        os::thread_id()
    });
    let root = root.join().expect("the region is over");
    assert_eq!(texts(&of_thread(root)), ["mutex_acquire Ordered", "mutex_acquired Ordered"]);
    let heard = super::all();
    let others: Vec<_> = heard.iter().filter(|heard| heard.thread != root).cloned().collect();
    assert_eq!(
        texts(&others),
        ["mutex_acquire Ordered", "mutex_wait Ordered 0", "mutex_acquired Ordered"]
    );
    assert_eq!(others[1].state, State::WaitOrdered);
    assert_eq!(others[1].wait_id, others[1].about as u64);
}
