//! The environment of the process.

use core::ffi::{CStr, c_char};

unsafe extern "C" {
    /// The C library's list of `NAME=VALUE`, with a null pointer behind the last one.
    static mut environ: *const *const c_char;
}

/// The variables whose names `is_wanted`, with their values, in the order of the list. The standard
/// library copies all variables before one of them can be looked at, which took longer at the start
/// of a program than to read the settings from them.
///
/// As for getenv(3), the program must not change its environment meanwhile. The standard library's
/// lock would not help: a program changes its environment by the C library, or by a copy of the
/// standard library of its own.
pub(crate) fn variables(is_wanted: impl Fn(&[u8]) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // SAFETY: `environ` is null, or points to the list, and neither the list nor its texts change
    // meanwhile: that is the program's duty.
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            found.extend(variable(CStr::from_ptr(*next).to_bytes(), &is_wanted));
            next = next.add(1);
        }
    }
    found
}

/// The name and the value in an entry of the list, if it is that of a variable whose name
/// `is_wanted`. A name has at least one byte, which may be `=`. Bytes that are no text are
/// replaced.
fn variable(entry: &[u8], is_wanted: impl Fn(&[u8]) -> bool) -> Option<(String, String)> {
    let at = 1 + entry.get(1..)?.iter().position(|byte| *byte == b'=')?;
    let (name, value) = (&entry[..at], &entry[at + 1..]);
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    is_wanted(name).then(|| (text(name), text(value)))
}

#[cfg(test)]
mod tests {
    use super::{variable, variables};

    #[test]
    fn all_variables_are_those_of_the_standard_library() {
        let known: Vec<_> = std::env::vars_os()
            .map(|(name, value)| {
                (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
            })
            .collect();
        assert!(!known.is_empty());
        assert_eq!(variables(|_| true), known);
        assert_eq!(variables(|_| false), []);
        let is_path = |(name, _): &(String, String)| name == "PATH";
        let path: Vec<_> = known.into_iter().filter(is_path).collect();
        assert_eq!(variables(|name| name == b"PATH"), path);
    }

    #[test]
    fn entries_are_split_at_the_first_equals_sign_behind_a_name() {
        let split = |entry: &[u8]| variable(entry, |_| true);
        let pair = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        assert_eq!(split(b"A=b=c"), pair("A", "b=c"));
        assert_eq!(split(b"A="), pair("A", ""));
        assert_eq!(split(b"=A=b"), pair("=A", "b"));
        assert_eq!(split(b"A=\xffb"), pair("A", "\u{fffd}b"));
        assert_eq!((split(b"A"), split(b"=A"), split(b"")), (None, None, None));
        assert_eq!(variable(b"A=b", |name| name == b"B"), None);
    }
}
