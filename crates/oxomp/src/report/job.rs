//! The outputs that compare the processes of one run, beside the outputs of each process.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use oxomp_analysis::ranks::{EventsByInstance, JobTimeline};
use oxomp_analysis::report::JobNotes;
use oxomp_export::Extent;
use oxomp_export::csv::job_tables;
use oxomp_export::json::{self, JobFacts};
use oxomp_html::{JobPage, job_page};

use super::archive::write_job_archive;
use super::place::{NEEDS_FOLDER, part_of_name, place_of};
use crate::document::{
    PRODUCER, VERSION, is_standard_output, on_standard_output, say_wrote, write_file,
};
use crate::failure::Failure;
use crate::process_profiles::JobProfiles;
use crate::props::{Format, ReportProps};

/// Whether `format` has an output that compares processes, or has all of them.
pub(super) fn compares(format: Format) -> bool {
    matches!(format, Format::Html | Format::Json | Format::Csv | Format::Otf2)
}

/// The processes side by side, and where their recordings lie.
#[derive(Debug)]
pub(super) struct JobOutput<'a> {
    pub(super) job: &'a JobProfiles,
    /// What all processes did in messages and collective operations of MPI.
    pub(super) events: &'a EventsByInstance,
    /// What is amiss with the recordings.
    pub(super) warnings: &'a [String],
    pub(super) folder: &'a Path,
}

impl JobOutput<'_> {
    /// Writes every output of `props` that compares processes.
    pub(super) fn write(&self, props: &ReportProps) -> Result<(), Failure> {
        for (format, place) in props.outputs.iter().filter(|(format, _)| compares(*format)) {
            if is_standard_output(place.as_deref()) {
                if matches!(format, Format::Csv | Format::Otf2) {
                    return Err(Failure::own(NEEDS_FOLDER));
                }
                on_standard_output(|out| self.document(*format, &[], props, out))?;
                continue;
            }
            let place = self.place_of(*format, place.as_deref(), props);
            let (size, remark) = match format {
                Format::Csv => (self.tables(&place)?, None),
                Format::Otf2 => self.archive(&place, props.extent)?,
                _ => {
                    let pages = self.pages_beside(&place, props);
                    (write_file(&place, |out| self.document(*format, &pages, props, out))?.0, None)
                }
            };
            say_wrote(&place, size, remark);
        }
        Ok(())
    }

    /// The place that the user names, which the outputs of the processes extend by names; else one
    /// in the folder.
    fn place_of(&self, format: Format, named: Option<&Path>, props: &ReportProps) -> PathBuf {
        let part = part_of_name(&props.scope);
        let default = match format {
            Format::Csv => format!("csv.job{part}"),
            Format::Html => format!("report{part}.html"),
            Format::Otf2 => "otf2".to_owned(),
            _ => format!("job{part}.json"),
        };
        named.map_or_else(|| self.folder.join(default), Path::to_owned)
    }

    /// The names of the processes' own pages, in the job's order; empty for those that are not in
    /// the folder of `place`.
    fn pages_beside(&self, place: &Path, props: &ReportProps) -> Vec<String> {
        let named = props.outputs.iter().find(|(format, _)| *format == Format::Html);
        let named = named.and_then(|(_, named)| named.as_deref());
        let page_of = |recording: &String| {
            let recording = self.folder.join(recording);
            let of = (recording.as_path(), &props.scope);
            let page = place_of(Format::Html, named, of, true);
            let is_there = page.parent() == place.parent() && page.is_file();
            let name = page.file_name().filter(|_| is_there);
            name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        self.job.recordings.iter().map(page_of).collect()
    }

    /// The document that compares the processes, as `format`.
    fn document(
        &self,
        format: Format,
        pages: &[String],
        props: &ReportProps,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if format != Format::Html {
            return self.json(out);
        }
        let notes = JobNotes {
            version: VERSION.to_owned(),
            scope: props.scope.clone(),
            warnings: self.warnings.to_vec(),
            commands: self.job.commands.clone(),
            data: Vec::new(),
        };
        let page = JobPage { job: &self.job.job, notes: &notes, pages };
        out.write_all(job_page(&page).as_bytes())
    }

    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let facts = JobFacts {
            warnings: self.warnings,
            commands: &self.job.commands,
            recordings: &self.job.recordings,
        };
        json::write_job(&self.job.job, facts, PRODUCER, out)
    }

    fn tables(&self, folder: &Path) -> Result<u64, Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
        let mut size = 0;
        for table in job_tables(&self.job.job) {
            size += write_file(&folder.join(table.file), |out| {
                table.write(&self.job.job, &self.job.recordings, out)
            })?
            .0;
        }
        Ok(size)
    }

    /// Writes the timeline of all processes. Returns the number of bytes, and what did not fit.
    fn archive(&self, place: &Path, extent: Extent) -> Result<(u64, Option<String>), Failure> {
        let job = &self.job.job;
        let timeline = JobTimeline::of(job, self.events, extent.window);
        let recordings = self.job.recordings.iter();
        let recordings: Vec<PathBuf> = recordings.map(|name| self.folder.join(name)).collect();
        let command = job.processes.first().map(|one| one.command.join(" ")).unwrap_or_default();
        write_job_archive(&timeline, &recordings, &command, extent, place)
    }
}
