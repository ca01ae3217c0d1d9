//! The layouts that the interpreter describes itself: since 3.13 `_PyRuntime` begins with a table
//! of offsets, `_Py_DebugOffsets`, in words. It also says whether the interpreter was built without
//! its lock, which changes the offsets, and nothing in where the table has them.
//!
//! Each version has further words among the earlier ones. Where they are is a fact of the version's
//! headers (`pycore_runtime.h` of 3.13, `pycore_debug_offsets.h` since 3.14).

use oxomp_trace::python::LineForm;

use super::layout::{
    Chain, CodeLayout, Copies, FrameLayout, Instruction, Layout, ObjectLayout, Unread,
};
use crate::sample::memory;

/// Words of the longest table up to the last one that is used.
const WORDS: usize = 93;

/// The words with which the parts of the table begin: the size of each structure. The runtime's
/// state and the interpreter's come first, in the same places in every version.
#[derive(Debug, Clone, Copy)]
struct Parts {
    thread: usize,
    /// The word with `PyThreadState.thread_id`, in the part before, which that with
    /// `.native_thread_id` follows.
    thread_id: usize,
    frame: usize,
    code: usize,
    object: usize,
    bytes: usize,
    text: usize,
}

impl Parts {
    /// Those of version 3.`minor`, if it is known.
    fn of(minor: u8) -> Option<Self> {
        Some(match minor {
            13 => Self {
                thread: 19,
                thread_id: 24,
                frame: 28,
                code: 34,
                object: 44,
                bytes: 64,
                text: 67,
            },
            14 => Self {
                thread: 22,
                thread_id: 27,
                frame: 31,
                code: 39,
                object: 50,
                bytes: 74,
                text: 77,
            },
            15 => Self {
                thread: 22,
                thread_id: 30,
                frame: 39,
                code: 47,
                object: 58,
                bytes: 86,
                text: 89,
            },
            _ => return None,
        })
    }
}

/// The table, as it was read.
struct Table([u8; WORDS * 8]);

impl Table {
    fn word(&self, at: usize) -> u64 {
        let bytes = self.0.get(at * 8..at * 8 + 8).and_then(|word| word.try_into().ok());
        bytes.map_or(0, u64::from_ne_bytes)
    }
}

/// The layout of version 3.`minor`, whose `_PyRuntime` is at `runtime`.
pub(super) fn layout(minor: u8, runtime: u64) -> Result<Layout, Unread> {
    let parts = Parts::of(minor).ok_or(Unread::UnknownVersion)?;
    let mut table = Table([0; WORDS * 8]);
    if !memory::copy(runtime, &mut table.0) {
        return Err(Unread::Unexpected);
    }
    in_table(minor, parts, &table, runtime).ok_or(Unread::Unexpected)
}

/// The layout in the table, if it is one.
fn in_table(minor: u8, parts: Parts, table: &Table, runtime: u64) -> Option<Layout> {
    const COOKIE: u64 = u64::from_ne_bytes(*b"xdebugpy");
    let word = |at: usize| table.word(at);
    let (version, is_free_threaded) = (word(1), word(2) != 0);
    if word(0) != COOKIE || version >> 16 & 0xff != minor.into() {
        return None;
    }
    let kind = usize::try_from(word(parts.object + 1)).ok()?;
    if kind > ObjectLayout::LAST_KIND {
        return None;
    }
    // Without its lock, the interpreter has a byte of its own for what it must change atomically.
    let text_form = if is_free_threaded && minor >= 14 { 8 } else { 2 };
    let copies = Copies { number: word(parts.frame + 7), all: word(parts.code + 10) };
    let layout = Layout {
        interpreters: runtime.wrapping_add(word(5)),
        next_interpreter: word(8),
        threads: word(9),
        previous_thread: word(parts.thread + 1),
        next_thread: word(parts.thread + 2),
        interpreter: word(parts.thread + 3),
        thread: word(parts.thread_id),
        chain: Chain::Frames {
            mark: 0,
            frame: word(parts.thread + 4),
            owner: word(parts.frame + 5),
            on_stack: 3,
        },
        frame: FrameLayout {
            code: word(parts.frame + 2),
            tags: if minor >= 14 { 3 } else { 0 },
            previous: word(parts.frame + 1),
            instruction: Instruction::Address { at: word(parts.frame + 3) },
            copies: (minor >= 14 && copies.all != 0).then_some(copies),
        },
        code: CodeLayout {
            file: word(parts.code + 1),
            name: word(parts.code + 3),
            lines: word(parts.code + 4),
            first_line: word(parts.code + 5),
            other: word(parts.code + 7),
            instructions: word(parts.code + 9),
        },
        object: ObjectLayout {
            kind,
            text_form,
            ascii_size: word(parts.text + 3),
            compact_size: word(parts.text + 3).wrapping_add(16),
        },
        lines: LineForm::Locations,
    };
    let object = layout.object;
    let is_as_known = word(parts.bytes + 1) == object.size() as u64
        && word(parts.bytes + 2) == object.bytes() as u64
        && word(parts.text + 1) == object.text_state() as u64
        && word(parts.text + 2) == object.text_length() as u64;
    (is_as_known && layout.is_possible()).then_some(layout)
}

