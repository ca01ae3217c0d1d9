//! Sampled call paths as sums by thread, for the formats that show where processor time went.
//!
//! A path begins with the function that the thread's program started in and has the bodies of
//! regions below the code that began them; the runtime's frames are left out of it, as everywhere.

use std::collections::BTreeMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::CallNode;
use oxomp_analysis::report::line_name;
use oxomp_analysis::report::units::plural;

use crate::Extent;

/// What is appended to the name of the body of a region or task, which its user wrote as a part of
/// a function.
const OF_CONSTRUCT: &str = " [omp]";

/// Samples of one thread with one call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stack {
    /// The thread's number; `None` where only the number of the samples is known.
    pub(crate) thread: Option<u32>,
    /// Position of the innermost frame in the tree of calls.
    pub(crate) node: u32,
    pub(crate) samples: u64,
}

/// The samples of a part of a run.
#[derive(Debug)]
pub(crate) struct Stacks {
    /// By thread, those of which the thread is unknown last, then by position in the tree.
    pub(crate) stacks: Vec<Stack>,
    /// Samples whose times are unknown, left out because only a part of the run is asked for.
    left_out: u64,
}

impl Stacks {
    /// The samples of `analysis` in the window of `extent`.
    pub(crate) fn of(analysis: &Analysis, extent: Extent) -> Self {
        let calls = &analysis.calls;
        let mut timeless: Vec<u64> = calls.nodes.iter().map(|node| node.own).collect();
        let mut sums = BTreeMap::<(u32, u32), u64>::new();
        for sample in &calls.samples {
            let Some(rest) = timeless.get_mut(sample.node as usize) else { continue };
            *rest = rest.saturating_sub(1);
            if is_inside(extent, sample.time_ns) {
                *sums.entry((sample.thread, sample.node)).or_default() += 1;
            }
        }
        let stacks = sums.into_iter();
        let stacks =
            stacks.map(|((thread, node), samples)| Stack { thread: Some(thread), node, samples });
        let timeless = (0..).zip(timeless).filter(|(_, samples)| *samples > 0);
        if is_whole(analysis, extent) {
            let timeless = timeless.map(|(node, samples)| Stack { thread: None, node, samples });
            Self { stacks: stacks.chain(timeless).collect(), left_out: 0 }
        } else {
            let left_out = timeless.map(|(_, samples)| samples).sum();
            Self { stacks: stacks.collect(), left_out }
        }
    }

    /// What a user should know if the samples lack what he looks for.
    pub(crate) fn remark(&self, analysis: &Analysis) -> Option<String> {
        if !self.stacks.is_empty() {
            return (self.left_out > 0)
                .then(|| format!("{} of unknown times left out", plural(self.left_out, "sample")));
        }
        let why = analysis.summary.quality.unsampled.as_deref();
        let why = why.unwrap_or("the program was too short, or ran without sampling");
        Some(if analysis.calls.nodes.is_empty() {
            format!("it is empty: no call path was sampled ({why})")
        } else {
            "it is empty: no sample lies in the window".to_owned()
        })
    }
}

/// Whether `extent` asks for the whole run.
pub(crate) fn is_whole(analysis: &Analysis, extent: Extent) -> bool {
    extent.window.0 == 0 && extent.window.1 >= analysis.summary.header.wall_ns
}

pub(crate) fn is_inside(extent: Extent, time_ns: u64) -> bool {
    (extent.window.0..extent.window.1).contains(&time_ns)
}

/// The positions of the frames of the path that ends in `node`, innermost first.
pub(crate) fn path(analysis: &Analysis, node: u32) -> Vec<u32> {
    let nodes = &analysis.calls.nodes;
    let mut frames = Vec::new();
    let mut next = Some(node);
    while let Some(position) = next {
        let Some(node) = nodes.get(position as usize) else { break };
        frames.push(position);
        // A caller comes before what it calls, so that a damaged tree has no circle.
        next = node.caller.filter(|caller| *caller < position);
    }
    frames
}

/// The name of a frame.
pub(crate) fn frame_name(node: &CallNode) -> String {
    of_construct(node, node.function.clone())
}

/// The name of a frame by [`function_name`].
pub(crate) fn full_name(node: &CallNode) -> String {
    of_construct(node, function_name(node))
}

/// `name` with what tells the body of a construct.
fn of_construct(node: &CallNode, name: String) -> String {
    if node.region { name + OF_CONSTRUCT } else { name }
}

/// The function of a frame, with file and line if it is one of Python: for formats that have names
/// only, in which functions of Python would be hard to tell apart.
pub(crate) fn function_name(node: &CallNode) -> String {
    match &node.line {
        Some(line) if node.python => format!("{} ({})", node.function, line_name(line)),
        _ => node.function.clone(),
    }
}

/// The name of a thread.
pub(crate) fn thread_name(analysis: &Analysis, number: Option<u32>) -> String {
    let Some(number) = number else { return "thread unknown".to_owned() };
    let is_initial = |one: &&oxomp_analysis::model::Thread| one.number == number && one.initial;
    match analysis.model.threads.iter().find(is_initial) {
        Some(_) => format!("thread {number} (initial)"),
        None => format!("thread {number}"),
    }
}

/// The body of the region outside every other on the path of `frames`, which are innermost first.
pub(crate) fn region_of<'a>(analysis: &'a Analysis, frames: &[u32]) -> Option<&'a CallNode> {
    let mut nodes = frames.iter().filter_map(|frame| analysis.calls.nodes.get(*frame as usize));
    nodes.rfind(|node| node.region)
}
