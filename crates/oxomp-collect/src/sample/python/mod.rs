//! Functions of Python on call paths: the interpreter's memory tells which functions each call of
//! its evaluator executes.
//!
//! The helper thread finds the interpreter among the loaded modules ([`find`]), by what they export
//! ([`exports`]) or by the program's own table of symbols ([`symbols`]). Its version says where its
//! data lie ([`layout`]): as listed ([`listed`]) or as the interpreter describes itself
//! ([`described`]). A walk that has met code of the interpreter looks for the thread's state in the
//! interpreter's list ([`threads`]), follows its frames ([`frames`]), puts their instructions where
//! tables of lines count from ([`bytecode`]), and puts the functions in the place of the
//! evaluator's native frames ([`merge`]). Each function becomes a number in the recording, with its
//! name, file and lines ([`codes`]).
//!
//! Nothing is called in the interpreter, and none of its locks is taken. The kernel copies what is
//! read, so that memory which has gone is an error. The thread itself does not run meanwhile: what
//! its own frames lead to stays. The lists that other threads change may lead anywhere; what is
//! read counts only if it looks like what it should be, and every list has an end.

mod bytecode;
mod codes;
mod described;
mod exports;
mod find;
mod frames;
mod interpreter;
mod layout;
mod listed;
mod merge;
mod symbols;
mod threads;

pub(super) use codes::{Codes, begin_anew};
pub(super) use find::look_for;
pub(crate) use interpreter::found;
pub(super) use interpreter::is_there;
pub(super) use merge::{MOST as LONGEST, Python, Walked};
