//! The output of a log, of either interface: its records in global order, as lines of text. The
//! form is in the crate's documentation.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};
use std::path::Path;
use std::{fs, mem, ptr};

use crate::buffer::{Buffer, Buffers};
use crate::names::{Appearance, Names};
use crate::record::Record;
use crate::value::Value;

/// Writes header and records to the file, or to stderr.
pub(crate) fn write(
    header: &impl Display,
    buffers: &Buffers<Record>,
    file: Option<&Path>,
) -> io::Result<()> {
    let mut records: Vec<(&Record, &Buffer<Record>)> = buffers
        .iter()
        .flat_map(|buffer| buffer.records().map(move |record| (record, buffer)))
        .collect();
    // Stable: the details of an event stay behind it.
    records.sort_by_key(|(record, _)| record.seq);
    let dropped: u64 = buffers.iter().map(Buffer::dropped).sum();

    let mut text = header.to_string();
    let mut names = Names::new();
    let mut threads = Appearance::new();
    let mut events = 0_u64;
    for (record, buffer) in records {
        events += u64::from(!record.is_detail);
        let thread = threads.number(ptr::from_ref(buffer)) - 1;
        write_record(&mut text, &mut names, record, thread).map_err(io::Error::other)?;
    }
    writeln!(text, "# end events={events} dropped={dropped}").map_err(io::Error::other)?;
    match file {
        Some(file) => fs::write(file, text),
        None => io::stderr().write_all(text.as_bytes()),
    }
}

/// Appends the line of a record of a thread. A value with the key of the one before continues it.
fn write_record(
    text: &mut String,
    names: &mut Names,
    record: &Record,
    thread: usize,
) -> fmt::Result {
    match record.is_detail {
        true => write!(text, "+ {}", record.name)?,
        false => write!(text, "{} thread={thread} {}", record.seq, record.name)?,
    }
    let mut last_key = "";
    let mut write_value = |(key, value): (&'static str, Value)| {
        let is_continued = mem::replace(&mut last_key, key) == key;
        match names.text(value, thread) {
            Some(value) if is_continued => write!(text, "{value}"),
            Some(value) => write!(text, " {key}={value}"),
            None => Ok(()),
        }
    };
    record.values.iter().try_for_each(&mut write_value)?;
    if !record.is_detail {
        write_value(("state", record.state))?;
        write_value(("wait", record.wait))?;
        write!(text, " time={}", record.time)?;
    }
    text.push('\n');
    Ok(())
}
