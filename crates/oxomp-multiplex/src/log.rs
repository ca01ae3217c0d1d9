//! Messages, and the log that `OMP_TOOL_VERBOSE_INIT` asks for.
//!
//! The log is written to C's streams, so that it is in order with the output of the runtime, the
//! program and the tools. If the variable names a file, the runtime writes that file, and the
//! multiplexer writes another one, whose name has `.multiplex` appended.

use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel};
use std::sync::{Mutex, PoisonError};

unsafe extern "C" {
    #[link_name = "stdout"]
    static STDOUT: *mut libc::FILE;
    #[link_name = "stderr"]
    static STDERR: *mut libc::FILE;
}

/// Tells the user something even if no log is asked for. It does so once, though a runtime may ask
/// the multiplexer again before it starts.
pub(crate) fn warn(text: &str) {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.iter().any(|one| one == text) {
        return;
    }
    said.push(text.to_owned());
    // A closed standard error changes nothing for the program.
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "oxomp-multiplex: {text}");
}

/// The log: a stream, or null.
#[derive(Debug)]
pub(crate) struct Log {
    stream: *mut libc::FILE,
    /// Whether this module opened the stream.
    is_file: bool,
}

impl Log {
    /// Opens the log that the variable names, or goes on with it. Takes the standard error if the
    /// file cannot be written.
    pub(crate) fn open() -> Self {
        static IS_BEGUN: AtomicBool = AtomicBool::new(false);
        let value = std::env::var_os("OMP_TOOL_VERBOSE_INIT").unwrap_or_default().into_vec();
        // SAFETY: C's standard streams exist from the start of the program.
        let (stdout, stderr) = unsafe { (STDOUT, STDERR) };
        match value.trim_ascii().to_ascii_lowercase().as_slice() {
            b"" | b"disabled" => Self { stream: null_mut(), is_file: false },
            b"stdout" => Self { stream: stdout, is_file: false },
            b"stderr" => Self { stream: stderr, is_file: false },
            _ => match open_file(value.trim_ascii(), IS_BEGUN.swap(true, AcqRel)) {
                Some(stream) => Self { stream, is_file: true },
                None => Self { stream: stderr, is_file: false },
            },
        }
    }

    /// Whether anything is written.
    pub(crate) fn is_on(&self) -> bool {
        !self.stream.is_null()
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) {
        if self.stream.is_null() {
            return;
        }
        let text = format!("oxomp-multiplex: {text}\n");
        // SAFETY: the stream is open; address and length are those of the text.
        unsafe { libc::fwrite(text.as_ptr().cast(), 1, text.len(), self.stream) };
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if self.is_file {
            // SAFETY: `open_file` opened the stream, and it is closed once.
            unsafe { libc::fclose(self.stream) };
        }
    }
}

fn open_file(name: &[u8], is_begun: bool) -> Option<*mut libc::FILE> {
    let name = OsString::from_vec([name, b".multiplex"].concat());
    let name = CString::new(name.into_vec()).ok()?;
    // SAFETY: both are C strings.
    let stream = unsafe { libc::fopen(name.as_ptr(), if is_begun { c"a" } else { c"w" }.as_ptr()) };
    (!stream.is_null()).then_some(stream)
}
