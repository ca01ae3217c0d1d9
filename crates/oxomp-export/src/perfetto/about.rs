//! The tracks of a trace, and what is to be known about it.

use std::io;

use oxomp_analysis::Analysis;
use oxomp_analysis::report::units::time;

use super::message::Message;
use super::stream::{Stream, field};
use super::{PROCESS, track_of};

/// How a run was made to fit into a trace.
pub(super) struct Fitting {
    /// The part that is shown, ns since the start of the process.
    pub(super) window: (u64, u64),
    /// Slices below this width are folded, ns.
    pub(super) width: u64,
    /// One sample in so many is shown.
    pub(super) every: u64,
}

impl Fitting {
    /// What the trace leaves out, if anything.
    pub(super) fn remark(&self) -> Option<String> {
        let mut remarks = Vec::new();
        if self.width > 0 {
            let width = time(self.width);
            remarks.push(format!("slices shorter than {width} are folded into \"(short slices)\""));
        }
        if self.every > 1 {
            remarks.push(format!("one sample in {} is shown", self.every));
        }
        (!remarks.is_empty()).then(|| remarks.join("; "))
    }
}

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
    let remarks = remarks(analysis, fitting);
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
        let name = match thread.initial {
            true if position == 0 => "initial thread".to_owned(),
            true => format!("initial thread {}", thread.number),
            false => format!("worker {}", thread.number),
        };
        let mut facts = Message::new();
        facts.number(1, pid).number(2, tid(thread.tid, thread.number)).text(5, &name);
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

/// The system's thread id, or a number that no thread has where it is not known.
pub(super) fn tid(tid: u32, number: u32) -> u64 {
    if tid > 0 { tid.into() } else { (1 << 30) + u64::from(number) }
}

/// What is to be known before one believes the trace.
fn remarks(analysis: &Analysis, fitting: &Fitting) -> Vec<String> {
    let (header, quality) = (&analysis.summary.header, &analysis.summary.quality);
    let mut remarks: Vec<String> = fitting.remark().into_iter().collect();
    if fitting.window != (0, header.wall_ns) {
        let (from, to) = fitting.window;
        remarks.push(format!("only the part from {} to {} is shown", time(from), time(to)));
    }
    if header.truncated {
        remarks.push("the process went away without ending the recording".to_owned());
    }
    if quality.folded > 0 {
        remarks.push(format!(
            "{} regions, barriers and locks were summed up in the program and have no slice",
            quality.folded
        ));
    }
    if quality.lost_events > 0 {
        remarks.push(format!("{} events could not be recorded", quality.lost_events));
    }
    if let Some(reason) = &quality.stopped {
        remarks.push(format!("recording stopped early: {reason}"));
    }
    remarks.extend(quality.damaged.iter().map(|damage| format!("damaged: {damage}")));
    remarks
}
