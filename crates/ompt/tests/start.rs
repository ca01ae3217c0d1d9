//! Who gets the tool, and when it ends: second runtimes, restarts, forked children, tools that end
//! themselves.

mod fake;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use fake::Word;
use ompt::{EntryPoints, Event, Initialization, Registration, ThreadBegin, Tool};

static STARTS: AtomicU32 = AtomicU32::new(0);
static ENDS: AtomicU32 = AtomicU32::new(0);
static EVENTS: AtomicU32 = AtomicU32::new(0);
static ENDS_IN_INITIALIZE: AtomicBool = AtomicBool::new(false);
static ENDS_IN_CALLBACK: AtomicBool = AtomicBool::new(false);
static PANICS: AtomicBool = AtomicBool::new(false);
static ENDS_IN_REGISTERED: AtomicBool = AtomicBool::new(false);

struct Starter {
    entry_points: EntryPoints,
    /// On the heap, so that a tool that is dropped or overwritten too early shows.
    number: Box<u32>,
}

#[ompt::tool]
impl Tool for Starter {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        let entry_points = initialization.entry_points;
        let number = STARTS.fetch_add(1, Ordering::Relaxed) + 1;
        if ENDS_IN_INITIALIZE.load(Ordering::Relaxed) {
            // SAFETY: the test's runtime allows it.
            unsafe { entry_points.finalize_tool() };
            assert_eq!(entry_points.thread_data(|_| ()), None, "the tool has ended");
        }
        Some(Self { entry_points, number: Box::new(number) })
    }

    fn registered(&self, _: &Registration) {
        if ENDS_IN_REGISTERED.load(Ordering::Relaxed) {
            // SAFETY: the test's runtime allows it.
            unsafe { self.entry_points.finalize_tool() };
            // SAFETY: as above.
            unsafe { self.entry_points.finalize_tool() };
        }
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        if PANICS.load(Ordering::Relaxed) {
            panic!("in a callback");
        }
        event.thread.expect("a word").set(u64::from(*self.number));
        if ENDS_IN_CALLBACK.load(Ordering::Relaxed) {
            self.entry_points.end_tool();
            self.entry_points.end_tool();
            assert_eq!(self.entry_points.thread_data(|_| ()), None, "the tool has ended");
        }
        EVENTS.fetch_add(1, Ordering::Relaxed);
    }

    fn finalize(&self) {
        assert_eq!(*self.number, STARTS.load(Ordering::Relaxed));
        assert!(self.entry_points.thread_data(|_| ()).is_some(), "usable in `finalize`");
        ENDS.fetch_add(1, Ordering::Relaxed);
    }
}

ompt::ompt_tool!(Starter);

fn counts() -> (u32, u32, u32) {
    (STARTS.load(Ordering::Relaxed), ENDS.load(Ordering::Relaxed), EVENTS.load(Ordering::Relaxed))
}

/// One test, since there is one tool.
#[test]
fn one_runtime_has_the_tool_at_a_time() {
    let word = Word::new();
    // Two runtimes ask before the first one initializes.
    let (first, second) = (fake::start().expect("wanted"), fake::start().expect("wanted"));
    assert!(fake::initialize(first));
    assert!(!fake::initialize(second), "another runtime has the tool");
    assert!(fake::start().is_none(), "another runtime has the tool");
    fake::thread_begin(&word);
    assert_eq!((word.value(), counts()), (1, (1, 0, 1)));
    let status = fake::in_forked_child(|| {
        assert!(fake::run(), "the parent's runtime is not here");
        fake::thread_begin(&Word::new());
        assert_eq!(counts(), (2, 0, 2));
    });
    assert_eq!(status, 0, "the child's assertions hold");
    let status = fake::in_forked_child(|| {
        PANICS.store(true, Ordering::Relaxed);
        fake::thread_begin(&Word::new());
    });
    assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT, "no unwinding");

    fake::finalize();
    fake::finalize();
    assert_eq!(counts(), (1, 1, 1), "finalized once");

    // A runtime that was shut down starts again.
    assert!(fake::run());
    fake::thread_begin(&word);
    assert_eq!((word.value(), counts()), (2, (2, 1, 2)));
    fake::finalize();

    tools_end_themselves();
}

fn tools_end_themselves() {
    fake::on_finalize_tool(fake::finalize);
    ENDS_IN_INITIALIZE.store(true, Ordering::Relaxed);
    assert!(!fake::run(), "the tool ended before it was there");
    assert_eq!(counts(), (3, 2, 2), "no tool to finalize");
    assert!(fake::registered().is_empty());
    ENDS_IN_INITIALIZE.store(false, Ordering::Relaxed);

    ENDS_IN_REGISTERED.store(true, Ordering::Relaxed);
    assert!(!fake::run(), "the tool ended while it was registering");
    assert_eq!(counts(), (4, 3, 2));
    assert!(!fake::registered().contains(&Event::THREAD_BEGIN));
    ENDS_IN_REGISTERED.store(false, Ordering::Relaxed);

    ENDS_IN_CALLBACK.store(true, Ordering::Relaxed);
    assert!(fake::run());
    fake::thread_begin(&Word::new());
    assert_eq!(counts(), (5, 4, 3));
    assert!(fake::registered().is_empty());
    fake::finalize();
    assert_eq!(counts(), (5, 4, 3), "finalized once");
}
