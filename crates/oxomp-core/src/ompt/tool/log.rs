//! The log of the search for a tool: OMP_TOOL_VERBOSE_INIT (OpenMP 6.0 §4.5.3).
//!
//! It goes through C's streams, so that it comes in order with what the program and the tool print.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::diag;
use crate::icv::tool::ToolVerboseInit;

unsafe extern "C" {
    #[link_name = "stdout"]
    static STDOUT: *mut libc::FILE;
    #[link_name = "stderr"]
    static STDERR: *mut libc::FILE;
}

/// Where the search is reported, if anywhere.
#[derive(Debug)]
pub(super) struct Log {
    stream: *mut libc::FILE,
    /// Whether the stream was opened here.
    is_file: bool,
}

impl Log {
    /// Opens the log. A file that cannot be written gives way to stderr, and the user is told.
    pub(super) fn open(whereto: &ToolVerboseInit) -> Self {
        // SAFETY: C's standard streams, which exist from the start.
        let (stdout, stderr) = unsafe { (STDOUT, STDERR) };
        match whereto {
            ToolVerboseInit::Disabled => Log { stream: core::ptr::null_mut(), is_file: false },
            ToolVerboseInit::Stdout => Log { stream: stdout, is_file: false },
            ToolVerboseInit::Stderr => Log { stream: stderr, is_file: false },
            ToolVerboseInit::File(path) => match create(path) {
                Some(stream) => Log { stream, is_file: true },
                None => {
                    diag::bad_value(&format!(
                        "OMP_TOOL_VERBOSE_INIT=\"{}\": {}; using stderr",
                        path.display(),
                        std::io::Error::last_os_error(),
                    ));
                    Log { stream: stderr, is_file: false }
                }
            },
        }
    }

    /// Writes `text` as it is: the caller ends lines.
    pub(super) fn write(&mut self, text: &str) {
        if self.stream.is_null() {
            return;
        }
        // SAFETY: an open stream, and as many bytes as the text has.
        unsafe { libc::fwrite(text.as_ptr().cast(), 1, text.len(), self.stream) };
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if self.is_file {
            // SAFETY: opened by `create`, closed once.
            unsafe { libc::fclose(self.stream) };
        }
    }
}

fn create(path: &Path) -> Option<*mut libc::FILE> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    // SAFETY: both are C strings.
    let stream = unsafe { libc::fopen(path.as_ptr(), c"w".as_ptr()) };
    (!stream.is_null()).then_some(stream)
}
