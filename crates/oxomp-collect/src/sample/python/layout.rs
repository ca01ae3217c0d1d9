//! Where CPython keeps its threads, frames and code objects, by version.
//!
//! The numbers are facts of the interpreter's ABI, the same for every release of a minor version
//! and both processors. Those of 3.9 to 3.12 are `offsetof` of the fields named in each line, in
//! the headers of a release of that version (`Include/internal/pycore_runtime.h`,
//! `pycore_interp.h`,
//! `pycore_frame.h`, `cpython/pystate.h`, `cpython/code.h`, `cpython/frameobject.h`). Since 3.13
//! `_PyRuntime` begins with the offsets themselves, `_Py_DebugOffsets`, which the headers of 3.13
//! describe.

use oxomp_trace::python::LineForm;

use crate::sample::memory;

/// The offsets that a walk needs, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// `_PyRuntimeState.interpreters.head`, as an address.
    pub(super) interpreters: u64,
    /// `PyInterpreterState.next`.
    pub(super) next_interpreter: u64,
    /// `PyInterpreterState.threads.head`.
    pub(super) threads: u64,
    /// `PyThreadState.next`, `.interp` and `.thread_id`.
    pub(super) next_thread: u64,
    pub(super) interpreter: u64,
    pub(super) thread: u64,
    /// How a thread's frames are linked.
    pub(super) chain: Chain,
    pub(super) frame: FrameLayout,
    pub(super) code: CodeLayout,
    /// `sizeof(PyASCIIObject)` and `sizeof(PyCompactUnicodeObject)`.
    pub(super) ascii_size: u64,
    pub(super) compact_size: u64,
    /// The form of the tables of lines.
    pub(super) lines: LineForm,
}

/// How a thread's state leads to its frames, and how they tell the call of the evaluator that
/// executes them: by a structure that each such call has on the native stack.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chain {
    /// The state has the innermost frame. Each call of the evaluator executes one frame, and leaves
    /// no mark (3.9).
    Unmarked {
        /// `PyThreadState.frame`.
        frame: u64,
    },
    /// As before, and the state has the innermost call's mark (3.10).
    Marked {
        /// `PyThreadState.frame`.
        frame: u64,
        /// `PyThreadState.cframe` and `CFrame.previous`.
        mark: u64,
        previous: u64,
    },
    /// The innermost call's mark has its innermost frame; the frame with which the call began says
    /// so (3.11).
    Entries {
        /// `PyThreadState.cframe`, `_PyCFrame.current_frame` and `.previous`.
        mark: u64,
        frame: u64,
        previous: u64,
        /// `_PyInterpreterFrame.is_entry`.
        is_entry: u64,
    },
    /// The call's mark is a frame itself, the outermost one of the call (3.12 and later).
    Frames {
        /// `PyThreadState.cframe`, where the word with the innermost frame is (3.12); 0: the state
        /// itself has it.
        mark: u64,
        /// The offset of that word.
        frame: u64,
        /// `_PyInterpreterFrame.owner`, and its least value of marks (`FRAME_OWNED_BY_CSTACK`).
        owner: u64,
        on_stack: u8,
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct FrameLayout {
    pub(super) code: u64,
    pub(super) previous: u64,
    pub(super) instruction: Instruction,
}

/// How a frame tells its instruction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instruction {
    /// An `int` at this offset counts units of so many bytes (`PyFrameObject.f_lasti`).
    Index { at: u64, unit: u32 },
    /// The word at this offset is the address of the instruction.
    Address { at: u64 },
}

/// The fields of `PyCodeObject`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeLayout {
    pub(super) name: u64,
    pub(super) file: u64,
    /// `co_lnotab` or `co_linetable`.
    pub(super) lines: u64,
    pub(super) first_line: u64,
    /// Another pointer, by which code objects differ that have the others in common: `co_consts` or
    /// `co_localsplusnames`.
    pub(super) other: u64,
    /// Where the bytecode begins in the object; 0 where frames count instructions.
    pub(super) instructions: u64,
}

/// Bytes of a code object that are read: its fields up to the table of lines, in every version.
pub(super) const CODE_HEAD: usize = 144;
/// `PyObject.ob_type`, `PyVarObject.ob_size`, and the begin of the bytes of a `PyBytesObject`.
pub(super) const TYPE: usize = 8;
pub(super) const SIZE: usize = 16;
pub(super) const BYTES: u64 = 32;
/// `PyASCIIObject.length` and `.state`: in the state two bits, then three with the bytes of a
/// character, one that says that the characters follow, one that all are ASCII.
pub(super) const LENGTH: usize = 16;
pub(super) const STATE: usize = 32;

/// Why the frames of an interpreter are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    UnknownVersion,
    FreeThreaded,
    Unexpected,
}

