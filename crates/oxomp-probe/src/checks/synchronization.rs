//! Barriers, reductions, ordered dependences, flush, cancellation.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_cancel_flag_t, ompt_set_result_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, Task};
use crate::recorded::{expect, expect_codeptr, expect_task, only, region};
use crate::tool;
use crate::tool::event::Event;
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Synchronization",
    checks: &[
        check(
            "barrier",
            Forms::Both,
            "6.0 §17.3, §34.7.4",
            "sync_region and sync_region_wait of a barrier directive",
            barrier,
        ),
        check(
            "barrier-codeptr",
            Forms::Both,
            "6.0 §34.7.4",
            "codeptr_ra of a barrier lies in the program, at begin and end",
            barrier_codeptr,
        ),
        check(
            "barrier-task",
            Forms::Both,
            "6.0 §34.7.4",
            "a barrier's events are in the implicit task, with its region",
            barrier_task,
        ),
        check(
            "reduction",
            Forms::Clang,
            "6.0 §7.6.6, §34.7.6",
            "reduction begin and end around the combining",
            reduction,
        ),
        check(
            "flush",
            Forms::Clang,
            "6.0 §17.8.6",
            "flush, with its address in the program",
            flush,
        ),
        check(
            "doacross",
            Forms::Clang,
            "6.0 §17.10.1, §34.7.1",
            "dependences of the kinds source and sink of a doacross loop",
            doacross,
        ),
        check(
            "cancel-parallel",
            Forms::Both,
            "6.0 §18.2",
            "cancel parallel: activated by one thread, detected by the other",
            cancel_parallel,
        )
        .with(&[("OMP_CANCELLATION", "true")]),
        check(
            "cancel-taskgroup",
            Forms::Both,
            "6.0 §18.2",
            "cancel taskgroup: activated, and waiting tasks are discarded",
            cancel_taskgroup,
        )
        .with(&[("OMP_CANCELLATION", "true")]),
    ],
};

const SYNC: [ompt_callbacks_t; 2] =
    [ompt_callbacks_t::SYNC_REGION, ompt_callbacks_t::SYNC_REGION_WAIT];

/// The events of the directive, without those of the region's end.
fn barrier_events(events: &[Event]) -> Vec<Event> {
    let mut seen = only(events, &SYNC);
    seen.truncate(4);
    seen
}

fn barrier(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.barrier())?;
    for events in region.by_index.values() {
        let order = [
            "sync_region begin barrier_explicit",
            "sync_region_wait begin barrier_explicit",
            "sync_region_wait end barrier_explicit",
            "sync_region end barrier_explicit",
        ];
        expect(&barrier_events(events), &order)?;
    }
    Ok(())
}

fn barrier_codeptr(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.barrier())?;
    for events in region.by_index.values() {
        expect_codeptr(&barrier_events(events))?;
    }
    Ok(())
}

fn barrier_task(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.barrier())?;
    for events in region.by_index.values() {
        let seen = barrier_events(events);
        expect_task(&seen, events[0].task)?;
        if let Some(event) = seen.iter().find(|event| event.parallel != region.begin.parallel) {
            return wrong(format!("{event} has another parallel data than the region"));
        }
    }
    Ok(())
}

fn reduction(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.reduce(&mut 1))?;
    let kinds = [ompt_callbacks_t::REDUCTION];
    let all: Vec<Event> =
        region.by_index.values().flat_map(|events| only(events, &kinds)).collect();
    if all.is_empty() {
        // Code that combines by atomics itself makes no call at the end of it.
        let answers = tool::started().answers;
        let answer = answers.iter().find(|(event, _)| *event == ompt_callbacks_t::REDUCTION);
        return match answer {
            Some((_, answer)) if *answer != ompt_set_result_t::ALWAYS => Ok(()),
            _ => missing("no reduction event, which ompt_set_callback calls always"),
        };
    }
    for events in region.by_index.values() {
        let seen = only(events, &kinds);
        expect(&seen, &["reduction begin reduction", "reduction end reduction"])?;
        expect_codeptr(&seen)?;
    }
    Ok(())
}

