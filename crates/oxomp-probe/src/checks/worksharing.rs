//! Loops, sections, single, masked.

use std::sync::atomic::{AtomicI32, Ordering};

use oxomp_event_order::rule::Rule;
use oxomp_sys::ompt::{ompt_callbacks_t, ompt_dispatch_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, Member, Schedule, Single, parallel_loop_by_gcc};
use crate::recorded::{Region, expect, expect_codeptr, only, region, start};
use crate::tool::event::Event;
use crate::tool::log;
use crate::verdict::{Fault, Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Worksharing",
    checks: &[
        check(
            "loop-dynamic",
            Forms::Both,
            "6.0 §13.6, §34.4.1",
            "schedule(dynamic): work of the kind loop_dynamic, then the barrier",
            dynamic,
        ),
        check(
            "loop-guided",
            Forms::Both,
            "6.0 §13.6, §34.4.1",
            "schedule(guided): work of the kind loop_guided",
            guided,
        ),
        check(
            "loop-static",
            Forms::Clang,
            "6.0 §13.6, §34.4.1",
            "schedule(static): work of the kind loop_static",
            static_loop,
        ),
        check(
            "loop-count",
            Forms::Both,
            "6.0 §34.4.1",
            "work begin has the loop's iterations, the task and the region",
            count,
        ),
        check(
            "loop-codeptr",
            Forms::Both,
            "6.0 §34.4.1",
            "codeptr_ra of work lies in the program",
            codeptr,
        ),
        check(
            "loop-idle-thread",
            Forms::Both,
            "6.0 §13.6",
            "a thread without an iteration has work begin and end too",
            idle_thread,
        ),
        check(
            "loop-empty",
            Forms::Both,
            "6.0 §13.6",
            "a loop without iterations has its work events",
            empty,
        ),
        check(
            "loop-serialized",
            Forms::Both,
            "6.0 §13.6",
            "a loop of a serialized region has its work events",
            serialized,
        ),
        check(
            "loop-chunks",
            Forms::Both,
            "5.2 §19.4.4.11, 6.0 §34.4.2",
            "dispatch reports each chunk of schedule(dynamic, 3)",
            chunks,
        ),
        check(
            "loop-static-chunks",
            Forms::Clang,
            "5.2 §19.4.4.11, 6.0 §34.4.2",
            "dispatch reports each chunk of schedule(static, 2)",
            static_chunks,
        ),
        check(
            "loop-combined",
            Forms::Gcc,
            "6.0 §34.3.1, §34.4.1",
            "gcc's parallel for in one call: region and work, with codeptr_ra in the program",
            combined,
        ),
        check(
            "sections",
            Forms::Both,
            "6.0 §13.3, §34.4.1",
            "work of the kind sections, with their number",
            sections,
        ),
        check(
            "sections-dispatch",
            Forms::Gcc,
            "6.0 §13.3, §34.4.2",
            "dispatch reports each section",
            sections_dispatch,
        ),
        check(
            "single",
            Forms::Both,
            "6.0 §13.1, §34.4.1",
            "work of the kinds single_executor and single_other",
            single,
        ),
        check(
            "masked",
            Forms::Clang,
            "6.0 §12.5, §34.6",
            "masked begin and end in the thread that executes",
            masked,
        ),
    ],
};

const WORK: [ompt_callbacks_t; 1] = [ompt_callbacks_t::WORK];
const WORK_AND_BARRIER: [ompt_callbacks_t; 3] =
    [ompt_callbacks_t::WORK, ompt_callbacks_t::SYNC_REGION, ompt_callbacks_t::SYNC_REGION_WAIT];

fn work_of<'a>(region: &'a Region) -> impl Iterator<Item = Vec<Event>> + 'a {
    region.by_index.values().map(|events| only(events, &WORK))
}

fn dynamic_region(form: Form, threads: u32, count: i32) -> Result<Region, Fault> {
    region(form, threads, move |member| {
        member.loop_by_calls(Schedule::Dynamic, count, 3, |_| {});
    })
}

fn dynamic(form: Form) -> Verdict {
    let region = dynamic_region(form, 2, 20)?;
    for events in region.by_index.values() {
        // The region's own barrier follows.
        let mut seen = only(events, &WORK_AND_BARRIER);
        seen.truncate(6);
        let workshare = [
            "work begin loop_dynamic",
            "work end loop_dynamic",
            "sync_region begin barrier_implicit_workshare",
            "sync_region_wait begin barrier_implicit_workshare",
            "sync_region_wait end barrier_implicit_workshare",
            "sync_region end barrier_implicit_workshare",
        ];
        expect(&seen, &workshare)?;
    }
    Ok(())
}

fn expect_kind(region: &Region, kind: &str) -> Verdict {
    for events in work_of(region) {
        expect(&events, &[&format!("work begin {kind}"), &format!("work end {kind}")])?;
    }
    Ok(())
}

fn guided(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.loop_by_calls(Schedule::Guided, 20, 2, |_| {}))?;
    expect_kind(&region, "loop_guided")
}

