//! Functions of Python on call paths: nodes that stand for them, and what is known of each.
//!
//! A node of a function of Python has an address that no code has. It names a code object by a
//! number, and the place in its bytecode. The code objects of a stream are items of chunks of their
//! own, with the names of the function and of its file, and the table from bytecode to lines, in
//! the form in which the interpreter had them.

use std::collections::HashMap;

use crate::calls::ThreadCalls;
use crate::layout::{u16_at, u32_at};

/// Bytes of an item before its texts.
const ITEM_HEADER: usize = 24;

/// What the address of a node says that stands for a function of Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PythonAddress {
    /// The number of its code object, from 1; [`PythonAddress::NAMELESS`].
    pub code: u32,
    /// The place of the instruction in the bytecode, in bytes; `None` if the function has not begun
    /// or the place is not known.
    pub offset: Option<u32>,
}

impl PythonAddress {
    /// In place of a number: there was no room for the code object.
    pub const NAMELESS: u32 = 0;
    /// The largest number of a code object.
    pub const MOST: u32 = (1 << 24) - 1;

    /// The upper bits of such an address: no processor has code there.
    const MARK: u64 = 0x5059 << 48;
    const MARK_BITS: u64 = 0xffff << 48;
    const NO_OFFSET: u64 = (1 << 24) - 1;

    /// The address in a node.
    #[must_use]
    pub fn encode(self) -> u64 {
        let offset = self.offset.map_or(Self::NO_OFFSET, u64::from).min(Self::NO_OFFSET);
        Self::MARK | u64::from(self.code & Self::MOST) << 24 | offset
    }

    /// What `address` says, if it is that of a function of Python.
    #[must_use]
    pub fn decode(address: u64) -> Option<Self> {
        if address & Self::MARK_BITS != Self::MARK {
            return None;
        }
        let offset = address & Self::NO_OFFSET;
        Some(Self {
            code: (address >> 24) as u32 & Self::MOST,
            offset: (offset != Self::NO_OFFSET).then_some(offset as u32),
        })
    }
}

/// The form of a table from bytecode to lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum LineForm {
    /// Pairs of the distance in bytes to the next line and the distance in lines: Python 3.9,
    /// `Objects/lnotab_notes.txt` in its sources.
    #[default]
    Increments = 1,
    /// Pairs of the length of a range in bytes and its distance in lines, -128 for no line: Python
    /// 3.10, PEP 626.
    Ranges = 2,
    /// Entries of several forms whose first byte has its highest bit set: Python 3.11 and later,
    /// `Objects/locations.md` in its sources.
    Locations = 3,
}

impl LineForm {
    fn from_number(number: u8) -> Option<Self> {
        [Self::Increments, Self::Ranges, Self::Locations]
            .into_iter()
            .find(|form| *form as u8 == number)
    }
}

/// How the interpreter keeps a text: the bytes of each character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum TextForm {
    /// ASCII or Latin-1, a byte each.
    One = 1,
    /// Two bytes each, without surrogates.
    Two = 2,
    /// Four bytes each.
    Four = 4,
}

impl TextForm {
    /// The form with so many bytes a character.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::One, Self::Two, Self::Four].into_iter().find(|form| *form as u8 == number)
    }

    fn decode(self, bytes: &[u8]) -> String {
        let character = |code: u32| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        match self {
            Self::One => bytes.iter().copied().map(char::from).collect(),
            Self::Two => {
                bytes.chunks_exact(2).map(|two| character(u16_at(two, 0).into())).collect()
            }
            Self::Four => bytes.chunks_exact(4).map(|four| character(u32_at(four, 0))).collect(),
        }
    }
}

/// A code object as the collector has read it.
#[derive(Debug, Clone, Copy)]
pub struct CodeItem<'a> {
    /// Its number in its stream, from 1.
    pub number: u32,
    /// The line in which the function begins.
    pub first_line: u32,
    /// The form of its table of lines.
    pub line_form: LineForm,
    /// The function's name.
    pub name: (TextForm, &'a [u8]),
    /// The file's name.
    pub file: (TextForm, &'a [u8]),
    /// The table of lines.
    pub lines: &'a [u8],
}

impl CodeItem<'_> {
    /// The bytes of the item.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts = self.name.1.len() + self.file.1.len() + self.lines.len();
        (ITEM_HEADER + texts).next_multiple_of(8)
    }

    /// Writes the item into the beginning of `space`; returns the bytes used, or `None` if there is
    /// no room (then nothing is written).
    #[must_use]
    pub fn write(&self, space: &mut [u8]) -> Option<usize> {
        let size = self.size();
        let space = space.get_mut(..size)?;
        let short = |text: &[u8]| u16::try_from(text.len()).ok();
        let (name, file) = (short(self.name.1)?, short(self.file.1)?);
        let lines = u32::try_from(self.lines.len()).ok()?;
        space.fill(0);
        space[..4].copy_from_slice(&self.number.to_le_bytes());
        space[4..8].copy_from_slice(&self.first_line.to_le_bytes());
        space[8..12].copy_from_slice(&lines.to_le_bytes());
        space[12..14].copy_from_slice(&name.to_le_bytes());
        space[14..16].copy_from_slice(&file.to_le_bytes());
        space[16] = self.line_form as u8;
        space[17] = self.name.0 as u8;
        space[18] = self.file.0 as u8;
        let mut at = ITEM_HEADER;
        for part in [self.name.1, self.file.1, self.lines] {
            space[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        Some(size)
    }
}

/// A function of Python.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PythonCode {
    /// The function's name, from Python 3.11 on with those of the functions and classes around it.
    pub name: String,
    /// The file, as the interpreter knows it.
    pub file: String,
    /// The line in which the function begins.
    pub first_line: u32,
    form: LineForm,
    lines: Vec<u8>,
}

