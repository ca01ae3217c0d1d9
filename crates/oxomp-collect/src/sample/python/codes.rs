//! The code objects that a stream's paths name, in the recording's file.
//!
//! The thread itself writes, in its signal handler, as it does its tree. A code object may be
//! freed, and another one be made at its address: what is known of an address counts if the object
//! still has the same texts, constants, table of lines and first line there. Objects with equal
//! names and lines have one number, so that a program which compiles the same functions again and
//! again fills nothing.

use std::sync::atomic::{AtomicU32, Ordering};

use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};
use oxomp_trace::python::{CodeItem, PythonAddress, TextForm};

use super::frames::{Frame, MOST};
use super::interpreter::Interpreter;
use super::layout::{CODE_HEAD, Layout, OBJECT_HEAD};
use crate::sample::memory;
use crate::store::{Chunk, Store};

/// Code objects that are read at once.
const BATCH: usize = 64;
/// Bytes of a table of lines that tell it from others at its place, with its head.
const LINES_HEAD: usize = OBJECT_HEAD + 16;
/// Places of the table of addresses, in which newer ones replace others, and of the table of what
/// has numbers; powers of two.
const ADDRESSES: usize = 1 << 11;
const NUMBERS: usize = 1 << 13;
/// Numbers that a stream may give.
const MOST_NUMBERS: u32 = NUMBERS as u32 / 4 * 3;
/// Bytes of texts and tables that are kept.
const MOST_NAME: usize = 512;
const MOST_FILE: usize = 2048;
const MOST_LINES: usize = 32 << 10;
/// The part of the file that code objects may take.
const PART: u32 = 16;

/// Chunks with code objects that the process has taken.
static CHUNKS: AtomicU32 = AtomicU32::new(0);

/// A frame that is none: its code object does not look like one.
pub(super) const NONE: u32 = u32::MAX;

/// What is known by a hash.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// 0: the place is empty.
    hash: u64,
    number: u32,
}

/// Zeros are a stream without code objects, once [`Codes::prepare`] was called for them.
#[derive(Debug)]
pub(crate) struct Codes {
    number: u32,
    kind: ChunkKind,
    sequence: u32,
    chunk: Option<Chunk>,
    used: usize,
    /// Numbers that are given.
    given: u32,
    /// By the addresses in code objects.
    addresses: [Entry; ADDRESSES],
    /// By names and lines.
    numbers: [Entry; NUMBERS],
    /// The code objects of the last batch, and the begins of their tables of lines.
    heads: [[u8; CODE_HEAD]; BATCH],
    lines: [[u8; LINES_HEAD]; BATCH],
    name: [u8; MOST_NAME],
    file: [u8; MOST_FILE],
    table: [u8; MOST_LINES],
    /// The numbers of a walk's frames.
    pub(super) of_frames: [u32; MOST],
}

impl Codes {
    /// Makes zeros a stream without code objects.
    ///
    /// # Safety
    /// `codes` points to zeros of their size and alignment that only the caller uses.
    pub(in crate::sample) unsafe fn prepare(codes: *mut Self) {
        // SAFETY: as the caller promises; the other fields are numbers.
        unsafe {
            (&raw mut (*codes).chunk).write(None);
            (&raw mut (*codes).kind).write(ChunkKind::Python);
        }
    }

    /// The code objects are those of the stream `number` from now on.
    pub(in crate::sample) fn begin(&mut self, number: u32) {
        self.number = number;
    }

    /// The code objects are those of the paths in which threads are blocked.
    pub(in crate::sample) fn begin_blocked(&mut self) {
        self.begin(0);
        self.kind = ChunkKind::BlockedPython;
    }

