//! A file that has its name only once it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// A file being written: under another name beside its place, or in place where something else than
/// a file is there, such as a pipe or a device. Dropped before [`NewFile::finish`], it leaves
/// nothing.
#[derive(Debug)]
pub(crate) struct NewFile {
    place: PathBuf,
    /// The name until it is whole; `None`: written in place, or finished.
    temporary: Option<PathBuf>,
    file: BufWriter<File>,
    /// Bytes written so far.
    size: u64,
}

impl NewFile {
    /// Begins the file for `path`; a symbolic link stays one.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&place).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            let file = BufWriter::new(OpenOptions::new().write(true).open(&place)?);
            return Ok(Self { place, temporary: None, file, size: 0 });
        }
        let name = match place.file_name() {
            Some(name) if !place.is_dir() => name.to_string_lossy(),
            _ => return Err(io::ErrorKind::IsADirectory.into()),
        };
        let temporary = place.with_file_name(format!(".{name}.{}", process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        Ok(Self { place, temporary: Some(temporary), file: BufWriter::new(file), size: 0 })
    }

    /// Gives the file its name, and returns its size.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.file.flush()?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.place)?;
            self.temporary = None;
        }
        Ok(self.size)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // The reason for which the file is not whole is reported.
            fs::remove_file(temporary).ok();
        }
    }
}
