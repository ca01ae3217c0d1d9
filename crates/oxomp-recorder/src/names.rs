//! Text for the values of records: names by first appearance for what they hold as words and
//! addresses.

use std::collections::HashMap;
use std::hash::Hash;

use ompt::CodePtr;
use ompt::report_2015::ThreadId;

use crate::form::{frame, graphic};
use crate::ids::{Kind, Word};
use crate::modules::Modules;
use crate::value::{Numbered, Value};

/// Numbers by first appearance, from 1.
#[derive(Debug)]
pub(crate) struct Appearance<K>(HashMap<K, usize>);

impl<K: Eq + Hash> Appearance<K> {
    pub(crate) fn new() -> Self {
        Self(HashMap::new())
    }

    pub(crate) fn number(&mut self, key: K) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry(key).or_insert(next)
    }
}

/// The names of everything that has appeared.
#[derive(Debug)]
pub(crate) struct Names {
    modules: Modules,
    parallels: Appearance<u64>,
    tasks: Appearance<u64>,
    waits: Appearance<u64>,
    maps: Appearance<u64>,
    variables: Appearance<u64>,
    /// The thread of each id of the report, and the id of each thread.
    of_ids: HashMap<ThreadId, usize>,
    ids: HashMap<usize, ThreadId>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self {
            modules: Modules::loaded(),
            parallels: Appearance::new(),
            tasks: Appearance::new(),
            waits: Appearance::new(),
            maps: Appearance::new(),
            variables: Appearance::new(),
            of_ids: HashMap::new(),
            ids: HashMap::new(),
        }
    }

    /// The text of a value that `thread` has recorded; `None` if the log does not have it.
    pub(crate) fn text(&mut self, value: Value, thread: usize) -> Option<String> {
        Some(match value {
            Value::Bits(bits, text) => text(bits),
            Value::Word(kind, word) => self.word(kind, word),
            Value::Number(of, number) => self.number(of, number),
            Value::Id(_, 0) => "zero".into(),
            Value::Id(of, id) => self.number(of, id),
            Value::WaitId(wait_id) if wait_id.0 == 0 => "0".into(),
            Value::WaitId(wait_id) => self.number(Numbered::Wait, wait_id.0),
            Value::ThreadId(id, answer) => self.thread_id(thread, id, answer).into(),
            Value::Code(codeptr) => self.codeptr(codeptr),
            Value::Frame(address) => frame(address),
            Value::Chunk(start, iterations) => format!("{start}+{iterations}"),
            Value::Place(true, device) => format!("set@{device}"),
            Value::Place(false, device) => format!("null@{device}"),
            Value::Text(part) => graphic(part.bytes()),
            Value::Dirty(0) => return None,
            Value::Dirty(word) => format!("{word:#x}"),
        })
    }

    fn number(&mut self, of: Numbered, number: u64) -> String {
        let (letter, appearance) = match of {
            Numbered::Parallel => ('p', &mut self.parallels),
            Numbered::Task => ('t', &mut self.tasks),
            Numbered::Wait => ('w', &mut self.waits),
            Numbered::Map => ('m', &mut self.maps),
            Numbered::Variable => ('v', &mut self.variables),
        };
        format!("{letter}{}", appearance.number(number))
    }

    fn word(&mut self, kind: Kind, word: Word) -> String {
        match (word, kind) {
            (Word::NULL, _) => "null".into(),
            (Word::ZERO, _) => "zero".into(),
            _ if !word.is(kind) => format!("bad:{:#x}", word.value()),
            (_, Kind::Task) => self.number(Numbered::Task, word.value()),
            _ => self.number(Numbered::Parallel, word.value()),
        }
    }

    fn codeptr(&self, codeptr: CodePtr) -> String {
        match codeptr.is_null() {
            true => "null".into(),
            false => self.modules.describe(codeptr.0),
        }
    }

    /// Whether the id in an event belongs to the calling thread and to no other.
    fn thread_id(
        &mut self,
        thread: usize,
        id: Option<ThreadId>,
        answer: Option<ThreadId>,
    ) -> &'static str {
        let Some(id) = id else { return "zero" };
        let is_own = answer == Some(id)
            && *self.of_ids.entry(id).or_insert(thread) == thread
            && *self.ids.entry(thread).or_insert(id) == id;
        if is_own { "own" } else { "wrong" }
    }
}
