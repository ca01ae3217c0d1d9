//! A construct run once with the events of it, cut out of the log.

use std::collections::BTreeMap;
use std::ops::Range;

use oxomp_event_order::event::{Event as Told, Object};
use oxomp_event_order::judge::judge;
use oxomp_event_order::rule::Rule;
use oxomp_sys::ompt::{ompt_callbacks_t, ompt_scope_endpoint_t, ompt_task_flag_t};

use crate::construct::{Form, Member, Place, parallel};
use crate::tool::event::{Event, Word};
use crate::tool::{self, log};
use crate::verdict::{Fault, Verdict, missing, wrong};

/// A fault if the tool is not at work: then no check of events says anything.
pub(crate) fn require_tool() -> Verdict {
    let started = tool::started();
    if started.initialized {
        return Ok(());
    }
    if started.start_calls > 0 {
        return wrong("the runtime calls ompt_start_tool and never the tool's initializer");
    }
    missing("the runtime does not look for a tool: it has no OMPT")
}

/// Starts the runtime on the calling thread.
pub(crate) fn start(form: Form) -> Result<Member, Fault> {
    crate::runtime::call!(omp_get_max_threads() -> i32);
    let member = Member::outside(form);
    require_tool()?;
    Ok(member)
}

/// The events of one parallel region.
pub(crate) struct Region {
    /// The region's parallel_begin.
    pub(crate) begin: Event,
    /// The region's parallel_end.
    pub(crate) end: Event,
    /// By the index of the implicit task: the events of its thread from the begin of the region or
    /// of the implicit task to the end of the implicit task.
    pub(crate) by_index: BTreeMap<u64, Vec<Event>>,
    /// Everything, in the log's order, to the primary's parallel_end.
    pub(crate) all: Vec<Event>,
    /// The stack around the call.
    pub(crate) place: Place,
    /// The positions of `all` in the tool's log.
    span: Range<usize>,
}

impl Region {
    /// A fault if one of the region's events of `kinds` breaks one of `rules`.
    pub(crate) fn keeps(&self, rules: &[Rule], kinds: &[ompt_callbacks_t]) -> Verdict {
        let log = log::all();
        let told: Vec<Told> = log.iter().map(told).collect();
        let (_, found) = judge(&told, rules);
        for violation in found {
            let event = violation.events.first().filter(|at| self.span.contains(at));
            let event =
                event.map(|at| &log[*at]).filter(|it| kinds.iter().any(|kind| it.is(*kind)));
            if let Some(event) = event {
                return wrong(format!("{event}: {}", violation.said));
            }
        }
        Ok(())
    }
}

/// The event in the form of the judge. A runtime announces no region around an initial task, so
/// the word of that stays zero.
fn told(event: &Event) -> Told {
    let new = Told::new(event.thread, ompt_callbacks_t(event.code));
    let others = [
        ompt_callbacks_t::THREAD_BEGIN,
        ompt_callbacks_t::THREAD_END,
        ompt_callbacks_t::FLUSH,
        ompt_callbacks_t::TARGET_EMI,
        ompt_callbacks_t::TARGET_SUBMIT_EMI,
    ];
    if others.contains(&new.code) {
        return new;
    }
    let object = |word: Word, kind: fn(u64) -> Object| match word {
        None => Object::Null,
        Some(0) => Object::Unannounced,
        Some(number) => kind(number),
    };
    Told {
        endpoint: ompt_scope_endpoint_t(event.endpoint),
        kind: event.kind,
        parallel: object(event.parallel, Object::Region),
        task: object(event.task, Object::Task),
        other: object(event.other, Object::Task),
        count: event.count,
        index: event.index,
        flags: event.flags as u32,
        wait: event.wait,
        frame: event.frame,
        ..new
    }
}

