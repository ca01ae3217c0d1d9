//! The timeline and the samples of a run as a profile for profiler.firefox.com.
//!
//! Each thread has its samples, with the functions' names in the file, and markers for what OpenMP
//! did in it: regions, tasks, waits, serial code, held locks and
//! constructs for devices, in the categories of time.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Duration;

use fxprof_processed_profile::{
    CategoryColor, CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, MarkerFieldFlags,
    MarkerFieldFormat, MarkerTiming, ProcessHandle, Profile, ReferenceTimestamp, SamplingInterval,
    StackHandle, StaticSchemaMarker, StaticSchemaMarkerField, StringHandle, ThreadHandle,
    Timestamp,
};
use oxomp_analysis::Analysis;
use oxomp_analysis::summary::Class;

use crate::stacks::function_name;
use crate::timeline::{
    self, Extent, Fitting, Gaps, Kind, Namer, Slice, category, fold, shares, tid, what,
};

/// Bytes of a marker, roughly.
const MARKER_SIZE: u64 = 128;
/// The declared time between samples where a run has no samples, ns.
const NO_PERIOD: u64 = 1_000_000;

/// The categories of markers that have a colour of their own.
const COLOURS: [(&str, CategoryColor); 19] = [
    ("parallel", CategoryColor::Green),
    ("implicit_task", CategoryColor::Green),
    ("worksharing", CategoryColor::LightBlue),
    ("task", CategoryColor::LightGreen),
    (Class::Serial.key(), CategoryColor::Blue),
    (Class::Imbalance.key(), CategoryColor::Orange),
    (Class::Barrier.key(), CategoryColor::Yellow),
    (Class::Mutex.key(), CategoryColor::Red),
    (Class::Taskwait.key(), CategoryColor::Purple),
    (Class::Starved.key(), CategoryColor::Magenta),
    (Class::ForkJoin.key(), CategoryColor::Brown),
    (Class::Paused.key(), CategoryColor::Transparent),
    ("held", CategoryColor::LightRed),
    ("target", CategoryColor::Brown),
    ("kernel", CategoryColor::Magenta),
    ("transfer", CategoryColor::Purple),
    ("folded", CategoryColor::DarkGray),
    ("summed", CategoryColor::Gray),
    ("about", CategoryColor::Gray),
];

/// Writes the profile of `analysis`, made by the program `producer`. Returns a remark if it does
/// not show everything one by one.
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
    let (fitting, beside) = Fitting::new(analysis, extent, MARKER_SIZE);
    let mut writer = Writer::new(analysis, &beside.gaps);
    let facts = [format!("written by {producer}"), analysis.summary.header.command.join(" ")];
    for remark in facts.into_iter().chain(fitting.remarks(analysis)) {
        writer.about(&remark, fitting.window.0);
    }
    let mut take = |thread: usize, slices: &[Slice]| {
        writer.markers(thread, slices, fitting.width);
    };
    timeline::each_thread(analysis, &beside.gaps, fitting.window, &mut take, &mut |_, _| {});
    for lanes in [&beside.holds, &beside.devices] {
        for (thread, lane) in lanes
            .iter()
            .enumerate()
            .flat_map(|(thread, lanes)| lanes.iter().map(move |lane| (thread, lane)))
        {
            writer.markers(thread, lane, fitting.width);
        }
    }
    writer.samples(&fitting);
    serde_json::to_writer(out, &writer.profile)?;
    Ok(fitting.remark())
}

/// A profile being made.
struct Writer<'a> {
    analysis: &'a Analysis,
    gaps: &'a Gaps,
    namer: Namer<'a>,
    profile: Profile,
    /// By position in the model's threads.
    threads: Vec<ThreadHandle>,
    categories: HashMap<&'static str, CategoryHandle>,
}

impl<'a> Writer<'a> {
    fn new(analysis: &'a Analysis, gaps: &'a Gaps) -> Self {
        let header = &analysis.summary.header;
        let name = header.command.first().unwrap_or(&header.executable);
        let begin = Duration::from_nanos(header.started_unix_ns);
        let period = match analysis.calls.period_ns {
            0 => NO_PERIOD,
            period => period,
        };
        let mut profile = Profile::new(
            name,
            ReferenceTimestamp::from_duration_since_unix_epoch(begin),
            SamplingInterval::from_nanos(period),
        );
        profile.set_os_name("Linux");
        // The names of all functions are in the file.
        profile.set_symbolicated(true);
        let process = profile.add_process(name, header.pid, at(0));
        profile.set_process_end_time(process, at(header.wall_ns));
        let threads = (0..analysis.model.threads.len())
            .map(|position| thread(&mut profile, process, analysis, position))
            .collect();
        let colours = COLOURS.iter();
        let categories =
            colours.map(|(name, colour)| (*name, profile.add_category(name, *colour))).collect();
        Self { analysis, gaps, namer: Namer::new(analysis), profile, threads, categories }
    }

    /// Says something about the whole profile, on its first thread.
    fn about(&mut self, text: &str, time: u64) {
        let Some(&thread) = self.threads.first() else { return };
        let marker = Interval {
            name: self.profile.intern_string("about this profile"),
            place: self.profile.intern_string(text),
            category: self.categories["about"],
            slices: 1,
        };
        self.profile.add_marker(thread, MarkerTiming::Instant(at(time)), marker);
    }

