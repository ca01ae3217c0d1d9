//! Answers of look-ups that outlive the files they were read from: a program that is rebuilt has
//! another build id, and the recording of the old one would lose its names.
//!
//! As text, they are a JSON document.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::instructions::{AtomicUpdate, MemoryAccess};
use crate::module::Known;
use crate::site::SiteModule;
use crate::sources::Findings;

/// The version of the text; another one is not read.
const VERSION: u32 = 2;

/// The answers about one file, by address: of one kind of look-up in each map. What is not known of
/// an address is not kept.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Answers {
    /// Function and line.
    pub(crate) names: BTreeMap<u64, Known>,
    /// Functions and lines, those of inlined functions first.
    pub(crate) inlined: BTreeMap<u64, Vec<Known>>,
    /// The outlined function of the construct whose call returns to the address.
    pub(crate) outlined: BTreeMap<u64, u64>,
    /// The outlined function of the construct with which the function at the address ends.
    pub(crate) outlined_at_end: BTreeMap<u64, u64>,
    /// The name of the variable that holds the address.
    pub(crate) variables: BTreeMap<u64, String>,
    /// The outlined function that holds the address.
    pub(crate) body: BTreeMap<u64, Known>,
    /// The outlined functions of the constructs that share the call which returns to the address.
    pub(crate) bodies: BTreeMap<u64, Known>,
    /// Begin and end of the function that holds the address.
    pub(crate) extents: BTreeMap<u64, (u64, u64)>,
    /// The atomic update at the address or before it.
    pub(crate) updates: BTreeMap<u64, AtomicUpdate>,
    /// The begin of the loop around the address that waits for memory to change.
    pub(crate) spin_loops: BTreeMap<u64, u64>,
    /// What the instructions around the address use in memory.
    pub(crate) accesses: BTreeMap<u64, Vec<MemoryAccess>>,
}

/// The map of [`Answers`] for a kind of look-up.
pub(crate) type Kind<A> = fn(&mut Answers) -> &mut BTreeMap<u64, A>;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Of each binary file, with its path and build id.
    files: BTreeMap<(String, Vec<u8>), Answers>,
    /// In sources.
    pub(crate) sources: Findings,
}

/// The text.
#[derive(Debug, Serialize, Deserialize)]
struct Document {
    version: u32,
    files: Vec<FileAnswers>,
    #[serde(default)]
    sources: Findings,
}

/// The part of the text about one file.
#[derive(Debug, Serialize, Deserialize)]
struct FileAnswers {
    path: String,
    build_id: Vec<u8>,
    answers: Answers,
}

impl Memory {
    /// Keeps the answer about an address of the file.
    pub(crate) fn keep<A>(&mut self, module: &SiteModule, kind: Kind<A>, address: u64, answer: A) {
        let file = (module.path.clone(), module.build_id.clone());
        kind(self.files.entry(file).or_default()).insert(address, answer);
    }

    /// The answer about an address of the file, if one was kept.
    pub(crate) fn answer<A: Clone>(
        &mut self,
        module: &SiteModule,
        kind: Kind<A>,
        address: u64,
    ) -> Option<A> {
        let answers = self.files.get_mut(&(module.path.clone(), module.build_id.clone()))?;
        kind(answers).get(&address).cloned()
    }

    /// All answers as text.
    pub(crate) fn into_text(self) -> String {
        let files = self.files.into_iter();
        let files =
            files.map(|((path, build_id), answers)| FileAnswers { path, build_id, answers });
        let document = Document { version: VERSION, files: files.collect(), sources: self.sources };
        serde_json::to_string(&document).expect("the keys are strings or numbers")
    }

    /// Adds the answers of a text, unless it is damaged or of another version.
    pub(crate) fn add_text(&mut self, text: &str) {
        let Ok(document) = serde_json::from_str::<Document>(text) else { return };
        if document.version == VERSION {
            let files = document.files.into_iter();
            self.files.extend(files.map(|file| ((file.path, file.build_id), file.answers)));
            self.sources.add(document.sources);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::module::Known;
    use crate::site::SiteModule;

    fn module(path: &str) -> SiteModule {
        SiteModule { path: path.to_owned(), file: path.into(), build_id: vec![0xab, 1], offset: 0 }
    }

    fn line(function: Option<&str>) -> Known {
        let function = function.map(str::to_owned);
        Known::Line { function, file: "/src/a b.c".to_owned(), line: 7 }
    }

    #[test]
    fn answers_survive_as_text() {
        let app = module("/bin/my\tapp");
        let chain =
            vec![line(None), Known::Function("f".to_owned()), Known::Behind("g".to_owned())];
        let mut memory = Memory::default();
        memory.keep(&app, |file| &mut file.names, 1, line(Some("relax<int>")));
        memory.keep(&app, |file| &mut file.inlined, 2, chain.clone());
        memory.keep(&app, |file| &mut file.outlined, u64::MAX, 0x1234);
        let mut read = Memory::default();
        read.add_text(&memory.into_text());
        let name = read.answer(&app, |file| &mut file.names, 1);
        assert_eq!(name, Some(line(Some("relax<int>"))));
        assert_eq!(read.answer(&app, |file| &mut file.inlined, 2), Some(chain));
        assert_eq!(read.answer(&app, |file| &mut file.outlined, u64::MAX), Some(0x1234));
        assert_eq!(read.answer(&app, |file| &mut file.outlined, 2), None);
        assert_eq!(read.answer(&module("/bin/other"), |file| &mut file.names, 1), None);
    }

    #[test]
    fn a_text_that_is_damaged_or_of_another_version_is_not_read() {
        let mut memory = Memory::default();
        memory.keep(&module("/a"), |file| &mut file.outlined, 1, 2);
        let text = memory.into_text();
        for text in [&text[..text.len() - 1], &text.replace("\"version\":2", "\"version\":3"), ""] {
            let mut read = Memory::default();
            read.add_text(text);
            assert_eq!(read.answer(&module("/a"), |file| &mut file.outlined, 1), None, "{text}");
        }
    }
}
