//! The sampled call paths in the document.

use oxomp_analysis::calls::{self, CallTree};
use serde::Serialize;

/// The code that the threads executed at sampled moments, as a tree of call paths.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Calls {
    /// Processor time between two samples of a thread, ns; 0 if the run was not sampled.
    period_ns: u64,
    /// Samples whose call path could not be followed to the start of its thread.
    incomplete: u64,
    /// Samples that could not be kept.
    lost: u64,
    /// The frames, each after its caller.
    nodes: Vec<Node>,
}

/// A frame in the context of its callers; the runtime's own frames are left out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Node {
    /// Position of the caller in `nodes`, from 0; null at the start of a thread or of the program.
    caller: Option<u32>,
    /// The function; module and offset where it has no name.
    function: String,
    /// Source file, of the call if the frame calls another one; null without line information.
    file: Option<String>,
    /// Line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// Short name of the mapped file; null if unknown.
    module: Option<String>,
    /// True for the outlined body of a parallel construct.
    region: bool,
    /// Samples in this frame itself, all threads together; times `period_ns` they are an estimate
    /// of its processor time.
    own: u64,
    /// Samples in this frame and those that it called.
    total: u64,
}

impl Calls {
    pub(super) fn new(calls: &CallTree) -> Self {
        Self {
            period_ns: calls.period_ns,
            incomplete: calls.incomplete,
            lost: calls.lost,
            nodes: calls.nodes.iter().map(Node::new).collect(),
        }
    }
}

impl Node {
    fn new(node: &calls::CallNode) -> Self {
        Self {
            caller: node.caller,
            function: node.function.clone(),
            file: node.line.as_ref().map(|(file, _)| file.clone()),
            line: node.line.as_ref().map(|(_, line)| *line),
            module: node.module.clone(),
            region: node.region,
            own: node.own,
            total: node.total,
        }
    }
}
