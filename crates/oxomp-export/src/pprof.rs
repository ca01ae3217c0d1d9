//! Samples as a profile of pprof: a gzipped message `perftools.profiles.Profile`.
//!
//! A sample has two values, its number and its processor time, and as labels the thread and the
//! region, so that `pprof -tagfocus` and `-tagroot` select by them.

use std::collections::HashMap;
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use oxomp_analysis::Analysis;
use oxomp_analysis::calls::CallNode;

use crate::Extent;
use crate::message::Message;
use crate::stacks::{Stacks, frame_name, path, region_of, thread_name};

/// The fields of pprof's messages, by message.
mod field {
    pub(super) mod profile {
        pub(in crate::pprof) const SAMPLE_TYPE: u32 = 1;
        pub(in crate::pprof) const SAMPLE: u32 = 2;
        pub(in crate::pprof) const MAPPING: u32 = 3;
        pub(in crate::pprof) const LOCATION: u32 = 4;
        pub(in crate::pprof) const FUNCTION: u32 = 5;
        pub(in crate::pprof) const TEXT: u32 = 6;
        pub(in crate::pprof) const TIME: u32 = 9;
        pub(in crate::pprof) const DURATION: u32 = 10;
        pub(in crate::pprof) const PERIOD_TYPE: u32 = 11;
        pub(in crate::pprof) const PERIOD: u32 = 12;
        pub(in crate::pprof) const COMMENT: u32 = 13;
        pub(in crate::pprof) const DEFAULT_TYPE: u32 = 14;
    }
    pub(super) mod value_type {
        pub(in crate::pprof) const KIND: u32 = 1;
        pub(in crate::pprof) const UNIT: u32 = 2;
    }
    pub(super) mod sample {
        pub(in crate::pprof) const LOCATIONS: u32 = 1;
        pub(in crate::pprof) const VALUES: u32 = 2;
        pub(in crate::pprof) const LABEL: u32 = 3;
    }
    pub(super) mod label {
        pub(in crate::pprof) const KEY: u32 = 1;
        pub(in crate::pprof) const TEXT: u32 = 2;
    }
    pub(super) mod mapping {
        pub(in crate::pprof) const ID: u32 = 1;
        pub(in crate::pprof) const FILE: u32 = 5;
        pub(in crate::pprof) const HAS_FUNCTIONS: u32 = 7;
        pub(in crate::pprof) const HAS_FILES: u32 = 8;
        pub(in crate::pprof) const HAS_LINES: u32 = 9;
        pub(in crate::pprof) const HAS_INLINED: u32 = 10;
    }
    pub(super) mod location {
        pub(in crate::pprof) const ID: u32 = 1;
        pub(in crate::pprof) const MAPPING: u32 = 2;
        pub(in crate::pprof) const LINE: u32 = 4;
    }
    pub(super) mod line {
        pub(in crate::pprof) const FUNCTION: u32 = 1;
        pub(in crate::pprof) const LINE: u32 = 2;
    }
    pub(super) mod function {
        pub(in crate::pprof) const ID: u32 = 1;
        pub(in crate::pprof) const NAME: u32 = 2;
        pub(in crate::pprof) const SYSTEM_NAME: u32 = 3;
        pub(in crate::pprof) const FILE: u32 = 4;
    }
}

/// Writes the samples of `analysis` in the window of `extent`, in the name of the program
/// `producer`. Returns a remark if there are none, or if some are left out.
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
    let header = &analysis.summary.header;
    let stacks = Stacks::of(analysis, extent);
    let mut writer = Writer::new(analysis);
    let samples = writer.value_type("samples", "count");
    let cpu = writer.value_type("cpu", "nanoseconds");
    writer.message.message(field::profile::SAMPLE_TYPE, &samples);
    writer.message.message(field::profile::SAMPLE_TYPE, &cpu);
    writer.message.message(field::profile::PERIOD_TYPE, &cpu);
    writer.message.number(field::profile::PERIOD, analysis.calls.period_ns);
    let default = writer.text("cpu");
    writer.message.number(field::profile::DEFAULT_TYPE, default);
    let (from, to) = (extent.window.0, extent.window.1.min(header.wall_ns));
    writer.message.number(field::profile::TIME, header.started_unix_ns.saturating_add(from));
    writer.message.number(field::profile::DURATION, to.saturating_sub(from));
    for comment in [format!("written by {producer}"), header.command.join(" ")] {
        let comment = writer.text(&comment);
        writer.message.number(field::profile::COMMENT, comment);
    }
    for stack in &stacks.stacks {
        let frames = path(analysis, stack.node);
        let locations: Vec<u64> = frames.iter().map(|frame| writer.location(*frame)).collect();
        let mut sample = Message::new();
        sample.numbers(field::sample::LOCATIONS, &locations);
        let time = stack.samples.saturating_mul(analysis.calls.period_ns);
        sample.numbers(field::sample::VALUES, &[stack.samples, time]);
        let thread = writer.label("thread", &thread_name(analysis, stack.thread));
        sample.message(field::sample::LABEL, &thread);
        if let Some(region) = region_of(analysis, &frames) {
            let region = writer.label("region", &region.function);
            sample.message(field::sample::LABEL, &region);
        }
        writer.message.message(field::profile::SAMPLE, &sample);
    }
    let mut gzip = GzEncoder::new(out, Compression::default());
    gzip.write_all(writer.finish().bytes())?;
    gzip.finish()?;
    Ok(stacks.remark(analysis))
}