/// Runs a region of `threads` threads, and another one after it, with which runtimes that report
/// the ends of workers late are made to report them.
pub(crate) fn region(
    form: Form,
    threads: u32,
    body: impl Fn(Member) + Sync,
) -> Result<Region, Fault> {
    start(form)?;
    let mark = log::mark();
    let place = parallel(form, threads, body);
    let after = log::mark() - mark;
    parallel(form, threads, |_| {});
    log::wait_for(mark, |events| {
        events.iter().filter(|event| is_end_of_implicit_task(event)).count() >= threads as usize
    });
    let events = log::since(mark);
    let Some(begin) = events.iter().find(|event| event.is(ompt_callbacks_t::PARALLEL_BEGIN)) else {
        return missing("a parallel region has no parallel_begin");
    };
    let end = events[..after]
        .iter()
        .rev()
        .find(|event| event.is(ompt_callbacks_t::PARALLEL_END) && event.thread == begin.thread);
    let Some(end) = end else {
        return missing("a parallel region has no parallel_end before it is left");
    };
    let mut by_index = BTreeMap::new();
    for at in events[..after].iter().filter(|event| is_begin_of_implicit_task(event)) {
        if at.parallel != begin.parallel {
            continue;
        }
        let own: Vec<Event> =
            events.iter().filter(|event| event.thread == at.thread).cloned().collect();
        let first = own.iter().position(|event| event == at).unwrap_or(0);
        let last =
            own.iter().position(|event| is_end_of_implicit_task(event) && event.task == at.task);
        by_index.insert(at.index, own[first..last.map_or(own.len(), |last| last + 1)].to_vec());
    }
    if by_index.len() != threads as usize {
        return wrong(format!(
            "a region of {threads} threads has implicit_task begin for the indices {:?}",
            by_index.keys().collect::<Vec<_>>()
        ));
    }
    let (begin, end) = (begin.clone(), end.clone());
    let span = mark..mark + after;
    Ok(Region { begin, end, by_index, all: events[..after].to_vec(), place, span })
}

pub(crate) fn is_begin_of_implicit_task(event: &Event) -> bool {
    event.is(ompt_callbacks_t::IMPLICIT_TASK)
        && event.endpoint == ompt_scope_endpoint_t::BEGIN.0
        && event.flags as u32 & ompt_task_flag_t::IMPLICIT.0 != 0
}

pub(crate) fn is_end_of_implicit_task(event: &Event) -> bool {
    event.is(ompt_callbacks_t::IMPLICIT_TASK)
        && event.endpoint == ompt_scope_endpoint_t::END.0
        && event.flags as u32 & ompt_task_flag_t::IMPLICIT.0 != 0
}

/// The events of one kind.
pub(crate) fn only<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    kinds: &[ompt_callbacks_t],
) -> Vec<Event> {
    events.into_iter().filter(|event| kinds.iter().any(|kind| event.is(*kind))).cloned().collect()
}

/// Compares the events by name, endpoint and kind.
pub(crate) fn expect(events: &[Event], expected: &[&str]) -> Verdict {
    let seen: Vec<String> = events.iter().map(ToString::to_string).collect();
    if seen == expected {
        return Ok(());
    }
    let describe = |list: &[String]| {
        if list.is_empty() { "nothing".to_owned() } else { list.join(", ") }
    };
    let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    let (seen, wanted) = (describe(&seen), describe(&expected));
    if events.is_empty() {
        return missing(format!("no event; expected: {wanted}"));
    }
    wrong(format!("seen: {seen}; expected: {wanted}"))
}

/// A fault unless each event's `codeptr_ra` is an address in the program.
pub(crate) fn expect_codeptr<'a>(events: impl IntoIterator<Item = &'a Event>) -> Verdict {
    for event in events {
        if !event.codeptr.is_programs() {
            return wrong(format!("codeptr_ra of {event} is {}", event.codeptr));
        }
    }
    Ok(())
}

/// A fault unless each event is in the task `task`.
pub(crate) fn expect_task(events: &[Event], task: Word) -> Verdict {
    for event in events {
        if event.task != task {
            return wrong(format!(
                "{event} has task data {}, the encountering task's is {}",
                shown(event.task),
                shown(task)
            ));
        }
    }
    Ok(())
}

/// A data word for people.
pub(crate) fn shown(word: Word) -> String {
    match word {
        None => "NULL".to_owned(),
        Some(0) => "an unset word".to_owned(),
        Some(number) => format!("word {number}"),
    }
}
