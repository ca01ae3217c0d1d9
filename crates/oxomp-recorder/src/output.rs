//! The output of a log, of either interface: its records in global order.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};
use std::path::Path;
use std::{fs, ptr};

use crate::buffer::{Buffer, Buffers};
use crate::names::Appearance;

/// A record of a log: an event, or a detail of the event before it.
pub(crate) trait Logged: Copy + Send + Sync + 'static {
    /// The place of the record's event among all events.
    fn sequence(&self) -> u64;

    /// Whether the record is a detail of an event.
    fn is_detail(&self) -> bool;
}

/// Writes header and records to the file, or to stderr. `write_record` appends the text of a record
/// of a thread, whose number it gets.
pub(crate) fn write<R: Logged>(
    header: &impl Display,
    buffers: &Buffers<R>,
    file: Option<&Path>,
    mut write_record: impl FnMut(&mut String, &R, usize) -> fmt::Result,
) -> io::Result<()> {
    let mut records: Vec<(&R, &Buffer<R>)> = buffers
        .iter()
        .flat_map(|buffer| buffer.records().map(move |record| (record, buffer)))
        .collect();
    // Stable: the details of an event stay behind it.
    records.sort_by_key(|(record, _)| record.sequence());
    let dropped: u64 = buffers.iter().map(Buffer::dropped).sum();

    let mut text = header.to_string();
    let mut threads = Appearance::new();
    let mut events = 0_u64;
    for (record, buffer) in records {
        events += u64::from(!record.is_detail());
        let thread = threads.number(ptr::from_ref(buffer)) - 1;
        write_record(&mut text, record, thread).map_err(io::Error::other)?;
    }
    writeln!(text, "# end events={events} dropped={dropped}").map_err(io::Error::other)?;
    match file {
        Some(file) => fs::write(file, text),
        None => io::stderr().write_all(text.as_bytes()),
    }
}
