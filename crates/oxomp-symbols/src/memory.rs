//! Answers of look-ups that outlive the files they were read from: a program that is rebuilt has
//! another build id, and the recording of the old one would lose its names.
//!
//! As text, an answer is a line of fields that tabs separate: path and build id of the file, the
//! question, the address, the answer.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::module::Known;
use crate::site::SiteModule;

/// The first line of the text; another version is not read.
const FIRST_LINE: &str = "oxomp names 1";

/// The kind of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    /// Function and line.
    Name,
    /// The outlined function of the construct whose call returns to the address.
    Outlined,
    /// The outlined function of the construct with which the function at the address ends.
    OutlinedAtEnd,
    /// The variable that begins at the address.
    Data,
    /// The outlined function that holds the address.
    Body,
    /// The outlined functions of the constructs that share the call which returns to the address.
    Bodies,
}

impl Question {
    const ALL: [(Self, &str); 6] = [
        (Self::Name, "name"),
        (Self::Outlined, "outlined"),
        (Self::OutlinedAtEnd, "end"),
        (Self::Data, "data"),
        (Self::Body, "body"),
        (Self::Bodies, "bodies"),
    ];

    /// Whether the answer is a name, rather than an address.
    fn asks_for_name(self) -> bool {
        matches!(self, Self::Name | Self::Data | Self::Body | Self::Bodies)
    }

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(question, _)| *question == self).map_or("", |(_, word)| word)
    }

    fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(question, _)| *question)
    }
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// To those that ask for a name.
    Name(Known),
    /// To the others.
    Address(Option<u64>),
}

/// File, question and address.
type Key = (String, Vec<u8>, Question, u64);

/// Answers by question.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    answers: BTreeMap<Key, Answer>,
}

fn key(module: &SiteModule, question: Question, address: u64) -> Key {
    (module.path.clone(), module.build_id.clone(), question, address)
}

impl Memory {
    pub(crate) fn keep(&mut self, module: &SiteModule, asked: (Question, u64), answer: Answer) {
        self.answers.insert(key(module, asked.0, asked.1), answer);
    }

    pub(crate) fn answer(&self, module: &SiteModule, asked: (Question, u64)) -> Option<Answer> {
        self.answers.get(&key(module, asked.0, asked.1)).cloned()
    }

    /// All answers as text, without those that contain a control character.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        for ((path, build_id, question, address), answer) in &self.answers {
            let id: String = build_id.iter().map(|byte| format!("{byte:02x}")).collect();
            let mut fields = vec![path.clone(), id, question.word().into(), format!("{address:x}")];
            match answer {
                Answer::Name(Known::Line { function, file, line }) => {
                    let function = function.clone().unwrap_or_default();
                    fields.extend(["line".into(), function, file.clone(), line.to_string()]);
                }
                Answer::Name(Known::Function(name)) => {
                    fields.extend(["function".into(), name.clone()]);
                }
                Answer::Name(Known::Behind(name)) => fields.extend(["behind".into(), name.clone()]),
                Answer::Address(Some(address)) => {
                    fields.extend(["at".into(), format!("{address:x}")]);
                }
                Answer::Name(Known::Nothing) | Answer::Address(None) => continue,
            }
            if fields.iter().all(|field| !field.contains(char::is_control)) {
                writeln!(text, "{}", fields.join("\t")).expect("a string takes everything");
            }
        }
        text
    }

    /// Adds the answers of a text; lines that are not answers are skipped.
    pub(crate) fn add_text(&mut self, text: &str) {
        let mut lines = text.lines();
        if lines.next() == Some(FIRST_LINE) {
            self.answers.extend(lines.filter_map(parsed));
        }
    }
}

fn parsed(line: &str) -> Option<(Key, Answer)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [path, id, question, address, answer @ ..] = fields.as_slice() else { return None };
    let byte = |at: usize| u8::from_str_radix(id.get(at..at + 2)?, 16).ok();
    let build_id = (0..id.len()).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let key = ((*path).to_owned(), build_id, Question::of(question)?, number(address)?);
    let answer = match answer {
        ["line", function, file, line] => Answer::Name(Known::Line {
            function: Some((*function).to_owned()).filter(|function| !function.is_empty()),
            file: (*file).to_owned(),
            line: line.parse().ok()?,
        }),
        ["function", name] => Answer::Name(Known::Function((*name).to_owned())),
        ["behind", name] => Answer::Name(Known::Behind((*name).to_owned())),
        ["at", address] => Answer::Address(Some(number(address)?)),
        _ => return None,
    };
    // An answer of the wrong kind would look like the lack of an answer.
    let fits = key.2.asks_for_name() == matches!(answer, Answer::Name(_));
    fits.then_some((key, answer))
}

#[cfg(test)]
mod tests {
    use super::{Answer, Memory, Question};
    use crate::module::Known;
    use crate::site::SiteModule;

    fn module(path: &str) -> SiteModule {
        SiteModule { path: path.to_owned(), file: path.into(), build_id: vec![0xab, 1], offset: 0 }
    }

    #[test]
    fn answers_survive_as_text() {
        let line = |function: Option<&str>| {
            let function = function.map(str::to_owned);
            Answer::Name(Known::Line { function, file: "/src/a b.c".to_owned(), line: 7 })
        };
        let answers = [
            (Question::Name, line(Some("relax<int>"))),
            (Question::Name, line(None)),
            (Question::Name, Answer::Name(Known::Function("f".to_owned()))),
            (Question::Name, Answer::Name(Known::Behind("g".to_owned()))),
            (Question::Outlined, Answer::Address(Some(0x1234))),
            (Question::OutlinedAtEnd, Answer::Address(Some(u64::MAX))),
        ];
        let mut memory = Memory::default();
        for (address, (question, answer)) in (0..).zip(&answers) {
            memory.keep(&module("/bin/my app"), (*question, address), answer.clone());
        }
        let mut read = Memory::default();
        read.add_text(&memory.to_text());
        for (address, (question, answer)) in (0..).zip(&answers) {
            let found = read.answer(&module("/bin/my app"), (*question, address));
            assert_eq!(found.as_ref(), Some(answer));
        }
        assert_eq!(read.answer(&module("/bin/other"), (Question::Name, 0)), None);
    }

    #[test]
    fn what_is_no_answer_is_skipped() {
        let mut memory = Memory::default();
        memory.keep(&module("/a\nb"), (Question::Outlined, 1), Answer::Address(Some(2)));
        assert_eq!(memory.to_text(), "oxomp names 1\n");
        memory.add_text("oxomp names 1\n/a\tzz\tname\t1\tfunction\tf\n/a\t\n\tä\tname\t1\tat\t2\n");
        memory.add_text("oxomp names 2\n/a\tab01\tname\t1\tfunction\tf\n");
        memory.add_text("oxomp names 1\n/a\tab01\tname\t1\tat\t5\n");
        assert_eq!(memory.answer(&module("/a"), (Question::Name, 1)), None);
    }
}