/// A profile being made. Numbers in it begin at 1, but for those of texts.
struct Writer<'a> {
    analysis: &'a Analysis,
    message: Message,
    texts: HashMap<String, u64>,
    in_order: Vec<String>,
    mappings: HashMap<u64, u64>,
    /// By name and file.
    functions: HashMap<(u64, u64), u64>,
    /// By module, function and line.
    locations: HashMap<(u64, u64, u64), u64>,
    /// By position in the tree of calls.
    of_nodes: HashMap<u32, u64>,
}

impl<'a> Writer<'a> {
    fn new(analysis: &'a Analysis) -> Self {
        let mut writer = Self {
            analysis,
            message: Message::new(),
            texts: HashMap::new(),
            in_order: Vec::new(),
            mappings: HashMap::new(),
            functions: HashMap::new(),
            locations: HashMap::new(),
            of_nodes: HashMap::new(),
        };
        // The format wants the empty text first, and the program's own module.
        writer.text("");
        let executable = &analysis.summary.header.executable;
        let name = executable.rsplit('/').next().unwrap_or(executable);
        writer.mapping(name);
        writer
    }

    fn text(&mut self, text: &str) -> u64 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = self.in_order.len() as u64;
        self.in_order.push(text.to_owned());
        self.texts.insert(text.to_owned(), number);
        number
    }

    fn value_type(&mut self, kind: &str, unit: &str) -> Message {
        let (kind, unit) = (self.text(kind), self.text(unit));
        let mut message = Message::new();
        message.number(field::value_type::KIND, kind).number(field::value_type::UNIT, unit);
        message
    }

    fn label(&mut self, key: &str, text: &str) -> Message {
        let (key, text) = (self.text(key), self.text(text));
        let mut message = Message::new();
        message.number(field::label::KEY, key).number(field::label::TEXT, text);
        message
    }

    fn mapping(&mut self, module: &str) -> u64 {
        let file = self.text(module);
        let next = self.mappings.len() as u64 + 1;
        let number = *self.mappings.entry(file).or_insert(next);
        if number == next {
            let mut mapping = Message::new();
            mapping.number(field::mapping::ID, number).number(field::mapping::FILE, file);
            // A reader that is told so does not look for the program's symbols itself.
            for known in [
                field::mapping::HAS_FUNCTIONS,
                field::mapping::HAS_FILES,
                field::mapping::HAS_LINES,
                field::mapping::HAS_INLINED,
            ] {
                mapping.number(known, 1);
            }
            self.message.message(field::profile::MAPPING, &mapping);
        }
        number
    }

    fn function(&mut self, node: &CallNode) -> u64 {
        let name = self.text(&frame_name(node));
        let system_name = self.text(&node.function);
        let file = self.text(node.line.as_ref().map_or("", |(file, _)| file));
        let next = self.functions.len() as u64 + 1;
        let number = *self.functions.entry((name, file)).or_insert(next);
        if number == next {
            let mut function = Message::new();
            function.number(field::function::ID, number).number(field::function::NAME, name);
            function.number(field::function::SYSTEM_NAME, system_name);
            function.number(field::function::FILE, file);
            self.message.message(field::profile::FUNCTION, &function);
        }
        number
    }

    /// The location of the frame at `position` in the tree of calls.
    fn location(&mut self, position: u32) -> u64 {
        if let Some(number) = self.of_nodes.get(&position) {
            return *number;
        }
        let analysis = self.analysis;
        let node = &analysis.calls.nodes[position as usize];
        let mapping = node.module.as_deref().map_or(0, |module| self.mapping(module));
        let function = self.function(node);
        let line = node.line.as_ref().map_or(0, |(_, line)| u64::from(*line));
        let next = self.locations.len() as u64 + 1;
        let number = *self.locations.entry((mapping, function, line)).or_insert(next);
        if number == next {
            let mut place = Message::new();
            place.number(field::line::FUNCTION, function).number(field::line::LINE, line);
            let mut location = Message::new();
            location.number(field::location::ID, number);
            location.number(field::location::MAPPING, mapping);
            location.message(field::location::LINE, &place);
            self.message.message(field::profile::LOCATION, &location);
        }
        self.of_nodes.insert(position, number);
        number
    }

    fn finish(mut self) -> Message {
        for text in &self.in_order {
            self.message.text(field::profile::TEXT, text);
        }
        self.message
    }
}