impl PythonCode {
    /// The line of the instruction at `offset` in the bytecode; that in which the function begins
    /// if the instruction has none.
    #[must_use]
    pub fn line(&self, offset: Option<u32>) -> u32 {
        let line = offset.and_then(|offset| match self.form {
            LineForm::Increments => Some(self.by_increments(offset)),
            LineForm::Ranges => self.by_ranges(offset),
            LineForm::Locations => self.by_locations(offset),
        });
        line.and_then(|line| u32::try_from(line).ok()).unwrap_or(self.first_line)
    }

    fn by_increments(&self, offset: u32) -> i64 {
        let (mut at, mut line) = (0, i64::from(self.first_line));
        for pair in self.lines.chunks_exact(2) {
            at += u32::from(pair[0]);
            if at > offset {
                break;
            }
            line += i64::from(pair[1].cast_signed());
        }
        line
    }

    fn by_ranges(&self, offset: u32) -> Option<i64> {
        const NO_LINE: i8 = -128;
        let (mut end, mut line) = (0, i64::from(self.first_line));
        for pair in self.lines.chunks_exact(2) {
            end += u32::from(pair[0]);
            let distance = pair[1].cast_signed();
            if distance != NO_LINE {
                line += i64::from(distance);
            }
            if offset < end {
                return (distance != NO_LINE).then_some(line);
            }
        }
        None
    }

    fn by_locations(&self, offset: u32) -> Option<i64> {
        const BEGIN: u8 = 0x80;
        const NO_LINE: u8 = 15;
        let (mut end, mut line) = (0, i64::from(self.first_line));
        let mut rest = self.lines.as_slice();
        while let [first, behind @ ..] = rest {
            let length = behind.iter().take_while(|byte| **byte & BEGIN == 0).count();
            let (entry, next) = behind.split_at(length);
            rest = next;
            let code = first >> 3 & 15;
            end += (u32::from(first & 7) + 1) * 2;
            line = line.saturating_add(match code {
                10..=12 => i64::from(code) - 10,
                13 | 14 => signed_number(entry),
                _ => 0,
            });
            if offset < end {
                return (code != NO_LINE).then_some(line);
            }
        }
        None
    }
}

/// The number with which `bytes` begin: six bits a byte, the lowest first, with a seventh that says
/// that more follow; its lowest bit is the sign.
fn signed_number(bytes: &[u8]) -> i64 {
    let mut number: u64 = 0;
    for (byte, shift) in bytes.iter().zip((0..60).step_by(6)) {
        number |= u64::from(byte & 63) << shift;
        if byte & 64 == 0 {
            break;
        }
    }
    let magnitude = (number >> 1) as i64;
    if number & 1 == 1 { -magnitude } else { magnitude }
}

/// The code objects in the payload of a chunk, with their numbers; an item that does not make sense
/// ends the reading.
pub(crate) fn read_codes(payload: &[u8]) -> Vec<(u32, PythonCode)> {
    let mut codes = Vec::new();
    let mut rest = payload;
    while let Some((code, size)) = read_code(rest) {
        codes.push(code);
        rest = rest.get(size..).unwrap_or_default();
    }
    codes
}

fn read_code(bytes: &[u8]) -> Option<((u32, PythonCode), usize)> {
    let header = bytes.get(..ITEM_HEADER)?;
    let lines = u32_at(header, 8) as usize;
    let (name, file) = (u16_at(header, 12).into(), u16_at(header, 14).into());
    let form = LineForm::from_number(header[16])?;
    let (name_form, file_form) =
        (TextForm::from_number(header[17])?, TextForm::from_number(header[18])?);
    let mut rest = &bytes[ITEM_HEADER..];
    let mut part = |length: usize| {
        let (part, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(part)
    };
    let code = PythonCode {
        name: name_form.decode(part(name)?),
        file: file_form.decode(part(file)?),
        first_line: u32_at(header, 4),
        form,
        lines: part(lines)?.to_vec(),
    };
    let size = (ITEM_HEADER + name + file + lines).next_multiple_of(8);
    Some(((u32_at(header, 0), code), size))
}

/// Collects the code objects of all streams, each once.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    codes: Vec<PythonCode>,
    numbers: HashMap<PythonCode, u32>,
}

