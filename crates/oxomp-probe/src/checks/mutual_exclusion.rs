//! Critical, ordered, atomic, and the locks of the program.

use oxomp_sys::ompt::ompt_callbacks_t;

use super::check::{Forms, Group, check};
use crate::construct::{Form, Lock, NestLock};
use crate::recorded::{Region, expect, expect_codeptr, only, region, start};
use crate::tool::event::Event;
use crate::tool::log;
use crate::verdict::{Fault, Verdict, demand, wrong};

pub(super) const GROUP: Group = Group {
    title: "Mutual exclusion",
    checks: &[
        check(
            "critical",
            Forms::Both,
            "6.0 §17.2, §34.7",
            "acquire, acquired, released of the kind critical, with one wait id",
            critical,
        ),
        check(
            "critical-codeptr",
            Forms::Both,
            "6.0 §34.7",
            "codeptr_ra of a critical's three events lies in the program",
            critical_codeptr,
        ),
        check(
            "critical-hint",
            Forms::Clang,
            "6.0 §34.7.7",
            "mutex_acquire has the hint of critical",
            critical_hint,
        ),
        check(
            "ordered",
            Forms::Both,
            "6.0 §17.10",
            "acquire, acquired, released of the kind ordered per iteration",
            ordered,
        ),
        check(
            "atomic",
            Forms::Both,
            "6.0 §17.8.5",
            "an atomic construct by lock has its three events, of the kind atomic",
            atomic,
        ),
        check("lock", Forms::Either, "6.0 §28.3", "init, set, unset, destroy of a lock", lock),
        check(
            "lock-hint",
            Forms::Either,
            "6.0 §28.1, §34.7.7",
            "lock_init has the hint of the routine",
            lock_hint,
        ),
        check(
            "lock-test",
            Forms::Either,
            "6.0 §28.5",
            "test of a lock: acquired only if obtained",
            lock_test,
        ),
        check(
            "nest-lock",
            Forms::Either,
            "6.0 §28.3, §34.7.12",
            "a nest lock owned already: nest_lock begin and end",
            nest_lock,
        ),
        check(
            "nest-lock-test",
            Forms::Either,
            "6.0 §28.5, §34.7.12",
            "test of a nest lock: acquired first, then nest_lock",
            nest_lock_test,
        ),
    ],
};

const MUTEX: [ompt_callbacks_t; 6] = [
    ompt_callbacks_t::LOCK_INIT,
    ompt_callbacks_t::LOCK_DESTROY,
    ompt_callbacks_t::MUTEX_ACQUIRE,
    ompt_callbacks_t::MUTEX_ACQUIRED,
    ompt_callbacks_t::MUTEX_RELEASED,
    ompt_callbacks_t::NEST_LOCK,
];

fn mutex_of(region: &Region) -> impl Iterator<Item = Vec<Event>> + '_ {
    region.by_index.values().map(|events| only(events, &MUTEX))
}

fn expect_one_wait_id(events: &[Event]) -> Verdict {
    let first = events.first().map_or(0, |event| event.wait);
    demand(first != 0, || "the wait id is 0".to_owned())?;
    demand(events.iter().all(|event| event.wait == first), || {
        "the events have different wait ids".to_owned()
    })
}

fn critical(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.critical(0, || {}))?;
    for events in mutex_of(&region) {
        let order =
            ["mutex_acquire critical", "mutex_acquired critical", "mutex_released critical"];
        expect(&events, &order)?;
        expect_one_wait_id(&events)?;
    }
    Ok(())
}

fn critical_codeptr(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.critical(0, || {}))?;
    for events in mutex_of(&region) {
        expect_codeptr(&events)?;
    }
    Ok(())
}

fn critical_hint(form: Form) -> Verdict {
    // omp_sync_hint_contended
    let region = region(form, 2, |member| member.critical(2, || {}))?;
    for events in mutex_of(&region) {
        let Some(acquire) = events.first() else { return wrong("no mutex_acquire") };
        if acquire.count != 2 {
            return wrong(format!("the hint is {}, not 2", acquire.count));
        }
    }
    Ok(())
}

