//! The process's interpreter.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use oxomp_trace::info::Python;

use super::layout::Layout;

/// Null until one is found. It is never freed.
static INTERPRETER: AtomicPtr<Interpreter> = AtomicPtr::new(ptr::null_mut());

/// An interpreter of Python.
#[derive(Debug)]
pub(super) struct Interpreter {
    /// What the recording says of it.
    pub(super) found: Python,
    /// Where its data lie; `None` if its frames are not read.
    pub(super) layout: Option<Layout>,
    /// The begin and the end of each part of its code, in order: all of its module, if that has no
    /// other code.
    pub(super) code: Vec<(u64, u64)>,
    /// The addresses of the function that executes bytecode.
    pub(super) evaluator: (u64, u64),
    /// The addresses of the types of code objects and of texts.
    pub(super) code_type: u64,
    pub(super) text_type: u64,
}

/// Whether there is an interpreter. Signal-safe.
pub(in crate::sample) fn is_there() -> bool {
    !INTERPRETER.load(Ordering::Relaxed).is_null()
}

/// The interpreter, if there is one whose frames are read. Signal-safe.
pub(super) fn interpreter() -> Option<(&'static Interpreter, &'static Layout)> {
    let interpreter = any_interpreter()?;
    Some((interpreter, interpreter.layout.as_ref()?))
}

/// What the recording says of the interpreter, if there is one.
pub(crate) fn found() -> Option<Python> {
    any_interpreter().map(|interpreter| interpreter.found)
}

/// From now on walks use this interpreter.
pub(super) fn publish(interpreter: Interpreter) {
    // Release: pairs with the Acquire in `any_interpreter`.
    INTERPRETER.store(Box::into_raw(Box::new(interpreter)), Ordering::Release);
}

fn any_interpreter() -> Option<&'static Interpreter> {
    // Acquire: pairs with the Release in `publish`.
    // SAFETY: null, or an interpreter that is never freed or changed.
    unsafe { INTERPRETER.load(Ordering::Acquire).as_ref() }
}

impl Interpreter {
    /// Whether the code at `address` is the interpreter's own.
    pub(super) fn has(&self, address: u64) -> bool {
        let next = self.code.partition_point(|part| part.0 <= address);
        let part = next.checked_sub(1).map(|last| self.code[last]);
        let is_in = |(begin, end): (u64, u64)| (begin..end).contains(&address);
        part.is_some_and(is_in) || is_in(self.evaluator)
    }
}