#[cfg(test)]
mod tests {
    use super::{Parts, Table, WORDS, in_table};
    use crate::sample::python::layout::{Chain, Instruction, Layout};

    /// A table with these words, of a version.
    fn layout(minor: u8, words: &[(usize, u64)]) -> Option<Layout> {
        let mut table = Table([0; WORDS * 8]);
        let version = 3 << 24 | u64::from(minor) << 16 | 0x2f0;
        for &(at, word) in [(0, u64::from_ne_bytes(*b"xdebugpy")), (1, version)].iter().chain(words)
        {
            table.0[at * 8..at * 8 + 8].copy_from_slice(&word.to_ne_bytes());
        }
        in_table(minor, Parts::of(minor)?, &table, 0x10000)
    }

    /// The words of 3.14 with its lock, those without it, and the places of both are as a compiler
    /// has them that reads the headers of 3.14.
    #[test]
    fn an_interpreter_describes_itself() {
        let threads = [(5, 808), (8, 7272), (9, 7344), (24, 8), (25, 16), (26, 72), (27, 152)];
        let frames = [(32, 8), (34, 56), (36, 74)];
        let code = [(40, 112), (42, 128), (43, 136), (44, 68), (46, 96), (48, 208)];
        let objects = [(51, 8), (75, 16), (76, 32), (78, 32), (79, 16), (80, 40)];
        let words = [&threads[..], &frames, &code, &objects].concat();
        let found = layout(14, &words).unwrap();
        assert_eq!((found.interpreters, found.threads, found.thread), (0x10000 + 808, 7344, 152));
        assert!(matches!(
            found.chain,
            Chain::Frames { mark: 0, frame: 72, owner: 74, on_stack: 3 }
        ));
        assert!(matches!(found.frame.instruction, Instruction::Address { at: 56 }));
        assert!(found.frame.copies.is_none());
        assert_eq!((found.frame.tags, found.object.text_form), (3, 2));
        assert_eq!((found.object.ascii_size, found.object.compact_size), (40, 56));
        assert!(layout(13, &words).is_none(), "the words of another version");
        assert!(layout(15, &words).is_none());
        assert!(layout(16, &words).is_none(), "a version that is not known");
        assert!(layout(14, &words[..words.len() - 2]).is_none(), "texts are elsewhere");
    }

    #[test]
    fn an_interpreter_without_its_lock_has_larger_heads_and_copies_of_bytecode() {
        let threads =
            [(2, 1), (5, 808), (8, 7272), (9, 7344), (24, 8), (25, 16), (26, 72), (27, 152)];
        let frames = [(32, 8), (34, 56), (36, 78), (38, 72)];
        let code = [(40, 128), (42, 144), (43, 152), (44, 84), (46, 112), (48, 232), (49, 224)];
        let objects = [(51, 24), (75, 32), (76, 48), (78, 48), (79, 32), (80, 56)];
        let found = layout(14, &[&threads[..], &frames, &code, &objects].concat()).unwrap();
        let copies = found.frame.copies.unwrap();
        assert_eq!((copies.number, copies.all), (72, 224));
        assert_eq!((found.object.kind, found.object.text_form), (24, 8));
        assert_eq!((found.code.lines, found.code.instructions), (152, 232));

        // 3.13 has neither copies nor tagged pointers, and texts as those of other builds.
        let threads =
            [(2, 1), (5, 632), (8, 7264), (9, 7344), (21, 8), (22, 16), (23, 72), (24, 152)];
        let frames = [(29, 8), (31, 56), (33, 70)];
        let code = [(35, 128), (37, 144), (38, 152), (39, 84), (41, 112), (43, 216)];
        let objects = [(45, 24), (65, 32), (66, 48), (68, 48), (69, 32), (70, 56)];
        let found = layout(13, &[&threads[..], &frames, &code, &objects].concat()).unwrap();
        assert!(found.frame.copies.is_none());
        assert_eq!((found.frame.tags, found.object.text_form, found.thread), (0, 2, 152));
    }
}
