//! The timeline of a run as a Perfetto trace, for ui.perfetto.dev and `trace_processor`.
//!
//! Each thread is a track of slices: regions, tasks, waits and serial code, with the class of the
//! time as their category; below it a track for the locks that it held. Arrows lead from a fork to
//! the threads that it started. A counter shows how many threads worked, and samples are in the
//! tables of stack profiles. Times are nanoseconds since the start of the process.

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::units::share;
use oxomp_analysis::summary::Class;
use oxomp_trace::offload::operation_kind;

use crate::message::Message;
use crate::timeline::{
    self, Extent, Fitting, Folded, Gaps, Kind, Lanes, Namer, Slice, category, fold,
};

mod about;
mod samples;
mod stream;
mod tracks;

use stream::{Stream, field};
use tracks::{COUNTER, PROCESS, track_of};

/// Bytes of the two packets of a slice, roughly.
const SLICE_SIZE: u64 = 48;
/// Points of the counter.
const POINTS: usize = 2048;
/// The distance of a thread's track to that of its first lane of locks.
const LANES: u64 = 1 << 32;
/// The first number of lanes of devices: no thread holds as many locks at a time.
const DEVICE_LANES: u64 = 1 << 16;
/// Types of track events.
const BEGIN: u64 = 1;
const END: u64 = 2;
const COUNTER_EVENT: u64 = 4;

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
    let window = fitting.window;
    let mut stream = Stream::new(out);
    about::write(analysis, producer, &fitting, &mut stream)?;
    let mut trace = Trace {
        analysis,
        gaps: &beside.gaps,
        namer: Namer::new(analysis),
        width: fitting.width,
        stream: &mut stream,
    };
    let mut result = Ok(());
    let mut load = Load::new(window);
    let mut take = |thread: usize, slices: &[Slice]| {
        if result.is_ok() {
            result = trace.thread(thread, slices);
        }
    };
    let mut at_work = |begin, end| load.add(begin, end, 1.0);
    timeline::each_thread(analysis, &beside.gaps, window, &mut take, &mut at_work);
    result?;
    for gap in beside.gaps.all() {
        let (begin, end) = (gap.begin.max(window.0), gap.end.min(window.1));
        let work = [Class::Useful, Class::Serial].map(|class| gap.by_class[class as usize]);
        load.add(begin, end.max(begin), share(work.iter().sum(), gap.end - gap.begin));
    }
    trace.lanes(&beside.holds, 0, "locks held")?;
    trace.lanes(&beside.devices, DEVICE_LANES, "devices")?;
    load.write(&mut stream)?;
    samples::write(analysis, &fitting, &mut stream)?;
    Ok(fitting.remark())
}

struct Trace<'a, 'b, 'c> {
    analysis: &'a Analysis,
    gaps: &'a Gaps,
    namer: Namer<'a>,
    width: u64,
    stream: &'b mut Stream<'c>,
}