fn ordered(form: Form) -> Verdict {
    let region = region(form, 2, |member| {
        member.ordered_loop(4, |_| member.ordered(|| {}));
    })?;
    let all: Vec<Event> = mutex_of(&region).flatten().collect();
    let order = ["mutex_acquire ordered", "mutex_acquired ordered", "mutex_released ordered"];
    let expected: Vec<&str> = order.into_iter().cycle().take(12).collect();
    expect(&all, &expected)?;
    expect_codeptr(&all)
}

fn atomic(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.atomic(|| {}))?;
    for events in mutex_of(&region) {
        // A runtime may leave the events of atomics out altogether.
        if !events.is_empty() {
            let order = ["mutex_acquire atomic", "mutex_acquired atomic", "mutex_released atomic"];
            expect(&events, &order)?;
            expect_one_wait_id(&events)?;
        }
    }
    Ok(())
}

fn events_of(form: Form, run: impl FnOnce()) -> Result<Vec<Event>, Fault> {
    start(form)?;
    let mark = log::mark();
    run();
    Ok(only(&log::since(mark), &MUTEX))
}

fn lock(form: Form) -> Verdict {
    let lock = Lock::default();
    let events = events_of(form, || {
        lock.init();
        lock.set();
        lock.unset();
        lock.destroy();
    })?;
    let order = [
        "lock_init lock",
        "mutex_acquire lock",
        "mutex_acquired lock",
        "mutex_released lock",
        "lock_destroy lock",
    ];
    expect(&events, &order)?;
    expect_one_wait_id(&events)?;
    expect_codeptr(&events)
}

fn lock_hint(form: Form) -> Verdict {
    let lock = Lock::default();
    let events = events_of(form, || {
        lock.init_with_hint(1);
        lock.destroy();
    })?;
    expect(&events, &["lock_init lock", "lock_destroy lock"])?;
    demand(events[0].count == 1, || format!("the hint is {}, not 1", events[0].count))
}

fn lock_test(form: Form) -> Verdict {
    let lock = Lock::default();
    let mut results = [false; 2];
    let events = events_of(form, || {
        lock.init();
        results = [lock.test(), lock.test()];
        lock.unset();
        lock.destroy();
    })?;
    demand(results == [true, false], || format!("omp_test_lock gives {results:?}"))?;
    let order = [
        "lock_init lock",
        "mutex_acquire test_lock",
        "mutex_acquired test_lock",
        "mutex_acquire test_lock",
    ];
    expect(&events[..events.len().min(4)], &order)?;
    let last: Vec<Event> = events[4..].to_vec();
    demand(last.len() == 2, || "no mutex_released and lock_destroy follow".to_owned())?;
    expect_one_wait_id(&events)
}

fn nest_lock(form: Form) -> Verdict {
    let lock = NestLock::default();
    let events = events_of(form, || {
        lock.init();
        lock.set();
        lock.set();
        lock.unset();
        lock.unset();
        lock.destroy();
    })?;
    let order = [
        "lock_init nest_lock",
        "mutex_acquire nest_lock",
        "mutex_acquired nest_lock",
        "mutex_acquire nest_lock",
        "nest_lock begin",
        "nest_lock end",
        "mutex_released nest_lock",
        "lock_destroy nest_lock",
    ];
    expect(&events, &order)?;
    expect_one_wait_id(&events)?;
    expect_codeptr(&events)
}

fn nest_lock_test(form: Form) -> Verdict {
    let lock = NestLock::default();
    let mut counts = [0; 2];
    let events = events_of(form, || {
        lock.init();
        counts = [lock.test(), lock.test()];
        lock.unset();
        lock.unset();
        lock.destroy();
    })?;
    demand(counts == [1, 2], || format!("omp_test_nest_lock gives {counts:?}"))?;
    let seen: Vec<Event> =
        events.iter().filter(|event| !event.is(ompt_callbacks_t::MUTEX_ACQUIRE)).cloned().collect();
    let order = [
        "lock_init nest_lock",
        "mutex_acquired test_nest_lock",
        "nest_lock begin",
        "nest_lock end",
    ];
    expect(&seen[..seen.len().min(4)], &order)
}