    fn markers(&mut self, thread: usize, slices: &[Slice], width: u64) {
        let (slices, folded) = fold(slices, width);
        for slice in &slices {
            let count = match slice.kind {
                Kind::Folded(position) => folded[position as usize].slices,
                _ => 1,
            };
            let group = category(slice, self.analysis);
            let shares = match slice.kind {
                Kind::Gap(number) => Some(shares(self.gaps.at(number))),
                Kind::Sum(_) => Some("(sum)".to_owned()),
                _ => None,
            };
            let label = self.namer.label(Namer::code(slice, self.analysis));
            let marker = Interval {
                place: self.profile.intern_string(shares.as_deref().unwrap_or(label)),
                name: self.profile.intern_string(match group {
                    "implicit_task" => "implicit task",
                    "held" => "lock held",
                    _ => what(slice, self.analysis),
                }),
                category: self.categories.get(group).copied().unwrap_or(CategoryHandle::OTHER),
                slices: count,
            };
            let timing = MarkerTiming::Interval(at(slice.begin), at(slice.end));
            self.profile.add_marker(self.threads[thread], timing, marker);
        }
    }

    fn samples(&mut self, fitting: &Fitting) {
        let positions = self.analysis.model.threads.iter().zip(&self.threads);
        let threads: HashMap<u32, ThreadHandle> =
            positions.map(|(thread, handle)| (thread.number, *handle)).collect();
        let mut stacks: HashMap<(ThreadHandle, u32), Option<StackHandle>> = HashMap::new();
        let mut order: Vec<_> = fitting.samples(self.analysis).collect();
        order.sort_by_key(|sample| sample.time_ns);
        self.mark_range(fitting.window.0, order.first().map(|first| first.time_ns));
        let last = order.last().map(|last| last.time_ns);
        for sample in order {
            let Some(&thread) = threads.get(&sample.thread) else { continue };
            let stack = match stacks.get(&(thread, sample.node)) {
                Some(stack) => *stack,
                None => {
                    let stack = self.stack(thread, sample.node);
                    stacks.insert((thread, sample.node), stack);
                    stack
                }
            };
            let cpu = CpuDelta::from_nanos(self.analysis.calls.period_ns);
            self.profile.add_sample(thread, at(sample.time_ns), stack, cpu, 1);
        }
        self.mark_range(fitting.window.1, last);
    }

    /// Adds a sample without weight at `time`, where there are samples: the profiler shows the time
    /// from the first sample of all threads to the last, and no marker outside of it.
    fn mark_range(&mut self, time: u64, nearest: Option<u64>) {
        if let (Some(&thread), Some(_)) = (self.threads.first(), nearest.filter(|at| *at != time)) {
            self.profile.add_sample(thread, at(time), None, CpuDelta::ZERO, 0);
        }
    }

    /// The call path that ends in `node`.
    fn stack(&mut self, thread: ThreadHandle, node: u32) -> Option<StackHandle> {
        let mut frames = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.and_then(|next| self.analysis.calls.nodes.get(next as usize)) {
            frames.push(FrameInfo {
                frame: Frame::Label(self.profile.intern_string(&function_name(node))),
                category_pair: CategoryHandle::OTHER.into(),
                flags: FrameFlags::empty(),
            });
            next = node.caller;
        }
        self.profile.intern_stack_frames(thread, frames.into_iter().rev())
    }
}

/// Adds the thread at a position in the model's threads.
fn thread(
    profile: &mut Profile,
    process: ProcessHandle,
    analysis: &Analysis,
    position: usize,
) -> ThreadHandle {
    let facts = &analysis.model.threads[position];
    let tid = tid(facts.tid, facts.number);
    let handle = profile.add_thread(process, tid, at(facts.begin), position == 0);
    profile.set_thread_end_time(handle, at(facts.end));
    let kind = if facts.initial { "initial thread" } else { "worker" };
    profile.set_thread_name(handle, &format!("{kind} {}", facts.number));
    profile.add_initial_visible_thread(handle);
    profile.set_thread_show_markers_in_timeline(handle, true);
    handle
}

/// Nanoseconds since the start of the process.
fn at(time: u64) -> Timestamp {
    Timestamp::from_nanos_since_reference(time)
}

/// An interval of a thread's time as a marker.
#[derive(Debug, Clone)]
struct Interval {
    name: StringHandle,
    place: StringHandle,
    category: CategoryHandle,
    /// How many intervals became this one.
    slices: u64,
}

impl StaticSchemaMarker for Interval {
    const UNIQUE_MARKER_TYPE_NAME: &'static str = "OpenMP";
    const DESCRIPTION: Option<&'static str> = Some("An activity of OpenMP in a thread");
    const CHART_LABEL: Option<&'static str> = Some("{marker.data.place}");
    const TOOLTIP_LABEL: Option<&'static str> = Some("{marker.name} {marker.data.place}");
    const TABLE_LABEL: Option<&'static str> = Some("{marker.name} {marker.data.place}");
    const FIELDS: &'static [StaticSchemaMarkerField] = &[
        StaticSchemaMarkerField {
            key: "place",
            label: "Place",
            format: MarkerFieldFormat::String,
            flags: MarkerFieldFlags::SEARCHABLE,
        },
        StaticSchemaMarkerField {
            key: "slices",
            label: "Intervals folded into this one",
            format: MarkerFieldFormat::Integer,
            flags: MarkerFieldFlags::empty(),
        },
    ];

    fn name(&self, _profile: &mut Profile) -> StringHandle {
        self.name
    }

    fn category(&self, _profile: &mut Profile) -> CategoryHandle {
        self.category
    }

    fn string_field_value(&self, _field_index: u32) -> StringHandle {
        self.place
    }

    fn number_field_value(&self, _field_index: u32) -> f64 {
        self.slices as f64
    }
}
