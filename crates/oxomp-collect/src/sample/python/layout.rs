//! Where CPython keeps its threads, frames, code objects and texts: what differs between versions.
//!
//! Up to 3.12 the numbers are listed ([`super::listed`]). Since 3.13 the interpreter tells most of
//! them itself ([`super::described`]).

use oxomp_trace::python::LineForm;

use super::described;
use super::listed;

/// The offsets that a walk needs, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// `_PyRuntimeState.interpreters.head`, as an address.
    pub(super) interpreters: u64,
    /// `PyInterpreterState.next`.
    pub(super) next_interpreter: u64,
    /// `PyInterpreterState.threads.head`.
    pub(super) threads: u64,
    /// `PyThreadState.prev`, `.next`, `.interp` and `.thread_id`.
    pub(super) previous_thread: u64,
    pub(super) next_thread: u64,
    pub(super) interpreter: u64,
    pub(super) thread: u64,
    /// How a thread's frames are linked.
    pub(super) chain: Chain,
    pub(super) frame: FrameLayout,
    pub(super) code: CodeLayout,
    pub(super) object: ObjectLayout,
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
    /// The bits of the word at `code` that do not belong to the code object's address: since 3.14
    /// the word is a `_PyStackRef`.
    pub(super) tags: u64,
    pub(super) previous: u64,
    pub(super) instruction: Instruction,
    /// Where the copies of a function's bytecode are, of an interpreter in which each thread
    /// executes a copy of its own (free-threaded, 3.14).
    pub(super) copies: Option<Copies>,
}

/// Copies of bytecode. Instructions of a frame are in the one whose number the frame has; number 0
/// is the bytecode in the code object itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Copies {
    /// `_PyInterpreterFrame.tlbc_index`.
    pub(super) number: u64,
    /// `PyCodeObject.co_tlbc`, the address of a `_PyCodeArray`: a word with the number of copies,
    /// and the address of each.
    pub(super) all: u64,
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
pub(super) const CODE_HEAD: usize = 160;
/// Room for the head of every object that is read: of its text, up to the state, and of its bytes.
pub(super) const OBJECT_HEAD: usize = 56;

/// The heads of objects. What follows the address of the type has the same distance from it in
/// every version.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObjectLayout {
    /// `PyObject.ob_type`.
    pub(super) kind: usize,
    /// In `PyASCIIObject.state`, the bit with which the three begin that have the bytes of a
    /// character. Behind them is one that says that the characters follow, and one that all are
    /// ASCII.
    pub(super) text_form: u32,
    /// `sizeof(PyASCIIObject)` and `sizeof(PyCompactUnicodeObject)`.
    pub(super) ascii_size: u64,
    pub(super) compact_size: u64,
}

impl ObjectLayout {
    /// The largest place of the type: that of interpreters without their lock.
    pub(super) const LAST_KIND: usize = 24;

    /// `PyVarObject.ob_size`.
    pub(super) fn size(&self) -> usize {
        self.kind + 8
    }

    /// Where the bytes of a `PyBytesObject` begin.
    pub(super) fn bytes(&self) -> usize {
        self.kind + 24
    }

    /// `PyASCIIObject.length`.
    pub(super) fn text_length(&self) -> usize {
        self.kind + 8
    }

    /// `PyASCIIObject.state`.
    pub(super) fn text_state(&self) -> usize {
        self.kind + 24
    }
}

/// Why the frames of an interpreter are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    UnknownVersion,
    Unexpected,
}

impl Layout {
    /// The layout of version 3.`minor`, whose `_PyRuntime` is at `runtime`.
    pub(super) fn of(minor: u8, runtime: u64) -> Result<Self, Unread> {
        match listed::layout(minor, runtime) {
            Some(layout) => Ok(layout),
            None => described::layout(minor, runtime),
        }
    }

    /// Whether the offsets may be those of an interpreter.
    pub(super) fn is_possible(&self) -> bool {
        /// More than the size of any structure.
        const MOST: u64 = 1 << 20;
        let CodeLayout { name, file, lines, first_line, other, instructions } = self.code;
        let code = [name, file, lines, first_line, other];
        let copies = self.frame.copies.map_or([0; 2], |copies| [copies.number, copies.all]);
        let others = [
            self.next_interpreter,
            self.threads,
            self.previous_thread,
            self.next_thread,
            self.interpreter,
            self.thread,
            self.frame.code,
            self.frame.previous,
            instructions,
            self.object.ascii_size,
        ];
        code.iter().all(|&at| at <= CODE_HEAD as u64 - 8)
            && others.iter().chain(&copies).all(|&at| at < MOST)
    }
}
