//! The layouts of CPython 3.9 to 3.12.
//!
//! The numbers are facts of the interpreter's ABI, the same for every release of a minor version
//! and both processors: `offsetof` of the fields that [`Layout`] names, in the headers of a release
//! of that version (`Include/internal/pycore_runtime.h`, `pycore_interp.h`, `pycore_frame.h`,
//! `cpython/pystate.h`, `cpython/code.h`, `cpython/frameobject.h`).

use oxomp_trace::python::LineForm;

use super::layout::{Chain, CodeLayout, FrameLayout, Instruction, Layout, ObjectLayout};

/// The layout of version 3.`minor`, whose `_PyRuntime` is at `runtime`, if it is listed.
pub(super) fn layout(minor: u8, runtime: u64) -> Option<Layout> {
    let layout = of_3_9(runtime);
    Some(match minor {
        9 => layout,
        10 => Layout {
            chain: Chain::Marked { frame: 24, mark: 48, previous: 8 },
            frame: FrameLayout {
                instruction: Instruction::Index { at: 96, unit: 2 },
                ..layout.frame
            },
            lines: LineForm::Ranges,
            ..layout
        },
        11 => Layout {
            interpreters: runtime.wrapping_add(40),
            threads: 16,
            thread: 152,
            chain: Chain::Entries { mark: 56, frame: 8, previous: 16, is_entry: 68 },
            frame: FrameLayout {
                code: 32,
                previous: 48,
                instruction: Instruction::Address { at: 56 },
                ..layout.frame
            },
            code: CodeLayout {
                name: 128,
                file: 112,
                lines: 136,
                first_line: 72,
                other: 24,
                instructions: 184,
            },
            lines: LineForm::Locations,
            ..layout
        },
        12 => Layout {
            interpreters: runtime.wrapping_add(40),
            threads: 72,
            thread: 136,
            chain: Chain::Frames { mark: 56, frame: 0, owner: 70, on_stack: 3 },
            frame: FrameLayout {
                code: 0,
                previous: 8,
                instruction: Instruction::Address { at: 56 },
                ..layout.frame
            },
            code: CodeLayout {
                name: 128,
                file: 112,
                lines: 136,
                first_line: 68,
                other: 24,
                instructions: 192,
            },
            object: ObjectLayout { ascii_size: 40, compact_size: 56, ..layout.object },
            lines: LineForm::Locations,
            ..layout
        },
        _ => return None,
    })
}

fn of_3_9(runtime: u64) -> Layout {
    Layout {
        interpreters: runtime.wrapping_add(32),
        next_interpreter: 0,
        threads: 8,
        previous_thread: 0,
        next_thread: 8,
        interpreter: 16,
        thread: 176,
        chain: Chain::Unmarked { frame: 24 },
        frame: FrameLayout {
            code: 32,
            tags: 0,
            previous: 24,
            instruction: Instruction::Index { at: 104, unit: 1 },
            copies: None,
        },
        code: CodeLayout {
            name: 112,
            file: 104,
            lines: 120,
            first_line: 40,
            other: 56,
            instructions: 0,
        },
        object: ObjectLayout { kind: 8, text_form: 2, ascii_size: 48, compact_size: 72 },
        lines: LineForm::Increments,
    }
}
