//! Archives of the Open Trace Format 2: folders of files.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::JobTimeline;
use oxomp_analysis::symbols::Symbols;
use oxomp_export::{Extent, otf2};

use crate::data_folder::shown;
use crate::document::{PRODUCER, write_file};
use crate::failure::Failure;
use crate::progress::show_while;
use crate::recordings::{check_is_file, read};

/// Writes the archive of `analysis` into a folder. Returns the number of bytes, and what did not
/// fit.
pub(super) fn write_archive(
    analysis: &Analysis,
    extent: Extent,
    place: &Path,
) -> Result<(u64, Option<String>), Failure> {
    begin(place)?;
    let size = Cell::new(0);
    let remark = otf2::write(analysis, PRODUCER, extent, &mut |name, content| {
        write_into(place, name, content, &size)
    })?;
    Ok((size.get(), remark))
}

/// Writes the archive of the processes of `timeline`, whose `recordings` are in its order, into a
/// folder: one of them is in memory at a time. `command` is the program that ran.
pub(super) fn write_job_archive(
    timeline: &JobTimeline,
    recordings: &[PathBuf],
    command: &str,
    extent: Extent,
    place: &Path,
) -> Result<(u64, Option<String>), Failure> {
    begin(place)?;
    let size = Cell::new(0);
    let mut make =
        |name: &str, content: &mut otf2::Content<'_>| write_into(place, name, content, &size);
    let mut archive = otf2::JobArchive::new(timeline, extent, &mut make);
    let mut symbols = Symbols::new();
    for recording in recordings {
        check_is_file(recording).map_err(Failure::own)?;
        show_while(&format!("writing {} of {}", shown(place), shown(recording)), || {
            let analysis = read(recording, &mut symbols);
            archive.add(&analysis.map_err(|error| Failure::own(error.to_string()))?)
        })?;
    }
    let remark = archive.finish(PRODUCER, command)?;
    Ok((size.get(), remark))
}

/// Makes the folder of an archive, of which nothing is there yet.
fn begin(place: &Path) -> Result<(), Failure> {
    let cannot = |error| Failure::cannot_write(place, &error);
    fs::create_dir_all(place.join(otf2::LOCATIONS)).map_err(cannot)?;
    // No program opens an archive without its anchor: one that is overwritten in part only.
    match fs::remove_file(place.join(otf2::ANCHOR)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot(error)),
        _ => Ok(()),
    }
}

fn write_into(
    place: &Path,
    name: &str,
    content: &mut otf2::Content<'_>,
    size: &Cell<u64>,
) -> Result<(), Failure> {
    let (written, ()) = write_file(&place.join(name), |out| content(out))?;
    size.set(size.get() + written);
    Ok(())
}
