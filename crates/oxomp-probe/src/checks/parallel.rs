//! Parallel regions: order and arguments.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_parallel_flag_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, parallel};
use crate::recorded::{expect, is_end_of_implicit_task, only, region, shown, start};
use crate::tool::event::Event;
use crate::tool::log;
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Parallel regions",
    checks: &[
        check(
            "parallel-primary",
            Forms::Both,
            "6.0 §12.1, §17.3.2",
            "order of events on the primary thread",
            primary,
        ),
        check(
            "parallel-workers",
            Forms::Both,
            "6.0 §12.1, §17.3.2",
            "order of events on each worker",
            workers,
        ),
        check(
            "parallel-begin-first",
            Forms::Both,
            "6.0 §12.1",
            "parallel_begin precedes every implicit task of the team",
            begin_first,
        ),
        check(
            "parallel-requested",
            Forms::Both,
            "6.0 §34.3.1",
            "parallel_begin has the requested parallelism",
            requested,
        ),
        check(
            "parallel-flags",
            Forms::Both,
            "6.0 §33.22",
            "flags: a team, and by which code its primary is invoked",
            flags,
        ),
        check(
            "parallel-codeptr",
            Forms::Both,
            "6.0 §34.3",
            "codeptr_ra of begin and end lies in the program",
            codeptr,
        ),
        check(
            "parallel-data",
            Forms::Both,
            "6.0 §34.3, §34.5.3",
            "new words are zero, and begin and end show the same ones",
            data,
        ),
        check(
            "parallel-implicit",
            Forms::Both,
            "6.0 §34.5.3",
            "actual_parallelism and index of the implicit tasks",
            implicit,
        ),
        check(
            "parallel-barrier-end",
            Forms::Both,
            "6.0 §34.7.4, §34.5.3",
            "parallel_data is NULL at the end of the region's barrier and implicit tasks",
            barrier_end,
        ),
        check(
            "parallel-barrier-codeptr",
            Forms::Both,
            "6.0 §34.7.4",
            "codeptr_ra of the region's barrier lies in the program or is NULL",
            barrier_codeptr,
        ),
        check(
            "parallel-prompt",
            Forms::Both,
            "6.0 §12.1, §34.5.3",
            "workers' implicit tasks end without a next region",
            prompt,
        ),
        check(
            "parallel-serialized",
            Forms::Both,
            "6.0 §12.1",
            "a region of one thread has its events",
            serialized,
        ),
        check(
            "parallel-nested",
            Forms::Both,
            "6.0 §12.1, §34.3.1",
            "a nested region's encountering task is the outer implicit task",
            nested,
        )
        .with(&[("OMP_MAX_ACTIVE_LEVELS", "2")]),
        check(
            "parallel-nested-serialized",
            Forms::Both,
            "6.0 §12.1",
            "a nested region beyond the active levels is a region with events",
            nested_serialized,
        )
        .with(&[("OMP_MAX_ACTIVE_LEVELS", "1")]),
    ],
};

const REGION: [ompt_callbacks_t; 5] = [
    ompt_callbacks_t::PARALLEL_BEGIN,
    ompt_callbacks_t::PARALLEL_END,
    ompt_callbacks_t::IMPLICIT_TASK,
    ompt_callbacks_t::SYNC_REGION,
    ompt_callbacks_t::SYNC_REGION_WAIT,
];

const IMPLICIT: [&str; 6] = [
    "implicit_task begin",
    "sync_region begin barrier_implicit_parallel",
    "sync_region_wait begin barrier_implicit_parallel",
    "sync_region_wait end barrier_implicit_parallel",
    "sync_region end barrier_implicit_parallel",
    "implicit_task end",
];

fn primary(form: Form) -> Verdict {
    let region = region(form, 3, |_| {})?;
    let own = region.all.iter().filter(|event| event.thread == region.begin.thread);
    let expected = [&["parallel_begin"][..], &IMPLICIT, &["parallel_end"]].concat();
    expect(&only(own, &REGION), &expected)
}

fn workers(form: Form) -> Verdict {
    let region = region(form, 3, |_| {})?;
    for index in 1..3 {
        expect(&only(&region.by_index[&index], &REGION), &IMPLICIT)?;
    }
    Ok(())
}

fn begin_first(form: Form) -> Verdict {
    let region = region(form, 3, |_| {})?;
    let first = region.all.iter().find(|event| event.parallel == region.begin.parallel);
    demand(first == Some(&region.begin), || {
        first.map_or_else(String::new, |first| format!("{first} comes first"))
    })
}

fn requested(form: Form) -> Verdict {
    let region = region(form, 3, |_| {})?;
    demand(region.begin.count == 3, || {
        format!("requested_parallelism is {} for num_threads(3)", region.begin.count)
    })
}

fn flags(form: Form) -> Verdict {
    let region = region(form, 2, |_| {})?;
    let invokers = [ompt_parallel_flag_t::INVOKER_PROGRAM, ompt_parallel_flag_t::INVOKER_RUNTIME];
    for event in [&region.begin, &region.end] {
        let rest = event.flags as u32 & !ompt_parallel_flag_t::TEAM.0;
        let is_team = event.flags as u32 & ompt_parallel_flag_t::TEAM.0 != 0;
        if !is_team || !invokers.iter().any(|invoker| invoker.0 == rest) {
            return wrong(format!("{event} has flags {:#x}", event.flags));
        }
    }
    demand(region.begin.flags == region.end.flags, || {
        format!("begin has {:#x}, end has {:#x}", region.begin.flags, region.end.flags)
    })
}

