//! The outputs that compare the processes of one run: beside those of each process.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_export::csv::JOB_TABLES;
use oxomp_export::json::{self, JobFacts};

use super::outputs::{
    NEEDS_FOLDER, PRODUCER, failed, is_standard_output, on_standard_output, say_wrote, write_file,
};
use crate::failure::Failure;
use crate::process_profiles::JobProfiles;
use crate::props::{Format, ReportProps};

/// Whether `format` has an output that compares processes.
pub(super) fn compares(format: Format) -> bool {
    matches!(format, Format::Json | Format::Csv)
}

/// The processes side by side, and where their recordings lie.
#[derive(Debug)]
pub(super) struct JobOutput<'a> {
    pub(super) job: &'a JobProfiles,
    /// What is amiss with the recordings.
    pub(super) warnings: &'a [String],
    pub(super) folder: &'a Path,
}

impl JobOutput<'_> {
    /// Writes every output of `props` that compares processes.
    pub(super) fn write_all(&self, props: &ReportProps) -> Result<(), Failure> {
        for (format, place) in props.outputs.iter().filter(|(format, _)| compares(*format)) {
            if is_standard_output(place.as_deref()) {
                if *format == Format::Csv {
                    return Err(Failure::own(NEEDS_FOLDER));
                }
                on_standard_output(|out| self.json(out))?;
                continue;
            }
            let place = self.place_of(*format, place.as_deref());
            let size = match format {
                Format::Csv => self.tables(&place)?,
                _ => write_file(&place, |out| self.json(out))?.0,
            };
            say_wrote(&place, size, None);
        }
        Ok(())
    }

    /// The place that the user names, which the outputs of the processes extend by names; else one
    /// in the folder.
    fn place_of(&self, format: Format, named: Option<&Path>) -> PathBuf {
        let default = if format == Format::Csv { "csv.job" } else { "job.json" };
        named.map_or_else(|| self.folder.join(default), Path::to_owned)
    }

    fn json(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        let facts = JobFacts {
            warnings: self.warnings,
            commands: &self.job.commands,
            recordings: &self.job.recordings,
        };
        json::write_job(&self.job.job, facts, PRODUCER, out)
    }

    fn tables(&self, folder: &Path) -> Result<u64, Failure> {
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let mut size = 0;
        for table in &JOB_TABLES {
            size += write_file(&folder.join(table.file), |out| {
                table.write(&self.job.job, &self.job.recordings, out)
            })?
            .0;
        }
        Ok(size)
    }
}