impl Trace<'_, '_, '_> {
    fn thread(&mut self, thread: usize, slices: &[Slice]) -> io::Result<()> {
        let (slices, folded) = fold(slices, self.width);
        self.track(track_of(thread), &slices, &folded)
    }

    fn track(&mut self, track: u64, slices: &[Slice], folded: &[Folded]) -> io::Result<()> {
        let mut open: Vec<&Slice> = Vec::new();
        for slice in slices {
            while open.last().is_some_and(|last| last.depth >= slice.depth) {
                self.end(track, open.pop().expect("it is not empty").end)?;
            }
            self.begin(track, slice, folded)?;
            open.push(slice);
        }
        while let Some(slice) = open.pop() {
            self.end(track, slice.end)?;
        }
        Ok(())
    }

    fn begin(&mut self, track: u64, slice: &Slice, folded: &[Folded]) -> io::Result<()> {
        let name = self.namer.name(slice, self.analysis);
        let group = category(slice, self.analysis);
        let mut event = Message::new();
        event
            .number(field::event::TYPE, BEGIN)
            .number(field::event::TRACK, track)
            .number(field::event::NAME, self.stream.text(field::table::NAME, &name))
            .number(field::event::CATEGORY, self.stream.text(field::table::CATEGORY, group));
        match slice.kind {
            Kind::Region { region, member } => {
                let facts = &self.analysis.model.regions[region as usize];
                self.annotate(&mut event, "threads", facts.size.into());
                self.annotate(&mut event, "instance", region.into());
                self.arrows(&mut event, region, member);
                self.locate(&mut event, facts.code);
            }
            Kind::Work(work) => {
                let work = &self.analysis.model.works[work as usize];
                // Zero: the runtime did not tell.
                if work.iterations > 0 {
                    self.annotate(&mut event, "iterations", work.iterations);
                }
                if let Some(chunks) = work.chunks {
                    self.annotate(&mut event, "chunks", chunks);
                }
                self.locate(&mut event, work.code);
            }
            Kind::Task(task) => {
                self.locate(&mut event, self.analysis.model.tasks[task as usize].code);
            }
            Kind::Target(target) => {
                let target = self.analysis.model.targets[target as usize];
                self.annotate(&mut event, "device", target.device.into());
                self.locate(&mut event, target.code);
            }
            Kind::Operation(number) => {
                let operation = self.analysis.model.operations[number as usize];
                let what = if operation.kind == operation_kind::KERNEL {
                    "teams asked for"
                } else {
                    "bytes"
                };
                // Zero: the runtime chooses, or did not tell.
                if operation.value > 0 {
                    self.annotate(&mut event, what, operation.value);
                }
                self.annotate(&mut event, "device", operation.device.into());
                self.locate(&mut event, operation.code);
            }
            Kind::Folded(position) => {
                let folded = folded[position as usize];
                self.annotate(&mut event, "slices", folded.slices);
                self.annotate(&mut event, "covered_ns", folded.covered);
            }
            Kind::Gap(number) => {
                let gap = self.gaps.at(number);
                for (class, time) in Class::ALL.into_iter().zip(gap.by_class) {
                    if time > 0 {
                        self.annotate(&mut event, class.key_ns(), time);
                    }
                }
            }
            Kind::Barrier { .. } | Kind::Hold(_) | Kind::Wait { .. } | Kind::Sum(_) => {}
        }
        self.stream.packet(Some(slice.begin), field::packet::EVENT, &event)
    }

    fn end(&mut self, track: u64, time: u64) -> io::Result<()> {
        let mut event = Message::new();
        event.number(field::event::TYPE, END).number(field::event::TRACK, track);
        self.stream.packet(Some(time), field::packet::EVENT, &event)
    }

    fn annotate(&mut self, event: &mut Message, name: &str, value: u64) {
        let name = self.stream.text(field::table::ANNOTATION, name);
        event.message(field::event::ANNOTATION, Message::new().number(1, name).number(3, value));
    }

    /// File, function and line of a construct.
    fn locate(&mut self, event: &mut Message, code: u64) {
        let Some(place) = self.namer.place(code) else { return };
        let Some((file, line)) = &place.line else { return };
        let mut location = Message::new();
        location.text(2, file);
        if let Some(function) = &place.function {
            location.text(3, function);
        }
        location.number(4, (*line).into());
        let number = self.stream.intern(field::table::LOCATION, &location);
        event.number(field::event::LOCATION, number);
    }

    /// Arrows from the region's primary thread to the other ones, each numbered for its implicit
    /// task. If the primary thread's slice is folded, there are no arrows.
    fn arrows(&mut self, event: &mut Message, region: u32, member: Option<u32>) {
        let facts = &self.analysis.model.regions[region as usize];
        let times = &self.analysis.resolved.regions[region as usize];
        let Some(member) = member.filter(|_| times.end - times.begin >= self.width) else { return };
        if facts.primary == Some(member) {
            for other in facts.members.iter().filter(|other| **other != member) {
                event.fixed(field::event::FLOW, u64::from(*other) + 1);
            }
        } else if facts.primary.is_some() {
            event.fixed(field::event::LAST_OF_FLOW, u64::from(member) + 1);
        }
    }

    /// Tracks beside those of threads, called `name`: one for each lane, numbered from `first` on.
    fn lanes(&mut self, threads: &[Lanes], first: u64, name: &str) -> io::Result<()> {
        for (thread, lanes) in threads.iter().enumerate() {
            for (lane, slices) in lanes.iter().enumerate() {
                let track = track_of(thread) + LANES * (first + lane as u64 + 1);
                let mut descriptor = Message::new();
                descriptor.number(1, track).number(5, track_of(thread));
                match lane {
                    0 => descriptor.text(2, name),
                    _ => descriptor.text(2, &format!("further {name}")),
                };
                self.stream.packet(None, field::packet::TRACK, &descriptor)?;
                let (slices, folded) = fold(slices, self.width);
                self.track(track, &slices, &folded)?;
            }
        }
        Ok(())
    }
}

/// How many threads worked in each part of the window.
struct Load {
    begin: u64,
    /// The width of a part, ns.
    step: u64,
    /// The threads' time in each part, ns.
    parts: Vec<u64>,
}

impl Load {
    fn new(window: (u64, u64)) -> Self {
        let length = window.1.saturating_sub(window.0);
        let step = length.div_ceil(POINTS as u64).max(1);
        let parts = usize::try_from(length.div_ceil(step)).unwrap_or(POINTS);
        Self { begin: window.0, step, parts: vec![0; parts] }
    }

    /// Adds the time of a thread, of which it worked for `share`.
    fn add(&mut self, begin: u64, end: u64, share: f64) {
        let mut from = begin - self.begin;
        let end = end - self.begin;
        while from < end {
            let part = from / self.step;
            let until = end.min((part + 1) * self.step);
            self.parts[part as usize] += ((until - from) as f64 * share) as u64;
            from = until;
        }
    }

    fn write(&self, stream: &mut Stream<'_>) -> io::Result<()> {
        let mut descriptor = Message::new();
        descriptor.number(1, COUNTER).number(5, PROCESS).text(2, "threads at work (mean)");
        descriptor.message(8, Message::new().text(6, "threads"));
        stream.packet(None, field::packet::TRACK, &descriptor)?;
        let mut last = None;
        for (part, busy) in self.parts.iter().enumerate() {
            if last == Some(*busy) {
                continue;
            }
            last = Some(*busy);
            let mut event = Message::new();
            event
                .number(field::event::TYPE, COUNTER_EVENT)
                .number(field::event::TRACK, COUNTER)
                .double(field::event::DOUBLE_COUNTER, *busy as f64 / self.step as f64);
            let time = self.begin + part as u64 * self.step;
            stream.packet(Some(time), field::packet::EVENT, &event)?;
        }
        Ok(())
    }
}
