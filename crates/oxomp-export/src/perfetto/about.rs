//! The tracks of a trace, and what is to be known about it.

use std::io;

use oxomp_analysis::Analysis;

use crate::timeline::{Fitting, thread_name, tid};

use super::stream::{Stream, field};
use super::tracks::{PROCESS, track_of};
use crate::message::Message;

/// An event without length.
const INSTANT: u64 = 3;

pub(super) fn write(
    analysis: &Analysis,
    producer: &str,
    fitting: &Fitting,
    stream: &mut Stream<'_>,
) -> io::Result<()> {
    let header = &analysis.summary.header;
    let pid = u64::from(header.pid);
    let remarks = fitting.remarks(analysis);
    let mut process = Message::new();
    process.number(1, pid);
    for word in &header.command {
        process.text(2, word);
    }
    process.text(6, header.command.first().unwrap_or(&header.executable));
    let mut descriptor = Message::new();
    descriptor.number(1, PROCESS).message(3, &process).text(14, &remarks.join("\n"));
    let mut defaults = Message::new();
    let timebase = Message::new()
        .number(1, analysis.calls.period_ns)
        .number(4, 1)
        .text(10, "processor time")
        .clone();
    defaults.message(12, Message::new().message(1, &timebase));
    stream.packet(None, field::packet::DEFAULTS, &defaults)?;
    stream.packet(None, field::packet::TRACK, &descriptor)?;
    for (position, thread) in analysis.model.threads.iter().enumerate() {
        let name = thread_name(analysis, position);
        let mut facts = Message::new();
        facts.number(1, pid).number(2, tid(thread.tid, thread.number).into()).text(5, &name);
        let mut descriptor = Message::new();
        descriptor.number(1, track_of(position)).number(5, PROCESS).message(4, &facts);
        stream.packet(None, field::packet::TRACK, &descriptor)?;
    }
    let name = stream.text(field::table::NAME, "about this trace");
    let category = stream.text(field::table::CATEGORY, "about");
    let mut event = Message::new();
    event
        .number(field::event::TYPE, INSTANT)
        .number(field::event::TRACK, PROCESS)
        .number(field::event::NAME, name)
        .number(field::event::CATEGORY, category);
    let command = header.command.join(" ");
    let facts = [("producer", producer), ("command", &command), ("runtime", &header.runtime)];
    let remarks = remarks.iter().map(|remark| ("remark", remark.as_str()));
    for (name, value) in facts.into_iter().chain(remarks) {
        let name = stream.text(field::table::ANNOTATION, name);
        event.message(field::event::ANNOTATION, Message::new().number(1, name).text(6, value));
    }
    stream.packet(Some(fitting.window.0), field::packet::EVENT, &event)
}
