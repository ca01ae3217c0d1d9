//! The environment of the process.

use core::ffi::{CStr, c_char};

unsafe extern "C" {
    /// The C library's list of `NAME=VALUE`, with a null pointer behind the last one.
    static environ: *const *const c_char;
}

/// The variables whose names `is_wanted`, with their values, in the order of the list. The standard
/// library copies all variables before one of them can be looked at, and at the start of a program
/// that takes as long as all else that is read from them.
///
/// As with getenv(3), no other thread changes the environment meanwhile. The standard library's
/// lock would not help: a program changes its environment by the C library, or by a copy of the
/// standard library of its own.
pub(crate) fn variables(is_wanted: impl Fn(&[u8]) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // SAFETY: `environ` points to the list, or is null if there is none, and the list and its texts
    // do not change meanwhile (above).
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            let entry = CStr::from_ptr(*next).to_bytes();
            if let Some((name, value)) = split(entry)
                && is_wanted(name)
            {
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                found.push((text(name), text(value)));
            }
            next = next.add(1);
        }
    }
    found
}

/// The name and the value of a variable. A name has at least one byte, which may be `=`.
fn split(entry: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = 1 + entry.get(1..)?.iter().position(|byte| *byte == b'=')?;
    Some((&entry[..at], &entry[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::{split, variables};

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
        let wanted = known[0].0.clone();
        assert_eq!(variables(|name| name == wanted.as_bytes()), known[..1]);
    }

    #[test]
    fn entries_are_split_at_the_first_equals_sign_behind_a_name() {
        assert_eq!(split(b"A=b=c"), Some((&b"A"[..], &b"b=c"[..])));
        assert_eq!(split(b"A="), Some((&b"A"[..], &b""[..])));
        assert_eq!(split(b"=A=b"), Some((&b"=A"[..], &b"b"[..])));
        assert_eq!((split(b"A"), split(b"=A"), split(b"")), (None, None, None));
    }
}
