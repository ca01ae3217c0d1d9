//! Chrome's trace JSON, as a parser of JSON reads it.

use std::collections::BTreeMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::Class;
use oxomp_export::{Extent, chrome};
use serde_json::Value;

use crate::recordings::Recording;
use crate::{PRODUCER, PROGRAMS};

/// The events of a trace.
struct Trace {
    events: Vec<Value>,
}

impl Trace {
    fn of(analysis: &Analysis, extent: Extent) -> Self {
        let mut bytes = Vec::new();
        chrome::write(analysis, PRODUCER, extent, &mut bytes).unwrap();
        let mut document: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(document["otherData"]["producer"], PRODUCER);
        let Value::Array(events) = document["traceEvents"].take() else {
            panic!("a trace has a list of events");
        };
        Self { events }
    }

    /// The events of that phase.
    fn of_phase<'a>(&'a self, phase: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["ph"] == phase)
    }

    /// How many slices of the category there are, and their time, ns.
    fn slices(&self, category: &str) -> (u64, u64) {
        let own = self.of_phase("X").filter(|event| event["cat"] == category);
        own.fold((0, 0), |(count, time), event| (count + 1, time + nanoseconds(event, "dur")))
    }

    /// Checks that the slices of each track follow each other or lie inside each other.
    fn check_nesting(&self) {
        let mut tracks: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
        for event in self.of_phase("X") {
            let (begin, length) = (nanoseconds(event, "ts"), nanoseconds(event, "dur"));
            let open = tracks.entry(event["tid"].as_u64().unwrap()).or_default();
            while open.last().is_some_and(|last| last.1 <= begin) {
                open.pop();
            }
            if let Some((around, end)) = open.last() {
                assert!(*around <= begin && begin + length <= *end, "{event} is not inside");
            }
            open.push((begin, begin + length));
        }
        let named: Vec<u64> = self
            .of_phase("M")
            .filter(|event| event["name"] == "thread_name")
            .map(|event| event["tid"].as_u64().unwrap())
            .collect();
        assert!(tracks.keys().all(|track| named.contains(track)), "{named:?}");
    }
}

/// A time of an event, which is written in microseconds.
fn nanoseconds(event: &Value, name: &str) -> u64 {
    (event[name].as_f64().unwrap() * 1e3).round() as u64
}

#[test]
fn a_trace_has_the_slices_of_the_summary() {
    for program in PROGRAMS {
        let Some(recording) = Recording::of(program) else { return };
        let analysis = recording.analysis();
        let trace = Trace::of(&analysis, Extent::default());
        trace.check_nesting();
        let near = |(count, slices): (u64, u64), sum: u64, what: &str| {
            let apart = slices.abs_diff(sum);
            assert!(apart <= count.max(1000), "{program}: {what}: {slices} ns, not {sum} ns");
        };
        let regions = &analysis.summary.regions;
        let calls: u64 = regions.iter().map(|region| region.calls).sum();
        let wall: u64 = regions.iter().map(|region| region.wall_ns).sum();
        assert_eq!(trace.slices("parallel").0, calls, "{program}");
        near(trace.slices("parallel"), wall, "parallel");
        let classes =
            [Class::Serial, Class::Imbalance, Class::Barrier, Class::Mutex, Class::ForkJoin];
        for class in classes {
            let threads = analysis.resolved.threads.iter();
            let sum: u64 = threads.map(|by_class| by_class[class as usize]).sum();
            near(trace.slices(class.key()), sum, class.key());
        }
        let held: u64 = analysis.summary.mutexes.iter().map(|mutex| mutex.hold_ns).sum();
        near(trace.slices("held"), held, "held");
        let others = analysis.model.members.len() as u64 - calls;
        let arrows = ["s", "f"].map(|phase| trace.of_phase(phase).count() as u64);
        assert_eq!(arrows, [others, others], "{program}");
    }
}

#[test]
fn a_window_and_a_budget_hold_for_traces() {
    let Some(recording) = Recording::of("tests/profiler/tasks_tiny.c") else { return };
    let analysis = recording.analysis();
    let small = Trace::of(&analysis, Extent { budget: 100_000, ..Extent::default() });
    small.check_nesting();
    assert!(small.slices("folded").0 > 0);
    let times = &analysis.resolved.regions[0];
    let window = (times.begin, times.end);
    let part = Trace::of(&analysis, Extent { window, ..Extent::default() });
    assert_eq!(part.slices("parallel"), (1, window.1 - window.0));
}