fn static_loop(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.static_loop(None, 20))?;
    expect_kind(&region, "loop_static")?;
    expect_count(&region, 20)
}

fn expect_count(region: &Region, count: u64) -> Verdict {
    for events in work_of(region) {
        let Some(begin) = events.iter().find(|event| event.begins()) else {
            return missing("no work begin");
        };
        if begin.count != count {
            return wrong(format!("the count is {}, not {count}", begin.count));
        }
    }
    Ok(())
}

fn count(form: Form) -> Verdict {
    let region = dynamic_region(form, 2, 20)?;
    expect_count(&region, 20)?;
    region.keeps(&[Rule::TaskData, Rule::ParallelData], &WORK)
}

fn codeptr(form: Form) -> Verdict {
    let region = dynamic_region(form, 2, 20)?;
    let work: Vec<Event> = work_of(&region).flatten().collect();
    demand(!work.is_empty(), || "no work event".to_owned())?;
    expect_codeptr(&work)
}

fn idle_thread(form: Form) -> Verdict {
    let region = dynamic_region(form, 3, 1)?;
    expect_kind(&region, "loop_dynamic")
}

fn empty(form: Form) -> Verdict {
    let region = dynamic_region(form, 2, 0)?;
    expect_kind(&region, "loop_dynamic")?;
    expect_count(&region, 0)
}

fn serialized(form: Form) -> Verdict {
    let region = dynamic_region(form, 1, 20)?;
    expect_kind(&region, "loop_dynamic")
}

fn combined(form: Form) -> Verdict {
    start(form)?;
    let mark = log::mark();
    parallel_loop_by_gcc(2, 20);
    let kinds =
        [ompt_callbacks_t::PARALLEL_BEGIN, ompt_callbacks_t::PARALLEL_END, ompt_callbacks_t::WORK];
    let seen = only(&log::since(mark), &kinds);
    let primary = seen.first().map_or(0, |event| event.thread);
    let own: Vec<Event> = seen.iter().filter(|event| event.thread == primary).cloned().collect();
    let order =
        ["parallel_begin", "work begin loop_dynamic", "work end loop_dynamic", "parallel_end"];
    expect(&own, &order)?;
    demand(own[1].count == 20, || format!("the count is {}, not 20", own[1].count))?;
    expect_codeptr(&seen)
}

/// Whether the chunks cover 0..count without overlap.
fn expect_cover(region: &Region, count: u64) -> Verdict {
    let kinds = [ompt_callbacks_t::DISPATCH];
    let mut chunks: Vec<(u64, u64)> = Vec::new();
    for event in region.by_index.values().flat_map(|events| only(events, &kinds)) {
        if event.kind != ompt_dispatch_t::WS_LOOP_CHUNK.0 {
            return wrong(format!("seen: {event}"));
        }
        chunks.push((event.index, event.count));
    }
    if chunks.is_empty() {
        return missing("no dispatch event");
    }
    chunks.sort_unstable();
    let mut next = 0;
    for (start, length) in &chunks {
        if *start != next || *length == 0 {
            return wrong(format!("start and length of the chunks of 0..{count}: {chunks:?}"));
        }
        next += length;
    }
    demand(next == count, || format!("start and length of the chunks of 0..{count}: {chunks:?}"))
}

fn chunks(form: Form) -> Verdict {
    expect_cover(&dynamic_region(form, 2, 20)?, 20)
}

fn static_chunks(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.static_loop(Some(2), 10))?;
    expect_cover(&region, 10)
}

fn sections(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.sections(3))?;
    expect_kind(&region, "sections")?;
    expect_count(&region, 3)
}

fn sections_dispatch(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.sections(3))?;
    let kinds = [ompt_callbacks_t::DISPATCH];
    let seen: Vec<Event> =
        region.by_index.values().flat_map(|events| only(events, &kinds)).collect();
    expect(&seen, &["dispatch section"; 3])?;
    expect_codeptr(&seen)
}

fn single(form: Form) -> Verdict {
    let executor = AtomicI32::new(-1);
    let region = region(form, 2, |member: Member| {
        if member.single(|| {}) == Single::Executes {
            executor.store(member.number(), Ordering::Relaxed);
        }
    })?;
    for (index, events) in &region.by_index {
        let is_executor = *index as i32 == executor.load(Ordering::Relaxed);
        let kind = if is_executor { "single_executor" } else { "single_other" };
        let work = only(events, &WORK);
        expect(&work, &[&format!("work begin {kind}"), &format!("work end {kind}")])?;
        if work[0].count != 1 {
            return wrong(format!("the count is {}, not 1", work[0].count));
        }
    }
    Ok(())
}

fn masked(form: Form) -> Verdict {
    let region = region(form, 2, |member| member.masked(|| {}))?;
    let kinds = [ompt_callbacks_t::MASKED];
    expect(&only(&region.by_index[&0], &kinds), &["masked begin", "masked end"])?;
    expect_codeptr(&only(&region.by_index[&0], &kinds))?;
    let others = only(&region.by_index[&1], &kinds);
    demand(others.is_empty(), || format!("{} in a thread that does not execute", others[0]))
}