impl Codes {
    /// Takes in those of a stream, and makes the nodes of `calls` name them by their numbers in the
    /// whole recording.
    pub(crate) fn take(&mut self, codes: Vec<(u32, PythonCode)>, calls: &mut ThreadCalls) {
        let numbers: HashMap<u32, u32> =
            codes.into_iter().map(|(number, code)| (number, self.number(code))).collect();
        for node in &mut calls.nodes {
            if let Some(python) = PythonAddress::decode(node.address) {
                let code = numbers.get(&python.code).copied().unwrap_or(PythonAddress::NAMELESS);
                node.address = PythonAddress { code, ..python }.encode();
            }
        }
    }

    fn number(&mut self, code: PythonCode) -> u32 {
        let next = self.codes.len() as u32 + 1;
        let number = *self.numbers.entry(code.clone()).or_insert(next);
        if number == next {
            self.codes.push(code);
        }
        number
    }

    /// All of them: the one with the number 1 comes first.
    pub(crate) fn close(self) -> Vec<PythonCode> {
        self.codes
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeItem, Codes, LineForm, PythonAddress, PythonCode, TextForm, read_codes};
    use crate::calls::{PathNode, ThreadCalls};

    #[test]
    fn addresses_of_python_are_no_code() {
        for python in [
            PythonAddress { code: 1, offset: Some(0) },
            PythonAddress { code: PythonAddress::MOST, offset: None },
            PythonAddress { code: 0, offset: Some(123_456) },
        ] {
            assert_eq!(PythonAddress::decode(python.encode()), Some(python));
        }
        for address in [0, 0x5555_5555_0000, 0xffff_ffff_ff60_0000, u64::MAX] {
            assert_eq!(PythonAddress::decode(address), None);
        }
    }

    fn code(form: LineForm, first_line: u32, lines: &[u8]) -> PythonCode {
        PythonCode { first_line, form, lines: lines.to_vec(), ..PythonCode::default() }
    }

    #[test]
    fn increments_tell_lines_of_python_3_9() {
        // Of `def f(a):`, `b = a`, an empty line, `return b`, from line 10 on.
        let code = code(LineForm::Increments, 10, &[0, 1, 4, 2, 6, 0xff]);
        assert_eq!([0, 3, 4, 9, 10].map(|at| code.line(Some(at))), [11, 11, 13, 13, 12]);
        assert_eq!(code.line(None), 10);
    }

    #[test]
    fn ranges_tell_lines_of_python_3_10() {
        let code = code(LineForm::Ranges, 10, &[4, 1, 2, 0x80, 6, 2]);
        assert_eq!([0, 3, 4, 6, 11].map(|at| code.line(Some(at))), [11, 11, 10, 13, 13]);
        assert_eq!(code.line(Some(12)), 10, "beyond the table");
    }

    #[test]
    fn locations_tell_lines_of_python_3_11() {
        let lines = [
            0x80 | 15 << 3,
            0x80 | 11 << 3 | 1,
            4,
            9,
            0x80 | 3 << 3 | 2,
            0x11,
            0x80 | 14 << 3,
            // Line +100: 200 in six bits each.
            8 | 64,
            3,
            0,
            1,
            2,
            0x80 | 13 << 3,
            // Line -3.
            7,
        ];
        let code = code(LineForm::Locations, 10, &lines);
        let found = [0, 2, 5, 6, 11, 12, 14].map(|at| code.line(Some(at)));
        assert_eq!(found, [10, 11, 11, 11, 11, 111, 108]);
    }

    #[test]
    fn codes_of_streams_get_numbers_of_the_recording() {
        let item = |number, name: &'static [u8]| CodeItem {
            number,
            first_line: 3,
            line_form: LineForm::Locations,
            name: (TextForm::One, name),
            file: (TextForm::Two, &[0x61, 0, 0xac, 0x20]),
            lines: &[0x80],
        };
        let mut space = [0xff; 128];
        let used = item(1, b"f\xe4").write(&mut space).unwrap();
        let both = used + item(2, b"g").write(&mut space[used..]).unwrap();
        assert_eq!(item(3, b"h").write(&mut space[both..both + 16]), None);
        let first = read_codes(&space[..both]);
        let names: Vec<&str> = first.iter().map(|(_, code)| code.name.as_str()).collect();
        assert_eq!(names, ["f\u{e4}", "g"]);
        assert_eq!(first[0].1.file, "a\u{20ac}");
        let second = read_codes(&space[used..both]);

        let node = |code| PathNode {
            address: PythonAddress { code, offset: Some(8) }.encode(),
            ..PathNode::default()
        };
        let calls = |numbers: &[u32]| ThreadCalls {
            nodes: numbers.iter().map(|number| node(*number)).collect(),
            ..ThreadCalls::default()
        };
        let mut codes = Codes::default();
        let (mut one, mut two) = (calls(&[1, 2, 7]), calls(&[2]));
        codes.take(first, &mut one);
        codes.take(second, &mut two);
        assert_eq!(one.nodes, calls(&[1, 2, 0]).nodes);
        assert_eq!(two.nodes, calls(&[2]).nodes);
        assert_eq!(codes.close().len(), 2);
    }
}