fn flush(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.flush())?;
    for events in region.by_index.values() {
        let seen = only(events, &[ompt_callbacks_t::FLUSH]);
        expect(&seen, &["flush"])?;
        expect_codeptr(&seen)?;
    }
    Ok(())
}

fn doacross(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.doacross_of_two())?;
    for (index, kind) in [(0, "5"), (1, "6")] {
        let seen = only(&region.by_index[&index], &[ompt_callbacks_t::DEPENDENCES]);
        expect(&seen, &["dependences"])?;
        demand(seen[0].text == kind, || {
            format!("the dependence type is {}, not {kind} (5 source, 6 sink)", seen[0].text)
        })?;
        demand(seen[0].index == 0, || "the element of the vector is not 0".to_owned())?;
        expect_task(&seen, region.by_index[&index][0].task)?;
    }
    Ok(())
}

fn cancel_parallel(form: Form) -> Verdict {
    let region = region(form, 2, |member| {
        // The second comes to its cancel construct when the region is cancelled, or cancels too.
        member.cancel(1);
    })?;
    let seen = only(&region.all, &[ompt_callbacks_t::CANCEL]);
    if seen.is_empty() {
        return missing("no cancel event");
    }
    let activated = ompt_cancel_flag_t::ACTIVATED.0 | ompt_cancel_flag_t::PARALLEL.0;
    let detected = ompt_cancel_flag_t::DETECTED.0 | ompt_cancel_flag_t::PARALLEL.0;
    for event in &seen {
        let flags = event.flags as u32;
        if flags != activated && flags != detected {
            return wrong(format!("a cancel event has flags {flags:#x}"));
        }
    }
    only_one_activates(&seen, activated)?;
    expect_codeptr(&seen)
}

/// One thread activates the cancellation, and no matter when: another thread may have noticed it,
/// and reported that, before the first thread comes to its own callback.
fn only_one_activates(cancels: &[Event], activated: u32) -> Verdict {
    let count = cancels.iter().filter(|event| event.flags as u32 == activated).count();
    demand(count == 1, || format!("{count} cancel events have flags {activated:#x}, not one"))
}

fn cancel_taskgroup(form: Form) -> Verdict {
    let region = region(form, 2, |member| {
        if member.number() == 0 {
            member.taskgroup(|| {
                for _ in 0..64 {
                    member.task(Task::default(), |_| {}, 0);
                }
                member.task(
                    Task { undeferred: true, ..Task::default() },
                    cancel_in_task,
                    usize::from(member.form == Form::Gcc) << 32 | member.gtid as usize,
                );
            });
        }
    })?;
    let seen = only(&region.all, &[ompt_callbacks_t::CANCEL]);
    let activated = ompt_cancel_flag_t::ACTIVATED.0 | ompt_cancel_flag_t::TASKGROUP.0;
    let discarded = ompt_cancel_flag_t::DISCARDED_TASK.0;
    if seen.is_empty() {
        return missing("no cancel event");
    }
    only_one_activates(&seen, activated)?;
    // A task of the taskgroup runs to its end or is discarded, which is reported with its word.
    let created = only(&region.all, &[ompt_callbacks_t::TASK_CREATE]);
    let schedules = only(&region.all, &[ompt_callbacks_t::TASK_SCHEDULE]);
    for task in &created {
        let ran = schedules.iter().any(|event| event.other == task.other);
        let thrown_away = seen
            .iter()
            .any(|event| event.task == task.other && event.flags as u32 & discarded != 0);
        if ran == thrown_away {
            return wrong(if ran {
                "a task is both scheduled and reported as discarded"
            } else {
                "a task is neither scheduled nor reported as discarded"
            });
        }
    }
    Ok(())
}

fn cancel_in_task(word: usize) {
    let form = if word >> 32 == 0 { Form::Clang } else { Form::Gcc };
    crate::construct::Member { form, gtid: word as u32 as i32, local: 0 }.cancel(4);
}
