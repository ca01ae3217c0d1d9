//! States, sampled by a signal while a thread is held at a known place.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use oxomp_sys::ompt::ompt_state_t;

use super::check::{Forms, Group, check};
use crate::construct::{Form, Lock, Member, Schedule, Task};
use crate::recorded::{region, start};
use crate::sampling::Target;
use crate::tool::log;
use crate::verdict::{Verdict, missing};

pub(super) const GROUP: Group = Group {
    title: "States, sampled by a signal",
    checks: &[
        check(
            "state-serial",
            Forms::Either,
            "6.0 §33.31, §36.14",
            "work_serial outside regions",
            serial,
        ),
        check(
            "state-parallel",
            Forms::Both,
            "6.0 §33.31",
            "work_parallel in a region",
            in_parallel,
        ),
        check(
            "state-serialized",
            Forms::Both,
            "6.0 §33.31",
            "work_parallel in a serialized region",
            serialized,
        ),
        check("state-after", Forms::Both, "6.0 §33.31", "work_serial again after a region", after),
        check("state-idle", Forms::Both, "6.0 §33.31", "idle in a worker between regions", idle),
        check(
            "state-barrier",
            Forms::Both,
            "6.0 §33.31",
            "wait_barrier_explicit in a barrier",
            barrier,
        ),
        check(
            "state-region-end",
            Forms::Both,
            "6.0 §33.31",
            "wait_barrier_implicit_parallel at a region's end",
            region_end,
        ),
        check(
            "state-loop-end",
            Forms::Both,
            "6.0 §33.31",
            "wait_barrier_implicit_workshare at a loop's end",
            loop_end,
        ),
        check("state-taskwait", Forms::Both, "6.0 §33.31", "wait_taskwait in a taskwait", taskwait),
        check(
            "state-taskgroup",
            Forms::Both,
            "6.0 §33.31",
            "wait_taskgroup at a taskgroup's end",
            taskgroup,
        ),
        check(
            "state-critical",
            Forms::Both,
            "6.0 §33.31",
            "wait_critical before a critical",
            critical,
        ),
        check(
            "state-ordered",
            Forms::Both,
            "6.0 §33.31",
            "wait_ordered before an ordered block",
            ordered,
        ),
        check("state-lock", Forms::Either, "6.0 §33.31", "wait_lock before a lock", lock),
        check(
            "state-task",
            Forms::Both,
            "6.0 §33.31",
            "work_parallel in a task that a taskwait runs",
            in_task,
        ),
        check(
            "state-foreign",
            Forms::Either,
            "5.2 §19.6.1.10, 6.0 §36.14",
            "undefined on a thread that has not met OpenMP",
            foreign,
        ),
    ],
};

/// A thread that another one samples, and the end of the place at which it is held.
struct Held {
    target: AtomicU64,
    is_there: AtomicBool,
    /// Another thread holds what the held one is to wait for.
    started: AtomicBool,
    go: AtomicBool,
}

static HELD: Held = Held {
    target: AtomicU64::new(0),
    is_there: AtomicBool::new(false),
    started: AtomicBool::new(false),
    go: AtomicBool::new(false),
};

/// Called by the thread to be held, just before it goes to the place.
fn arrive() {
    HELD.target.store(Target::current().to_word(), Ordering::Relaxed);
    HELD.is_there.store(true, Ordering::Release);
}

/// Spins in the program's own code until the sampling is over.
fn stay() {
    while !HELD.go.load(Ordering::Acquire) {
        thread::yield_now();
    }
}

/// Samples the held thread, and lets it go.
fn sample(expected: &[ompt_state_t], place: &str) -> Verdict {
    if !log::wait_until(|| HELD.is_there.load(Ordering::Acquire)) {
        HELD.go.store(true, Ordering::Release);
        return missing("the second thread does not come");
    }
    let target = Target::from_word(HELD.target.load(Ordering::Relaxed));
    let verdict = target.expect(expected, place);
    HELD.go.store(true, Ordering::Release);
    verdict
}

/// Runs a region of two in which a third thread, foreign to OpenMP, samples the one that arrives.
fn hold(
    form: Form,
    threads: u32,
    expected: ompt_state_t,
    place: &'static str,
    body: impl Fn(Member) + Sync,
) -> Verdict {
    start(form)?;
    let sampler = thread::spawn(move || sample(&[expected], place));
    region(form, threads, body)?;
    sampler.join().unwrap_or_else(|_| missing("the sampling thread failed"))
}

fn serial(form: Form) -> Verdict {
    start(form)?;
    Target::current().expect(&[ompt_state_t::WORK_SERIAL], "outside regions")
}

