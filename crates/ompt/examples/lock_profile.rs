//! A whole tool: how long threads waited for mutexes and held them, by kind and by the address of
//! the code that acquires.
//!
//! ```text
//! cargo build --release -p ompt --example lock_profile
//! OMP_TOOL_LIBRARIES=target/release/examples/liblock_profile.so ./program
//! ```

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ompt::{
    CodePtr, Data, EntryPoints, Initialization, MutexAcquire, MutexKind, ThreadBegin, Tool, Typed,
    WaitId,
};

type Place = (MutexKind, CodePtr);
/// How often a mutex was acquired at a place, how long threads waited for it and held it.
type Profile = BTreeMap<Place, (u64, Duration, Duration)>;

/// The mutexes that one thread waits for or holds; no other thread sees this.
#[derive(Default)]
struct Thread {
    /// When the thread began to wait, and where.
    waiting: Cell<Option<(Instant, CodePtr)>>,
    /// The mutexes that the thread holds: since when, and the place.
    held: RefCell<HashMap<WaitId, (Instant, Place)>>,
    profile: RefCell<Profile>,
}

struct LockProfile {
    entry_points: EntryPoints<Typed<Self>>,
    /// The sums of the threads that have ended.
    sums: Mutex<Profile>,
}

#[ompt::tool]
impl Data for LockProfile {
    type Thread = Thread;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> Thread {
        Thread::default()
    }

    fn end_thread(&self, thread: Thread) {
        let mut sums = self.sums.lock().expect("no holder panics");
        for (place, (count, waited, held)) in thread.profile.take() {
            let sum = sums.entry(place).or_default();
            *sum = (sum.0 + count, sum.1 + waited, sum.2 + held);
        }
    }
}

#[ompt::tool]
impl Tool for LockProfile {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self { entry_points: initialization.entry_points, sums: Mutex::default() })
    }

    fn mutex_acquire(&self, event: &MutexAcquire) {
        let now = Instant::now();
        self.entry_points.thread_data(|thread| thread.waiting.set(Some((now, event.codeptr_ra))));
    }

    fn mutex_acquired(&self, event: &ompt::Mutex) {
        let now = Instant::now();
        self.entry_points.thread_data(|thread| {
            let (since, code) = thread.waiting.take().unwrap_or((now, event.codeptr_ra));
            let place = (event.kind, code);
            let mut profile = thread.get().profile.borrow_mut();
            let times = profile.entry(place).or_default();
            *times = (times.0 + 1, times.1 + (now - since), times.2);
            thread.held.borrow_mut().insert(event.wait_id, (now, place));
        });
    }

    fn mutex_released(&self, event: &ompt::Mutex) {
        self.entry_points.thread_data(|thread| {
            if let Some((since, place)) = thread.held.borrow_mut().remove(&event.wait_id) {
                thread.profile.borrow_mut().entry(place).or_default().2 += since.elapsed();
            }
        });
    }

    fn finalize(&self) {
        let sums = self.sums.lock().expect("no holder panics");
        for ((kind, code), (count, waited, held)) in &*sums {
            eprintln!("{kind} at {code}: {count} times, waited {waited:?}, held {held:?}");
        }
    }
}

ompt::ompt_tool!(LockProfile);