impl Layout {
    /// The layout of version 3.`minor`, whose `_PyRuntime` is at `runtime`.
    pub(super) fn of(minor: u8, runtime: u64) -> Result<Self, Unread> {
        let code = CodeLayout {
            name: 112,
            file: 104,
            lines: 120,
            first_line: 40,
            other: 56,
            instructions: 0,
        };
        let frame = |unit, at| FrameLayout {
            previous: 24,
            code: 32,
            instruction: Instruction::Index { at, unit },
        };
        let layout = Self {
            interpreters: runtime.wrapping_add(32),
            next_interpreter: 0,
            threads: 8,
            next_thread: 8,
            interpreter: 16,
            thread: 176,
            chain: Chain::Unmarked { frame: 24 },
            frame: frame(1, 104),
            code,
            ascii_size: 48,
            compact_size: 72,
            lines: LineForm::Increments,
        };
        match minor {
            9 => Ok(layout),
            10 => Ok(Self {
                chain: Chain::Marked { frame: 24, mark: 48, previous: 8 },
                frame: frame(2, 96),
                lines: LineForm::Ranges,
                ..layout
            }),
            11 => Ok(Self {
                interpreters: runtime.wrapping_add(40),
                threads: 16,
                thread: 152,
                chain: Chain::Entries { mark: 56, frame: 8, previous: 16, is_entry: 68 },
                frame: FrameLayout {
                    code: 32,
                    previous: 48,
                    instruction: Instruction::Address { at: 56 },
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
            }),
            12 => Ok(Self {
                interpreters: runtime.wrapping_add(40),
                threads: 72,
                thread: 136,
                chain: Chain::Frames { mark: 56, frame: 0, owner: 70, on_stack: 3 },
                frame: FrameLayout {
                    code: 0,
                    previous: 8,
                    instruction: Instruction::Address { at: 56 },
                },
                code: CodeLayout {
                    name: 128,
                    file: 112,
                    lines: 136,
                    first_line: 68,
                    other: 24,
                    instructions: 192,
                },
                ascii_size: 40,
                compact_size: 56,
                lines: LineForm::Locations,
                ..layout
            }),
            13 => Self::of_itself(runtime),
            _ => Err(Unread::UnknownVersion),
        }
    }

    /// The layout that the interpreter describes itself (3.13).
    fn of_itself(runtime: u64) -> Result<Self, Unread> {
        /// Words of `_Py_DebugOffsets` up to the last one that is used.
        const WORDS: usize = 71;
        const COOKIE: u64 = u64::from_ne_bytes(*b"xdebugpy");
        let mut bytes = [0; WORDS * 8];
        if !memory::copy(runtime, &mut bytes) {
            return Err(Unread::Unexpected);
        }
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at * 8..at * 8 + 8]);
            u64::from_ne_bytes(word)
        };
        if word(0) != COOKIE {
            return Err(Unread::Unexpected);
        }
        if word(2) != 0 {
            return Err(Unread::FreeThreaded);
        }
        let layout = Self {
            interpreters: runtime.wrapping_add(word(5)),
            next_interpreter: word(8),
            threads: word(9),
            next_thread: word(21),
            interpreter: word(22),
            thread: word(24),
            chain: Chain::Frames { mark: 0, frame: word(23), owner: word(33), on_stack: 3 },
            frame: FrameLayout {
                code: word(30),
                previous: word(29),
                instruction: Instruction::Address { at: word(31) },
            },
            code: CodeLayout {
                file: word(35),
                name: word(37),
                lines: word(38),
                first_line: word(39),
                other: word(41),
                instructions: word(43),
            },
            ascii_size: word(70),
            compact_size: word(70).wrapping_add(16),
            lines: LineForm::Locations,
        };
        // The objects' heads have their places in every build of this version.
        let is_as_known = word(45) == TYPE as u64
            && word(65) == SIZE as u64
            && word(66) == BYTES
            && word(68) == STATE as u64
            && word(69) == LENGTH as u64;
        if is_as_known && layout.is_possible() { Ok(layout) } else { Err(Unread::Unexpected) }
    }

    /// Whether the offsets may be those of an interpreter.
    fn is_possible(&self) -> bool {
        /// More than the size of any structure.
        const MOST: u64 = 1 << 20;
        let CodeLayout { name, file, lines, first_line, other, instructions } = self.code;
        let code = [name, file, lines, first_line, other];
        let others = [
            self.next_interpreter,
            self.threads,
            self.next_thread,
            self.interpreter,
            self.thread,
            self.frame.previous,
            instructions,
            self.ascii_size,
        ];
        code.iter().all(|&at| at <= CODE_HEAD as u64 - 8) && others.iter().all(|&at| at < MOST)
    }
}
