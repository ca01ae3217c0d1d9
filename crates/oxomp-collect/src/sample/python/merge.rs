//! The functions of Python in the place of the native frames that execute them.
//!
//! A call of the evaluator has a mark on the native stack, and the functions that it executes stand
//! for the native frame in which the mark lies. So code that Python calls stays between the
//! functions that called it and those that it calls. The interpreter's other frames are left out.

use oxomp_trace::python::PythonAddress;

use super::bytecode;
use super::codes::{Codes, NONE};
use super::frames::{Frame, Frames};
use super::interpreter::{Interpreter, interpreter};
use super::layout::{Chain, Layout};
use crate::sample::stack::Reader;
use crate::store::Store;

/// Frames of a path with functions of Python that are kept: the innermost ones.
pub(in crate::sample) const MOST: usize = 1024;

/// What a walk needs for functions of Python. Zeros are valid once [`Codes::prepare`] was called
/// for its part of them.
#[derive(Debug)]
pub(in crate::sample) struct Python {
    frames: Frames,
    pub(in crate::sample) codes: Codes,
    merged: [u64; MOST],
}

/// A thread's native stack as far as it was walked.
#[derive(Debug, Clone, Copy)]
pub(in crate::sample) struct Walked<'a> {
    /// The stack pointer of the innermost frame.
    pub(in crate::sample) begin: u64,
    /// Where each frame ends on the stack, the innermost first.
    pub(in crate::sample) ends: &'a [u64],
    /// Whether the outermost frame is among them.
    pub(in crate::sample) is_whole: bool,
    /// The thread's pthread_self.
    pub(in crate::sample) thread: u64,
}

impl Python {
    /// Puts functions of Python into the path in `frames`, the innermost first; returns its length,
    /// and whether it is whole. The thread does not run.
    pub(in crate::sample) fn add(
        &mut self,
        reader: &mut Reader,
        store: &Store,
        frames: &mut [u64; MOST],
        walked: Walked<'_>,
    ) -> (usize, bool) {
        let depth = walked.ends.len();
        let unchanged = (depth, walked.is_whole);
        let Some((interpreter, layout)) = interpreter() else { return unchanged };
        let natives = &frames[..depth];
        if walked.is_whole && !natives.iter().any(|&address| interpreter.has(address)) {
            // Where the interpreter shares a file with other code, only its evaluator is known.
            return unchanged;
        }
        self.frames.read(reader, layout, walked.thread);
        if self.frames.count == 0 {
            return unchanged;
        }
        if let Chain::Unmarked { .. } = layout.chain {
            self.mark(interpreter, natives, walked);
        }
        let found = &mut self.frames.frames[..self.frames.count];
        bytecode::put_in_own(layout, found);
        self.codes.find(store, (interpreter, layout), found);
        let is_whole = walked.is_whole && self.frames.is_whole;
        (self.merge(interpreter, layout, frames, walked), is_whole)
    }

    /// Marks the frames by the evaluator's native ones, of which each executes one.
    fn mark(&mut self, interpreter: &Interpreter, natives: &[u64], walked: Walked<'_>) {
        let (begin, end) = interpreter.evaluator;
        let is_evaluator = |address: u64| (begin..end).contains(&address);
        let ends = || {
            let calls = natives.iter().zip(walked.ends);
            calls
                .filter(|(address, _)| is_evaluator(**address))
                .map(|(_, end)| end.saturating_sub(8))
        };
        let calls = ends().count();
        let frames = &mut self.frames.frames[..self.frames.count];
        // The outermost ones belong together: the innermost call may not have its frame yet, or be
        // in a part of the evaluator that is not known.
        let is_whole = walked.is_whole && self.frames.is_whole;
        let begun = if is_whole { calls.saturating_sub(frames.len()) } else { 0 };
        let more = if is_whole { frames.len().saturating_sub(calls) } else { 0 };
        let first = ends().next().unwrap_or(u64::MAX);
        let marks = ends().skip(begun).chain(std::iter::repeat(u64::MAX));
        for (frame, mark) in frames.iter_mut().zip(std::iter::repeat_n(first, more).chain(marks)) {
            frame.mark = mark;
        }
    }

    fn merge(
        &mut self,
        interpreter: &Interpreter,
        layout: &Layout,
        path: &mut [u64; MOST],
        walked: Walked<'_>,
    ) -> usize {
        let mut length = 0;
        let mut push = |address| {
            if let Some(place) = self.merged.get_mut(length) {
                *place = address;
                length += 1;
            }
        };
        let frames = &self.frames.frames[..self.frames.count];
        let mut pythons = frames.iter().zip(&self.codes.of_frames).peekable();
        let address = |(frame, code): (&Frame, &u32)| {
            PythonAddress { code: *code, offset: frame.offset(layout) }.encode()
        };
        for (&native, &end) in path.iter().zip(walked.ends) {
            let mut is_replaced = false;
            while let Some(python) = pythons.next_if(|(frame, _)| frame.mark < end) {
                // A mark before the stack's end is that of a call that has returned.
                if python.0.mark >= walked.begin && *python.1 != NONE {
                    push(address(python));
                    is_replaced = true;
                }
            }
            if !is_replaced && !interpreter.has(native) {
                push(native);
            }
        }
        if !walked.is_whole {
            for python in pythons.filter(|(_, code)| **code != NONE) {
                push(address(python));
            }
        }
        path[..length].copy_from_slice(&self.merged[..length]);
        length
    }
}
