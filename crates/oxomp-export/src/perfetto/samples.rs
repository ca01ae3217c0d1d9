//! Sampled call paths in a trace.

use std::collections::HashMap;
use std::io;

use oxomp_analysis::Analysis;

use crate::stacks::function_name;
use crate::timeline::{Fitting, tid};

use super::stream::{Stream, field};
use crate::message::Message;

/// The processor's mode.
const USER: u64 = 2;

pub(super) fn write(
    analysis: &Analysis,
    fitting: &Fitting,
    stream: &mut Stream<'_>,
) -> io::Result<()> {
    let threads = analysis.summary.threads.iter();
    let tids: HashMap<u32, u32> =
        threads.map(|thread| (thread.number, tid(thread.tid, thread.number))).collect();
    let mut paths: HashMap<u32, u64> = HashMap::new();
    for sample in fitting.samples(analysis) {
        let path = match paths.get(&sample.node) {
            Some(path) => *path,
            None => *paths.entry(sample.node).or_insert(intern(analysis, sample.node, stream)),
        };
        let mut content = Message::new();
        content.number(2, analysis.summary.header.pid.into());
        if let Some(tid) = tids.get(&sample.thread) {
            content.number(3, (*tid).into());
        }
        content.number(4, path).number(5, USER);
        stream.packet(Some(sample.time_ns), field::packet::SAMPLE, &content)?;
    }
    Ok(())
}

/// The number of the call path that ends in `node`.
fn intern(analysis: &Analysis, node: u32, stream: &mut Stream<'_>) -> u64 {
    let mut frames = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next.and_then(|next| analysis.calls.nodes.get(next as usize)) {
        let path = stream.text(field::table::MAPPING_PATH, node.module.as_deref().unwrap_or("?"));
        let mapping = stream.intern(field::table::MAPPING, Message::new().number(7, path));
        let function = stream.text(field::table::FUNCTION, &function_name(node));
        let mut frame = Message::new();
        frame.number(2, function).number(3, mapping);
        if let Some((file, line)) = &node.line {
            let source = stream.text(field::table::SOURCE_PATH, file);
            // Consumers tell the frames of a function apart by their offsets.
            frame.number(4, (*line).into()).number(5, source).number(6, (*line).into());
        }
        frames.push(stream.intern(field::table::FRAME, &frame));
        next = node.caller;
    }
    let mut path = Message::new();
    // A call path begins with its outermost frame.
    for frame in frames.iter().rev() {
        path.number(2, *frame);
    }
    stream.intern(field::table::CALLSTACK, &path)
}
