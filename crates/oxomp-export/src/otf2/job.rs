//! The processes of a job in one archive.

use std::fmt;

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::JobTimeline;
use oxomp_analysis::report::units::time;

use super::MakeFile;
use super::archive::{Archive, Whole};
use super::calls::Calls;
use super::process::Process;
use crate::timeline::{Extent, Fitting};

/// Bytes of a call with what it exchanges, roughly.
const CALL_SIZE: u64 = 40;
/// The part of an archive's size that slices have at least, however many calls there are.
const LEAST_FOR_SLICES: u64 = 4;

/// An archive of the processes of a job: one recording is in memory at a time.
pub struct JobArchive<'a, 'f, 'e, E> {
    archive: Archive<'f, 'e, E>,
    timeline: &'a JobTimeline,
    extent: Extent,
    /// How many processes are written.
    written: usize,
    /// What the first process that has a remark does not show.
    remark: Option<String>,
    /// What all processes do not show.
    remarks: Vec<String>,
}

impl<'a, 'f, 'e, E> JobArchive<'a, 'f, 'e, E> {
    /// An archive of the part `extent` of the processes of `timeline`: its files are those that
    /// `file` makes.
    pub fn new(timeline: &'a JobTimeline, extent: Extent, file: &'f mut MakeFile<'e, E>) -> Self {
        let communicators = u32::try_from(timeline.communicators.len()).unwrap_or(0);
        let archive = Archive::new(communicators, file);
        Self { archive, timeline, extent, written: 0, remark: None, remarks: Vec::new() }
    }

    /// Writes the events of the next process of the timeline.
    ///
    /// # Errors
    ///
    /// Those of the function that makes the files.
    pub fn add(&mut self, analysis: &Analysis) -> Result<(), E> {
        let start = self.timeline.starts_ns.get(self.written).copied().unwrap_or(0);
        let calls = Calls::of(self.timeline.parts(self.written));
        let name = name(analysis);
        let extent = self.extent_from(start, &calls);
        let functions = &self.timeline.functions;
        let process =
            Process { analysis, name: name.clone(), start, extent, calls: &calls, functions };
        let fitting = self.archive.add(&process)?;
        self.remember(&name, &fitting, analysis);
        self.written += 1;
        Ok(())
    }

    /// The part that is shown of a process that began at `start`.
    fn extent_from(&self, start: u64, calls: &Calls) -> Extent {
        let Extent { window: (begin, end), budget } = self.extent;
        let (begin, end) = (begin.saturating_sub(start), end.saturating_sub(start));
        let own = budget / self.timeline.starts_ns.len().max(1) as u64;
        let others = calls.on_others.iter().map(Vec::len).sum::<usize>();
        let taken = CALL_SIZE * (calls.on_main_thread.len() + others) as u64;
        Extent {
            window: (begin.min(end), end),
            budget: own.saturating_sub(taken).max(own / LEAST_FOR_SLICES),
        }
    }

    fn remember(&mut self, name: &str, fitting: &Fitting, analysis: &Analysis) {
        self.remark = self.remark.take().or_else(|| fitting.remark());
        let remarks = fitting.remarks(analysis).into_iter();
        self.remarks.extend(remarks.map(|remark| format!("{name}: {remark}")));
    }

    /// Writes the definitions and, last of all files, the anchor. `producer` is the program that
    /// writes the archive, `command` the one that ran. Returns a remark if the archive does not
    /// show everything one by one.
    ///
    /// # Errors
    ///
    /// Those of the function that makes the files.
    pub fn finish(self, producer: &str, command: &str) -> Result<Option<String>, E> {
        let Self { archive, timeline, extent, remark, remarks, .. } = self;
        let mut description = vec![command.to_owned()];
        match timeline.clock_error_ns {
            Some(0) => {}
            Some(error) => description.push(format!(
                "times of different machines may be wrong by {} against each other",
                time(error)
            )),
            None => description.push(
                "the clocks of the machines are put together by their time of day".to_owned(),
            ),
        }
        if timeline.is_sampled {
            description.push("MPI: some calls of each kind stand for all".to_owned());
        }
        description.extend(remarks);
        let (begin, end) = (extent.window.0, extent.window.1.min(timeline.wall_ns));
        let whole = Whole {
            producer,
            machine: "",
            description: description.join("\n"),
            id: timeline.started_unix_ns ^ (timeline.starts_ns.len() as u64).rotate_right(24),
            started: timeline.started_unix_ns,
            window: (begin.min(end), end),
            communicators: &timeline.communicators,
        };
        archive.finish(&whole)?;
        Ok(remark)
    }
}

impl<E> fmt::Debug for JobArchive<'_, '_, '_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobArchive").field("written", &self.written).finish_non_exhaustive()
    }
}

/// The rank, or else the program, with the number of the process.
fn name(analysis: &Analysis) -> String {
    let header = &analysis.summary.header;
    let program = header.command.first().unwrap_or(&header.executable);
    match &analysis.profile.info.rank {
        Some(rank) => format!("rank {} (process {})", rank.number, header.pid),
        None => format!("{program} (process {})", header.pid),
    }
}