fn codeptr(form: Form) -> Verdict {
    let region = region(form, 2, |_| {})?;
    crate::recorded::expect_codeptr([&region.begin, &region.end])?;
    demand(region.begin.codeptr == region.end.codeptr, || {
        "begin and end have different ones".to_owned()
    })
}

fn data(form: Form) -> Verdict {
    let region = region(form, 3, |_| {})?;
    demand(region.begin.was_fresh, || "the region's word is not zero at first".to_owned())?;
    if region.end.parallel != region.begin.parallel || region.end.task != region.begin.task {
        return wrong(format!(
            "begin has region {} and task {}, end has {} and {}",
            shown(region.begin.parallel),
            shown(region.begin.task),
            shown(region.end.parallel),
            shown(region.end.task)
        ));
    }
    for events in region.by_index.values() {
        let first = &events[0];
        demand(first.was_fresh, || "an implicit task's word is not zero at first".to_owned())?;
        let last = events.iter().rev().find(|event| is_end_of_implicit_task(event));
        if last.is_none_or(|last| last.task != first.task) {
            return missing("an implicit task has no end with its word");
        }
    }
    Ok(())
}

fn implicit(form: Form) -> Verdict {
    let region = region(form, 3, |_| {})?;
    for (index, events) in &region.by_index {
        if events[0].count != 3 {
            return wrong(format!("actual_parallelism at begin is {}", events[0].count));
        }
        let Some(end) = events.iter().find(|event| is_end_of_implicit_task(event)) else {
            return missing(format!("the implicit task {index} has no end"));
        };
        if end.count != 0 || end.index != *index {
            return wrong(format!(
                "at the end, actual_parallelism is {} and the index of task {index} is {}",
                end.count, end.index
            ));
        }
    }
    Ok(())
}

fn barrier_end(form: Form) -> Verdict {
    let region = region(form, 2, |_| {})?;
    let kinds = [ompt_callbacks_t::SYNC_REGION, ompt_callbacks_t::IMPLICIT_TASK];
    for events in region.by_index.values() {
        for event in only(events, &kinds) {
            if event.ends() && event.parallel.is_some() {
                return wrong(format!("{event} has parallel_data {}", shown(event.parallel)));
            }
        }
    }
    Ok(())
}

fn barrier_codeptr(form: Form) -> Verdict {
    let region = region(form, 2, |_| {})?;
    let kinds = [ompt_callbacks_t::SYNC_REGION, ompt_callbacks_t::SYNC_REGION_WAIT];
    for event in region.by_index.values().flat_map(|events| only(events, &kinds)) {
        if matches!(event.codeptr, crate::code::Code::Other(_)) {
            return wrong(format!("codeptr_ra of {event} is {}", event.codeptr));
        }
    }
    Ok(())
}

fn prompt(form: Form) -> Verdict {
    start(form)?;
    let mark = log::mark();
    parallel(form, 3, |_| {});
    let ended =
        |events: &[Event]| events.iter().filter(|event| is_end_of_implicit_task(event)).count();
    let all = log::wait_for(mark, |events| ended(events) >= 3);
    demand(all, || {
        format!(
            "{} of 3 implicit tasks have ended {} s after the region",
            ended(&log::since(mark)),
            log::PATIENCE.as_secs()
        )
    })
}

fn serialized(form: Form) -> Verdict {
    let region = region(form, 1, |_| {})?;
    let kinds = [
        ompt_callbacks_t::PARALLEL_BEGIN,
        ompt_callbacks_t::PARALLEL_END,
        ompt_callbacks_t::IMPLICIT_TASK,
    ];
    let seen = only(&region.all, &kinds);
    let order = ["parallel_begin", "implicit_task begin", "implicit_task end", "parallel_end"];
    expect(&seen, &order)?;
    demand((seen[1].count, seen[1].index) == (1, 0), || {
        format!("actual_parallelism is {} and index {}", seen[1].count, seen[1].index)
    })
}

fn nested(form: Form) -> Verdict {
    inner_region(form, 2)
}

fn nested_serialized(form: Form) -> Verdict {
    inner_region(form, 1)
}

/// A region inside a region; `size` is the team size that the inner one gets.
fn inner_region(form: Form, size: u64) -> Verdict {
    let region = region(form, 2, move |member| {
        if member.number() == 1 {
            parallel(form, 2, |_| {});
        }
    })?;
    let worker = &region.by_index[&1];
    let outer = &worker[0];
    let Some(begin) = worker.iter().find(|event| event.is(ompt_callbacks_t::PARALLEL_BEGIN)) else {
        return missing("the inner region has no parallel_begin");
    };
    if begin.task != outer.task {
        return wrong(format!(
            "the encountering task is {}, the outer implicit task {}",
            shown(begin.task),
            shown(outer.task)
        ));
    }
    demand(begin.codeptr.is_programs(), || format!("codeptr_ra is {}", begin.codeptr))?;
    let inner = region.all.iter().find(|event| {
        event.is(ompt_callbacks_t::IMPLICIT_TASK)
            && event.begins()
            && event.thread == outer.thread
            && event.parallel == begin.parallel
    });
    let Some(inner) = inner else {
        return missing("the inner region has no implicit task of its own");
    };
    demand((inner.count, inner.index) == (size, 0), || {
        format!("actual_parallelism is {} and index {}", inner.count, inner.index)
    })
}
