//! The log of the search for a tool: OMP_TOOL_VERBOSE_INIT (OpenMP 6.0 §4.5.3).
//!
//! It is written to C's streams, so that it is in order with the output of the program and of the
//! tool.

use core::ffi::CStr;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use oxomp_base::diag;
use oxomp_base::icv::tool::ToolVerboseInit;

unsafe extern "C" {
    #[link_name = "stdout"]
    static STDOUT: *mut libc::FILE;
    #[link_name = "stderr"]
    static STDERR: *mut libc::FILE;
}

/// The log of the search: a stream, or none.
#[derive(Debug)]
pub(super) struct Log {
    stream: *mut libc::FILE,
    /// Whether this file opened the stream.
    is_file: bool,
}

impl Log {
    /// Opens the log; goes on with it if `is_again`. If the file cannot be written, warns the user
    /// once and uses stderr.
    pub(super) fn open(whereto: &ToolVerboseInit, is_again: bool) -> Self {
        // SAFETY: C's standard streams exist from the start of the program.
        let (stdout, stderr) = unsafe { (STDOUT, STDERR) };
        match whereto {
            ToolVerboseInit::Disabled => Log { stream: core::ptr::null_mut(), is_file: false },
            ToolVerboseInit::Stdout => Log { stream: stdout, is_file: false },
            ToolVerboseInit::Stderr => Log { stream: stderr, is_file: false },
            ToolVerboseInit::File(path) => {
                match open_file(path, if is_again { c"a" } else { c"w" }) {
                    Some(stream) => Log { stream, is_file: true },
                    None => {
                        if !is_again {
                            diag::bad_value(&format!(
                                "OMP_TOOL_VERBOSE_INIT=\"{}\": {}; using stderr",
                                path.display(),
                                std::io::Error::last_os_error(),
                            ));
                        }
                        Log { stream: stderr, is_file: false }
                    }
                }
            }
        }
    }

    /// Writes `text` unchanged: the caller adds newlines.
    pub(super) fn write(&mut self, text: &str) {
        if self.stream.is_null() {
            return;
        }
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

fn open_file(path: &Path, mode: &CStr) -> Option<*mut libc::FILE> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    // SAFETY: both are C strings.
    let stream = unsafe { libc::fopen(path.as_ptr(), mode.as_ptr()) };
    (!stream.is_null()).then_some(stream)
}