    /// Releases the chunk.
    pub(in crate::sample) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }

    /// Sets the numbers of the code objects of `frames`: [`NONE`] where there is none.
    pub(super) fn find(
        &mut self,
        store: &Store,
        (interpreter, layout): (&Interpreter, &Layout),
        frames: &[Frame],
    ) {
        for (batch, begin) in frames.chunks(BATCH).zip((0..).step_by(BATCH)) {
            let mut addresses = [0; BATCH];
            for (address, frame) in addresses.iter_mut().zip(batch) {
                *address = frame.code;
            }
            let heads = memory::copy_each(&addresses[..batch.len()], &mut self.heads);
            for (address, head) in addresses.iter_mut().zip(&self.heads) {
                *address = word(head, layout.code.lines as usize);
            }
            let lines = memory::copy_each(&addresses[..batch.len()], &mut self.lines);
            for (at, frame) in batch.iter().enumerate() {
                let is_code = heads >> at & 1 == 1
                    && word(&self.heads[at], layout.object.kind) == interpreter.code_type;
                self.of_frames[begin + at] = if is_code {
                    self.number_of(store, (interpreter, layout), frame.code, at, lines)
                } else {
                    NONE
                };
            }
        }
    }

    /// The number of the code object at `address`, the one of that position in the batch, of which
    /// `lines` has the tables of lines that are read.
    fn number_of(
        &mut self,
        store: &Store,
        of: (&Interpreter, &Layout),
        address: u64,
        at: usize,
        lines: u64,
    ) -> u32 {
        let (head, code, object) = (&self.heads[at], of.1.code, of.1.object);
        let first_line = half(head, code.first_line as usize);
        let pointers =
            [code.name, code.file, code.lines, code.other].map(|at| word(head, at as usize));
        let mut hash = pointers.into_iter().fold(mix(address, first_line.into()), mix);
        let table = (lines >> at & 1 == 1).then_some(&self.lines[at]);
        let size = table.map_or(0, |table| word(table, object.size()));
        if let Some(table) = table {
            let begin = &table[object.bytes()..];
            let known = usize::try_from(size).unwrap_or(usize::MAX).min(begin.len());
            let begin = &begin[..known];
            hash = hash_of(mix(hash, size), begin);
        }
        let place = hash as usize % ADDRESSES;
        if self.addresses[place].hash == hash {
            return self.addresses[place].number;
        }
        let [name, file, lines, _] = pointers;
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(MOST_LINES);
        let lines = lines.wrapping_add(object.bytes() as u64);
        let number = self.read(store, of, (name, file, lines, size), first_line);
        if number != PythonAddress::NAMELESS {
            self.addresses[place] = Entry { hash, number };
        }
        number
    }

    /// The number of a code object by its contents: the addresses of name, file and table of lines,
    /// with the table's size.
    fn read(
        &mut self,
        store: &Store,
        (interpreter, layout): (&Interpreter, &Layout),
        (name, file, lines, size): (u64, u64, u64, usize),
        first_line: u32,
    ) -> u32 {
        let name = text(interpreter, layout, name, &mut self.name);
        let file = text(interpreter, layout, file, &mut self.file);
        let (Some(name), Some(file)) = (name, file) else { return PythonAddress::NAMELESS };
        // Without its table, the function's first line stands for all.
        let size = if memory::copy(lines, &mut self.table[..size]) { size } else { 0 };
        let (name_bytes, file_bytes) = (&self.name[..name.1], &self.file[..file.1]);
        let lines = &self.table[..size];
        let forms = (name.0 as u64) << 8 | file.0 as u64;
        let parts = [name_bytes, file_bytes, lines];
        let hash = parts.into_iter().fold(mix(forms, first_line.into()), hash_of);
        let mut place = hash as usize % NUMBERS;
        while self.numbers[place].hash != 0 {
            if self.numbers[place].hash == hash {
                return self.numbers[place].number;
            }
            place = (place + 1) % NUMBERS;
        }
        if self.given >= MOST_NUMBERS {
            return PythonAddress::NAMELESS;
        }
        let number = self.given + 1;
        let item = CodeItem {
            number,
            first_line,
            line_form: layout.lines,
            name: (name.0, name_bytes),
            file: (file.0, file_bytes),
            lines,
        };
        let (kind, stream) = (self.kind, self.number);
        let place_in_file = room(
            store,
            (&mut self.chunk, &mut self.used, &mut self.sequence),
            kind,
            stream,
            item.size(),
        );
        let Some((chunk, at)) = place_in_file else { return PythonAddress::NAMELESS };
        // SAFETY: `room` has found so many bytes behind `at` in the payload, of which this thread
        // is the writer, and to which there is no other reference.
        let space = unsafe { std::slice::from_raw_parts_mut(chunk.payload().add(at), item.size()) };
        let Some(written) = item.write(space) else { return PythonAddress::NAMELESS };
        self.used = at + written;
        chunk.commit(self.used);
        self.given = number;
        self.numbers[place] = Entry { hash, number };
        number
    }
}

/// A chunk with room for so many bytes, and where they begin; a new one if the stream's last one
/// has no room.
fn room(
    store: &Store,
    (chunk, used, sequence): (&mut Option<Chunk>, &mut usize, &mut u32),
    kind: ChunkKind,
    stream: u32,
    size: usize,
) -> Option<(Chunk, usize)> {
    if size > CHUNK_PAYLOAD {
        return None;
    }
    if let Some(chunk) = chunk
        && *used + size <= CHUNK_PAYLOAD
    {
        return Some((*chunk, *used));
    }
    if CHUNKS.fetch_add(1, Ordering::Relaxed) >= (store.capacity() / PART).max(1) {
        CHUNKS.fetch_sub(1, Ordering::Relaxed);
        return None;
    }
    let Ok(next) = store.take(kind, stream, *sequence) else {
        CHUNKS.fetch_sub(1, Ordering::Relaxed);
        return None;
    };
    if let Some(full) = chunk.replace(next) {
        store.release(full);
    }
    *sequence += 1;
    *used = 0;
    Some((next, 0))
}

/// Copies the text object at `address` into `place`, cut to its size; returns the bytes of each
/// character, and of all.
fn text(
    interpreter: &Interpreter,
    layout: &Layout,
    address: u64,
    place: &mut [u8],
) -> Option<(TextForm, usize)> {
    let object = &layout.object;
    let mut room = [0; OBJECT_HEAD];
    let head = &mut room[..object.text_state() + 8];
    memory::copy(address, head).then_some(())?;
    let state = half(head, object.text_state()) >> object.text_form;
    let (kind, is_compact, is_ascii) = (state & 7, state >> 3 & 1, state >> 4 & 1);
    if word(head, object.kind) != interpreter.text_type || is_compact == 0 {
        return None;
    }
    let form = TextForm::from_number(kind as u8)?;
    let most = place.len() / kind as usize;
    let bytes = usize::try_from(word(head, object.text_length())).ok()?.min(most) * kind as usize;
    let behind = if is_ascii == 1 { object.ascii_size } else { object.compact_size };
    memory::copy(address.wrapping_add(behind), &mut place[..bytes]).then_some((form, bytes))
}

/// Mixes a word into a hash, which is never 0.
fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29) | 1
}

/// Mixes bytes, and how many there are, into a hash.
fn hash_of(hash: u64, bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    });
    words.fold(mix(hash, bytes.len() as u64), mix)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map_or(0, u64::from_ne_bytes)
}

fn half(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|half| half.try_into().ok()).map_or(0, u32::from_ne_bytes)
}

/// In a child of fork(2): no chunk of the child's own file is taken yet.
pub(crate) fn begin_anew() {
    CHUNKS.store(0, Ordering::Relaxed);
}
