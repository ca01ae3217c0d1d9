//! Samples in speedscope's file format, version 0.0.1: <https://www.speedscope.app>.
//!
//! The first profile has the samples of all threads, one for each different call path; the others
//! have those of one thread in the order in which they were taken. A sample weighs the sampling
//! period: nanoseconds of processor time.

use std::collections::HashMap;
use std::io::{self, Write};

use oxomp_analysis::Analysis;
use serde::Serialize;

use crate::Extent;
use crate::stacks::{Stack, Stacks, frame_name, is_inside, path, thread_name};

/// The schema that speedscope's importer looks for.
const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";
/// Bytes of a frame in a sample, and of the weight of a sample, roughly.
const FRAME_SIZE: u64 = 6;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: String,
    exporter: String,
    active_profile_index: u32,
    shared: Shared,
    profiles: Vec<Profile>,
}

#[derive(Debug, Serialize)]
struct Shared {
    frames: Vec<Frame>,
}

#[derive(Debug, Serialize, PartialEq, Eq, Hash, Clone)]
struct Frame {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    /// Each the positions of its frames, outermost first.
    samples: Vec<Vec<usize>>,
    weights: Vec<u64>,
}

impl Profile {
    fn new(name: String) -> Self {
        Self {
            kind: "sampled",
            name,
            unit: "nanoseconds",
            start_value: 0,
            end_value: 0,
            samples: Vec::new(),
            weights: Vec::new(),
        }
    }

    fn add(&mut self, path: Vec<usize>, weight: u64) {
        self.end_value = self.end_value.saturating_add(weight);
        self.samples.push(path);
        self.weights.push(weight);
    }
}

/// Writes the samples of `analysis` in the window of `extent`, in the name of the program
/// `producer`. Returns a remark if there are none, or if not everything is shown one by one.
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
    let stacks = Stacks::of(analysis, extent);
    let period = analysis.calls.period_ns;
    let mut frames = Frames::default();
    let mut all = Profile::new("all threads".to_owned());
    let mut by_path = HashMap::<u32, usize>::new();
    for stack in &stacks.stacks {
        let weight = stack.samples.saturating_mul(period);
        match by_path.get(&stack.node) {
            Some(position) => {
                all.weights[*position] = all.weights[*position].saturating_add(weight);
                all.end_value = all.end_value.saturating_add(weight);
            }
            None => {
                by_path.insert(stack.node, all.samples.len());
                all.add(frames.path(analysis, stack.node), weight);
            }
        }
    }
    let mut profiles = vec![all];
    let ordered = size_in_order(analysis, &stacks) <= extent.budget;
    for of_thread in stacks.stacks.chunk_by(|one, other| one.thread == other.thread) {
        let thread = of_thread[0].thread;
        let mut profile = Profile::new(thread_name(analysis, thread));
        match thread.filter(|_| ordered) {
            Some(number) => {
                let samples = analysis.calls.samples.iter();
                let own = samples
                    .filter(|sample| sample.thread == number && is_inside(extent, sample.time_ns));
                let mut own: Vec<_> = own.collect();
                own.sort_by_key(|sample| sample.time_ns);
                for sample in own {
                    profile.add(frames.path(analysis, sample.node), period);
                }
            }
            None => {
                for &Stack { node, samples, .. } in of_thread {
                    profile.add(frames.path(analysis, node), samples.saturating_mul(period));
                }
            }
        }
        profiles.push(profile);
    }
    let file = File {
        schema: SCHEMA,
        name: analysis.summary.header.command.join(" "),
        exporter: producer.to_owned(),
        active_profile_index: 0,
        shared: Shared { frames: frames.frames },
        profiles,
    };
    serde_json::to_writer(out, &file)?;
    let sums = "samples are summed by call path, since in their order they exceed --budget";
    Ok(stacks.remark(analysis).or_else(|| (!ordered).then(|| sums.to_owned())))
}

/// The size of the threads' samples one by one, bytes.
fn size_in_order(analysis: &Analysis, stacks: &Stacks) -> u64 {
    let size = |stack: &Stack| {
        let frames = path(analysis, stack.node).len() as u64 + 2;
        stack.samples.saturating_mul(frames * FRAME_SIZE)
    };
    stacks.stacks.iter().fold(0, |sum: u64, stack| sum.saturating_add(size(stack)))
}

/// The frames of all samples, each once.
#[derive(Debug, Default)]
struct Frames {
    frames: Vec<Frame>,
    known: HashMap<Frame, usize>,
    /// By position in the tree of calls.
    of_nodes: HashMap<u32, usize>,
}

impl Frames {
    fn path(&mut self, analysis: &Analysis, node: u32) -> Vec<usize> {
        let path = path(analysis, node);
        path.into_iter().rev().map(|frame| self.of(analysis, frame)).collect()
    }

    fn of(&mut self, analysis: &Analysis, position: u32) -> usize {
        if let Some(found) = self.of_nodes.get(&position) {
            return *found;
        }
        let node = &analysis.calls.nodes[position as usize];
        let (file, line) = node.line.clone().unzip();
        let frame =
            Frame { name: frame_name(node), file: file.or_else(|| node.module.clone()), line };
        let next = self.frames.len();
        let found = *self.known.entry(frame.clone()).or_insert(next);
        if found == next {
            self.frames.push(frame);
        }
        self.of_nodes.insert(position, found);
        found
    }
}
