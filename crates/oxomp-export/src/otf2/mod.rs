//! The timeline of a run, or of all processes of a job, as an archive of the Open Trace Format 2,
//! for Vampir and the tools of Score-P. The README beside this file describes the format.
//!
//! A process is a location group, each thread a location with its regions (constructs, waits,
//! serial code), the teams that it was in and the locks that it acquired and released. Constructs
//! for devices and their operations are locations of their own. Times are nanoseconds since the
//! start of the process, or of the first one of a job.

use std::io::{self, Write};

use oxomp_analysis::Analysis;

use crate::timeline::Extent;

mod anchor;
mod archive;
mod calls;
mod chunks;
mod definitions;
mod events;
mod groups;
mod job;
mod locations;
mod locks;
mod moments;
mod process;
mod record;
mod regions;
mod role;
mod shared;
mod stays;
mod tasks;
mod teams;
mod walk;

use archive::{Archive, Whole};
use calls::Calls;
pub use job::JobArchive;
use process::Process;

/// The file of an archive by which programs open it. An archive without it is not whole.
pub const ANCHOR: &str = "traces.otf2";
/// The folder in an archive that has the files of the locations.
pub const LOCATIONS: &str = "traces";

/// Writes the content of a file.
pub type Content<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;
/// Makes a file of an archive, by its path in the archive's folder, with that content.
pub type MakeFile<'a, E> = dyn FnMut(&str, &mut Content<'_>) -> Result<(), E> + 'a;

/// Writes the archive of `analysis`, made by the program `producer`: hands each file to `file`, by
/// its path in the archive's folder, the anchor last. Returns a remark if the archive does not show
/// everything one by one.
///
/// # Errors
///
/// The errors of `file`.
pub fn write<E>(
    analysis: &Analysis,
    producer: &str,
    extent: Extent,
    file: &mut MakeFile<'_, E>,
) -> Result<Option<String>, E> {
    let header = &analysis.summary.header;
    let mut archive = Archive::new(0, file);
    let program = header.command.first().unwrap_or(&header.executable);
    let name = format!("{program} (process {})", header.pid);
    let calls = Calls::default();
    let fitting = archive.add(&Process {
        analysis,
        name,
        start: 0,
        extent,
        calls: &calls,
        functions: &[],
    })?;
    let mut description = vec![header.command.join(" ")];
    description.extend(fitting.remarks(analysis));
    let whole = Whole {
        producer,
        machine: &header.hostname,
        description: description.join("\n"),
        id: header.started_unix_ns ^ u64::from(header.pid).rotate_right(24),
        started: header.started_unix_ns,
        window: fitting.window,
        communicators: &[],
    };
    archive.finish(&whole)?;
    Ok(fitting.remark())
}
