//! The timeline of a run as Chrome's trace JSON (the "Trace Event Format"), for programs that read
//! that: chrome://tracing, ui.perfetto.dev, speedscope, libraries for data frames.
//!
//! Each thread has complete events, with the class of the time as their category; held locks and
//! constructs for devices are tracks of their own, behind the threads. Arrows lead from a fork to
//! the threads that it started. Times are microseconds since the start of the process.

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use serde::Serialize;
use serde_json::{Value, json};

use crate::timeline::{
    self, Extent, Fitting, Folded, Kind, Lanes, Namer, Slice, category, fold, shares, thread_name,
    tid,
};

/// Bytes of the event of a slice, roughly.
const SLICE_SIZE: u64 = 160;
/// The first number of tracks beside those of threads: Linux has no thread of that number.
const FIRST_LANE: u32 = 3 << 29;

/// An event. Fields that an event's phase does not have are left out.
#[derive(Debug, Serialize)]
struct Event<'a> {
    name: &'a str,
    /// The phase: X, a slice; M, metadata; s and f, the ends of an arrow.
    ph: &'static str,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    /// Begin, µs.
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    /// Length, µs.
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    /// Where an arrow ends: `e`, at the slice around its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    #[serde(skip_serializing_if = "Value::is_null")]
    args: Value,
}

/// Writes the trace of `analysis`, made by the program `producer`. Returns a remark if the trace
/// does not show everything one by one.
///
/// # Errors
///
/// The errors of `out`.
pub fn write(
    analysis: &Analysis,
    producer: &str,
    extent: Extent,
    out: &mut dyn Write,
) -> io::Result<Option<String>> {
    let (fitting, beside) = Fitting::new(analysis, extent, SLICE_SIZE);
    let header = &analysis.summary.header;
    let about = json!({
        "producer": producer,
        "command": header.command.join(" "),
        "runtime": header.runtime,
        "started_unix_ns": header.started_unix_ns,
        "remarks": fitting.remarks(analysis),
    });
    write!(out, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{about},\"traceEvents\":[")?;
    let mut trace = Trace {
        analysis,
        gaps: &beside.gaps,
        namer: Namer::new(analysis),
        width: fitting.width,
        out,
        begun: false,
    };
    trace.process()?;
    let mut result = Ok(());
    let mut take = |thread: usize, slices: &[Slice]| {
        if result.is_ok() {
            result = trace.track(trace.tid(thread), slices);
        }
    };
    timeline::each_thread(analysis, &beside.gaps, fitting.window, &mut take, &mut |_, _| {});
    result?;
    let next = trace.lanes(&beside.holds, FIRST_LANE, "locks held")?;
    trace.lanes(&beside.devices, next, "devices")?;
    out.write_all(b"\n]}\n")?;
    Ok(fitting.remark())
}

struct Trace<'a, 'b> {
    analysis: &'a Analysis,
    gaps: &'b timeline::Gaps,
    namer: Namer<'a>,
    width: u64,
    out: &'b mut dyn Write,
    /// An event was written, so that a comma stands before the next one.
    begun: bool,
}

