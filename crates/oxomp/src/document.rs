//! Documents for other programs: a file, or standard output.

use std::io::{self, Write, stdout};
use std::path::Path;

use crate::data_folder::shown;
use crate::failure::Failure;
use crate::file_size::file_size;
use crate::messages::say;
use crate::new_file::NewFile;
use crate::output::written;

/// The path that stands for standard output.
const STANDARD_OUTPUT: &str = "-";
/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The producer that documents name.
pub(crate) const PRODUCER: &str = concat!("oxomp ", env!("CARGO_PKG_VERSION"));

/// Makes the file `place` with the content that `write` gives it. Returns its size, and what
/// `write` does.
pub(crate) fn write_file<T>(
    place: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<(u64, T), Failure> {
    let whole = || {
        let mut file = NewFile::create(place)?;
        let result = write(&mut file)?;
        Ok((file.finish()?, result))
    };
    whole().map_err(|error| Failure::cannot_write(place, &error))
}

/// Calls `write` with standard output. Returns the result of `write`; `None` if no reader is left.
pub(crate) fn on_standard_output<T>(
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<Option<T>, Failure> {
    let mut out = io::BufWriter::new(stdout().lock());
    match write(&mut out).and_then(|result| out.flush().map(|()| result)) {
        Ok(result) => Ok(Some(result)),
        Err(error) => written(Err(error)).map(|()| None),
    }
}

pub(crate) fn say_wrote(place: &Path, size: u64, remark: Option<String>) {
    let remark = remark.map_or(String::new(), |remark| format!("; {remark}"));
    say(format_args!("wrote {} ({}){remark}", shown(place), file_size(size)));
}

pub(crate) fn is_standard_output(place: Option<&Path>) -> bool {
    place.is_some_and(|place| place == Path::new(STANDARD_OUTPUT))
}
