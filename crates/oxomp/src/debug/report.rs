//! Where the text about a process goes.

use std::fs::File;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};

use oxomp_text::Style;

use crate::failure::Failure;
use crate::output::written;
use crate::terminal::style_of;

/// A standard stream, or a file that the user has named.
#[derive(Debug)]
pub(super) enum Report {
    /// For a process that is there: the text is the command's result.
    Stdout,
    /// Beside a program that has standard output for itself.
    Stderr,
    File(File, PathBuf),
}

impl Report {
    /// The file, else the stream.
    pub(super) fn new(file: Option<&Path>, stream: Self) -> Result<Self, Failure> {
        let Some(path) = file else { return Ok(stream) };
        let file = File::create(path).map_err(|error| Failure::cannot_write(path, &error))?;
        Ok(Self::File(file, path.to_owned()))
    }

    /// The style that the reader can show.
    pub(super) fn style(&self) -> Style {
        match self {
            Self::Stdout => style_of(&stdout()),
            Self::Stderr => style_of(&stderr()),
            Self::File(..) => Style { width: Style::DEFAULT_WIDTH, colour: false, unicode: true },
        }
    }

    /// Writes text, all of it before the program goes on.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Self::Stdout => {
                written(stdout().lock().write_all(text.as_bytes()).and_then(|()| stdout().flush()))
            }
            Self::Stderr => {
                // If standard error is closed, it has no reader.
                stderr().lock().write_all(text.as_bytes()).ok();
                Ok(())
            }
            Self::File(file, path) => {
                file.write_all(text.as_bytes()).map_err(|error| Failure::cannot_write(path, &error))
            }
        }
    }
}