fn in_parallel(form: Form) -> Verdict {
    hold(form, 2, ompt_state_t::WORK_PARALLEL, "in a region", |member| {
        if member.number() == 1 {
            arrive();
            stay();
        }
    })
}

fn serialized(form: Form) -> Verdict {
    hold(form, 1, ompt_state_t::WORK_PARALLEL, "in a serialized region", |_| {
        arrive();
        stay();
    })
}

fn after(form: Form) -> Verdict {
    region(form, 2, |_| {})?;
    Target::current().expect(&[ompt_state_t::WORK_SERIAL], "after a region")
}

fn idle(form: Form) -> Verdict {
    region(form, 2, |member| {
        if member.number() == 1 {
            arrive();
        }
    })?;
    sample(&[ompt_state_t::IDLE], "between regions")
}

fn barrier(form: Form) -> Verdict {
    hold(form, 2, ompt_state_t::WAIT_BARRIER_EXPLICIT, "in a barrier", |member| {
        if member.number() == 1 {
            arrive()
        } else {
            stay()
        }
        member.barrier();
    })
}

fn region_end(form: Form) -> Verdict {
    let expected = ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL;
    hold(form, 2, expected, "at a region's end", |member| {
        if member.number() == 1 { arrive() } else { stay() }
    })
}

fn loop_end(form: Form) -> Verdict {
    let expected = ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE;
    hold(form, 2, expected, "at a loop's end", |member| {
        if member.number() == 1 {
            arrive()
        } else {
            stay()
        }
        member.loop_by_calls(Schedule::Dynamic, 2, 1, |_| {});
    })
}

/// A task that another thread runs, so that the thread that made it waits.
fn runs_elsewhere(_value: usize) {
    HELD.started.store(true, Ordering::Release);
    stay();
}

fn taskwait(form: Form) -> Verdict {
    hold(form, 2, ompt_state_t::WAIT_TASKWAIT, "in a taskwait", |member| {
        if member.number() == 1 {
            member.task(Task::default(), runs_elsewhere, 0);
            until_started();
            arrive();
            member.taskwait();
        }
    })
}

fn taskgroup(form: Form) -> Verdict {
    hold(form, 2, ompt_state_t::WAIT_TASKGROUP, "at a taskgroup's end", |member| {
        if member.number() == 1 {
            member.taskgroup(|| {
                member.task(Task::default(), runs_elsewhere, 0);
                until_started();
                arrive();
            });
        }
    })
}

fn critical(form: Form) -> Verdict {
    hold(form, 2, ompt_state_t::WAIT_CRITICAL, "before a critical", |member| {
        if member.number() == 0 {
            member.critical(0, || {
                HELD.started.store(true, Ordering::Release);
                stay();
            });
        } else {
            until_started();
            arrive();
            member.critical(0, || {});
        }
    })
}

fn ordered(form: Form) -> Verdict {
    hold(form, 2, ompt_state_t::WAIT_ORDERED, "before an ordered block", |member| {
        member.ordered_loop(2, |iteration| {
            if iteration == 0 {
                stay()
            } else {
                arrive()
            }
            member.ordered(|| {});
        });
    })
}

fn lock(form: Form) -> Verdict {
    let lock = Lock::default();
    start(form)?;
    lock.init();
    lock.set();
    thread::scope(|scope| {
        scope.spawn(|| {
            // The thread meets OpenMP first, as an initial thread.
            crate::runtime::call!(omp_get_thread_num() -> i32);
            crate::construct::parallel(form, 1, |_| {});
            arrive();
            lock.set();
            lock.unset();
        });
        let verdict = sample(&[ompt_state_t::WAIT_LOCK], "before a lock");
        lock.unset();
        verdict
    })
}

fn in_task(form: Form) -> Verdict {
    fn body(_value: usize) {
        arrive();
        stay();
    }
    hold(form, 2, ompt_state_t::WORK_PARALLEL, "in a task", |member| {
        if member.number() == 0 {
            member.task(Task::default(), body, 0);
            member.taskwait();
        }
    })
}

fn foreign(form: Form) -> Verdict {
    start(form)?;
    let sampled = thread::spawn(|| {
        arrive();
        stay();
    });
    let verdict = sample(&[ompt_state_t::UNDEFINED], "that has not met OpenMP");
    sampled.join().ok();
    verdict
}

/// Waits until the other thread holds what this one is to wait for.
fn until_started() {
    while !HELD.started.load(Ordering::Acquire) {
        thread::yield_now();
    }
}
