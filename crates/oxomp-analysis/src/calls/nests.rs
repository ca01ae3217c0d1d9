//! The lines of doacross loop nests with sinks.

use std::collections::BTreeMap;

use oxomp_trace::{FoldKind, Profile};

use super::builder::Builder;
use super::code::Code;

/// File and line of each nest, by the code address of its worksharing construct.
pub(super) fn nests(mut builder: Builder<'_>, profile: &Profile) -> BTreeMap<u64, (String, u32)> {
    let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
    let mut lines = BTreeMap::new();
    for entry in entries.filter(|entry| entry.fold_kind() == Some(FoldKind::Sinks)) {
        let code = entry.key[0];
        // The call is before the address to which it returns.
        if let Some(call) = code.checked_sub(1)
            && !lines.contains_key(&code)
            && let Code::User(frames) = builder.code(call)
            && let Some(line) = frames.into_iter().rev().find_map(|frame| frame.line)
        {
            lines.insert(code, line);
        }
    }
    lines
}