impl Trace<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let separator = if self.begun { ",\n" } else { "\n" };
        self.begun = true;
        self.out.write_all(separator.as_bytes())?;
        Ok(serde_json::to_writer(&mut *self.out, event)?)
    }

    /// An event of this process without a time.
    fn plain<'n>(&self, name: &'n str, ph: &'static str, tid: u32) -> Event<'n> {
        let pid = self.analysis.summary.header.pid;
        let args = Value::Null;
        Event { name, ph, pid, tid, cat: None, ts: None, dur: None, id: None, bp: None, args }
    }

    /// The track of the thread at a position in the model's threads.
    fn tid(&self, position: usize) -> u32 {
        let thread = &self.analysis.model.threads[position];
        tid(thread.tid, thread.number)
    }

    /// Names the process and its threads.
    fn process(&mut self) -> io::Result<()> {
        let header = &self.analysis.summary.header;
        let name = header.command.first().unwrap_or(&header.executable);
        let args = json!({ "name": name });
        self.event(&Event { args, ..self.plain("process_name", "M", header.pid) })?;
        for position in 0..self.analysis.model.threads.len() {
            let name = thread_name(self.analysis, position);
            self.name_track(self.tid(position), &name, position)?;
        }
        Ok(())
    }

    /// Names a track, and puts it at a place in the order of tracks.
    fn name_track(&mut self, tid: u32, name: &str, place: usize) -> io::Result<()> {
        let args = json!({ "name": name });
        self.event(&Event { args, ..self.plain("thread_name", "M", tid) })?;
        let args = json!({ "sort_index": place });
        self.event(&Event { args, ..self.plain("thread_sort_index", "M", tid) })
    }

    fn track(&mut self, tid: u32, slices: &[Slice]) -> io::Result<()> {
        let (slices, folded) = fold(slices, self.width);
        for slice in &slices {
            let name = self.namer.name(slice, self.analysis);
            let event = Event {
                cat: Some(category(slice, self.analysis)),
                ts: Some(micros(slice.begin)),
                dur: Some(micros(slice.end - slice.begin)),
                args: self.values(slice, &folded),
                ..self.plain(&name, "X", tid)
            };
            self.event(&event)?;
            if let Kind::Region { region, member: Some(member) } = slice.kind {
                self.arrows(tid, slice.begin, region, member)?;
            }
        }
        Ok(())
    }

    /// What is known of a slice besides its name and its time.
    fn values(&self, slice: &Slice, folded: &[Folded]) -> Value {
        match slice.kind {
            Kind::Region { region, .. } => {
                let threads = self.analysis.model.regions[region as usize].size;
                json!({ "threads": threads, "instance": region })
            }
            Kind::Work(work) => {
                let work = &self.analysis.model.works[work as usize];
                json!({ "iterations": work.iterations, "chunks": work.chunks })
            }
            Kind::Gap(number) => json!({ "shares": shares(self.gaps.at(number)) }),
            Kind::Folded(position) => {
                let Folded { slices, covered } = folded[position as usize];
                json!({ "slices": slices, "covered_ns": covered })
            }
            _ => Value::Null,
        }
    }

    /// The ends of arrows at the slice of a region that begins at `time`: from the primary thread
    /// to each other one, numbered for its implicit task. If the primary thread's slice is folded,
    /// there are no arrows.
    fn arrows(&mut self, tid: u32, time: u64, region: u32, member: u32) -> io::Result<()> {
        let facts = &self.analysis.model.regions[region as usize];
        let times = &self.analysis.resolved.regions[region as usize];
        if facts.primary.is_none() || times.end - times.begin < self.width {
            return Ok(());
        }
        let is_primary = facts.primary == Some(member);
        let own = [member];
        let (phase, ends) = if is_primary { ("s", &facts.members[..]) } else { ("f", &own[..]) };
        for &end in ends.iter().filter(|end| !is_primary || **end != member) {
            self.event(&Event {
                cat: Some("fork"),
                ts: Some(micros(time)),
                id: Some(end),
                bp: (!is_primary).then_some("e"),
                ..self.plain("fork", phase, tid)
            })?;
        }
        Ok(())
    }

    /// Tracks behind those of threads, numbered from `next` on. Returns the number after the last.
    fn lanes(&mut self, threads: &[Lanes], mut next: u32, what: &str) -> io::Result<u32> {
        for (thread, lanes) in threads.iter().enumerate() {
            for lane in lanes {
                let name = format!("{what}: {}", thread_name(self.analysis, thread));
                self.name_track(next, &name, next as usize)?;
                self.track(next, lane)?;
                next += 1;
            }
        }
        Ok(next)
    }
}

/// Nanoseconds as microseconds.
fn micros(ns: u64) -> f64 {
    ns as f64 / 1e3
}
