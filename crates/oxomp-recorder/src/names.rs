//! Names for what records hold as words and addresses, by first appearance.

use std::collections::HashMap;
use std::hash::Hash;

use ompt::{CodePtr, DependenceKind, DispatchInstance, WaitId};

use crate::ids::{Kind, Word};
use crate::modules::Modules;

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
    parallels: Appearance<Word>,
    tasks: Appearance<Word>,
    waits: Appearance<u64>,
    variables: Appearance<u64>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self {
            modules: Modules::loaded(),
            parallels: Appearance::new(),
            tasks: Appearance::new(),
            waits: Appearance::new(),
            variables: Appearance::new(),
        }
    }

    fn word(&mut self, word: Word, kind: Kind) -> String {
        match word {
            Word::NULL => "null".into(),
            Word::ZERO => "zero".into(),
            _ if !word.is(kind) => format!("bad:{:#x}", word.value()),
            _ if kind == Kind::Task => format!("t{}", self.tasks.number(word)),
            _ => format!("p{}", self.parallels.number(word)),
        }
    }

    pub(crate) fn parallel(&mut self, word: Word) -> String {
        self.word(word, Kind::Parallel)
    }

    pub(crate) fn task(&mut self, word: Word) -> String {
        self.word(word, Kind::Task)
    }

    pub(crate) fn wait_id(&mut self, wait_id: WaitId) -> String {
        match wait_id.0 {
            0 => "0".into(),
            wait_id => format!("w{}", self.waits.number(wait_id)),
        }
    }

    pub(crate) fn codeptr(&self, codeptr: CodePtr) -> String {
        match codeptr.is_null() {
            true => "null".into(),
            false => self.modules.describe(codeptr.0),
        }
    }

    pub(crate) fn instance(&self, instance: DispatchInstance) -> (String, String) {
        let (kind, text) = match instance {
            DispatchInstance::Iteration(number) => ("iteration", number.to_string()),
            DispatchInstance::Section(codeptr) => ("section", self.codeptr(codeptr)),
            DispatchInstance::WsLoopChunk(chunk) => {
                ("ws_loop_chunk", format!("{}+{}", chunk.start, chunk.iterations))
            }
            DispatchInstance::TaskloopChunk(chunk) => {
                ("taskloop_chunk", format!("{}+{}", chunk.start, chunk.iterations))
            }
            DispatchInstance::DistributeChunk(chunk) => {
                ("distribute_chunk", format!("{}+{}", chunk.start, chunk.iterations))
            }
            DispatchInstance::Unknown { kind, instance } => {
                return (kind.to_string(), format!("{instance:#x}"));
            }
        };
        (kind.into(), text)
    }

    pub(crate) fn variable(&mut self, kind: DependenceKind, variable: u64) -> String {
        match kind {
            DependenceKind::Source | DependenceKind::Sink => variable.to_string(),
            _ => format!("v{}", self.variables.number(variable)),
        }
    }
}
