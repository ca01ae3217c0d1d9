//! The mappings of a process's address space.

use std::ops::Range;

/// One mapping, as a line of `/proc/PID/maps` tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) range: Range<u64>,
    pub(crate) readable: bool,
    pub(crate) executable: bool,
    /// Offset of the mapping's first byte in the file.
    pub(crate) offset: u64,
    /// Device, as `maj:min`, and inode of the mapped file; `None` for anonymous memory.
    pub(crate) file: Option<(String, u64)>,
    /// Path of the file in the process's own root, `[vdso]` and the like, or empty.
    pub(crate) path: String,
    /// Whether the file was unlinked since it was mapped.
    pub(crate) deleted: bool,
}

/// Reads the text of `/proc/PID/maps`; a line that is not understood is left out.
pub(crate) fn parse(text: &str) -> Vec<Mapping> {
    text.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut field = || {
        let (first, others) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = others.trim_start_matches(' ');
        first
    };
    let (start, end) = field().split_once('-')?;
    let range = u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?;
    let permissions = field();
    let offset = u64::from_str_radix(field(), 16).ok()?;
    let device = field().to_owned();
    let inode: u64 = field().parse().ok()?;
    let (path, deleted) = match rest.strip_suffix(" (deleted)") {
        Some(path) => (path, true),
        None => (rest, false),
    };
    Some(Mapping {
        range,
        readable: permissions.starts_with('r'),
        executable: permissions.contains('x'),
        offset,
        file: (inode != 0).then_some((device, inode)),
        // The kernel writes a line's end within a name as an octal number.
        path: path.replace("\\012", "\n"),
        deleted,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_of_all_kinds_are_read() {
        let text = "55d0a000-55d0b000 r-xp 00002000 fe:01 1234   /opt/my app (deleted)\n\
                    7f00000-7f01000 rw-p 00000000 00:00 0 \n\
                    nonsense\n\
                    7fff000-7fff800 r-xp 00000000 00:00 0    [vdso]\n";
        let found = parse(text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0].path, "/opt/my app");
        assert!(found[0].deleted && found[0].executable && found[0].readable);
        assert_eq!(found[0].file, Some(("fe:01".to_owned(), 1234)));
        assert_eq!((found[0].offset, found[0].range.start), (0x2000, 0x55d0_a000));
        assert_eq!((found[1].path.as_str(), &found[1].file), ("", &None));
        assert_eq!(found[2].path, "[vdso]");
    }
}
