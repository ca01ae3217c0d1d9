//! `OXOMP_MULTIPLEX_TOOLS`: the tools to run.
//!
//! The list is separated by colons, as in `OMP_TOOL_LIBRARIES`. If an entry has alternatives,
//! separated by `|`, the first that wants to run is taken. `@next` stands for the tool in the
//! address space behind the multiplexer.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Where a tool may come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A library, as dlopen takes it.
    Library(PathBuf),
    /// The next `ompt_start_tool` in the address space, if the multiplexer is in it.
    Next,
}

/// The entries of a list, each with its alternatives. Empty names are ignored.
pub(crate) fn parse(list: &OsStr) -> Vec<Vec<Source>> {
    let entries = list.as_bytes().trim_ascii().split(|&byte| byte == b':');
    entries
        .map(|entry| {
            let names = entry.split(|&byte| byte == b'|').filter(|name| !name.is_empty());
            names.map(source).collect::<Vec<_>>()
        })
        .filter(|alternatives| !alternatives.is_empty())
        .collect()
}

fn source(name: &[u8]) -> Source {
    match name {
        b"@next" => Source::Next,
        name => Source::Library(PathBuf::from(OsStr::from_bytes(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, parse};

    fn library(name: &str) -> Source {
        Source::Library(name.into())
    }

    #[test]
    fn a_list_has_entries_and_entries_have_alternatives() {
        assert_eq!(parse("".as_ref()), [[]; 0]);
        assert_eq!(parse(" :|: ".trim().as_ref()), [[]; 0]);
        assert_eq!(parse("/a.so::b.so".as_ref()), [[library("/a.so")], [library("b.so")]]);
        assert_eq!(
            parse(" @next|/a b.so|c.so:d.so ".as_ref()),
            [vec![Source::Next, library("/a b.so"), library("c.so")], vec![library("d.so")]]
        );
    }
}
