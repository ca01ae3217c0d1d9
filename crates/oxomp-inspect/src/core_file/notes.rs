//! The notes of a core file: threads, mapped files and the kernel's word to the loader.

use std::fs::File;
use std::ops::Range;

use oxomp_arch::read::Registers;

use super::header::Headers;
use super::part::up_to;
use crate::binary::notes_in;
use crate::bytes::{u16_at, u32_at, u64_at};
use crate::thread::{NativeThread, Signal};

/// The longest notes that are read: about 10 kB are usual for each thread.
const LONGEST_NOTES: u64 = 1 << 28;

const NT_PRSTATUS: u32 = 1;
const NT_PRPSINFO: u32 = 3;
const NT_AUXV: u32 = 6;
const NT_SIGINFO: u32 = 0x5349_4749;
const NT_FILE: u32 = 0x4649_4c45;

const AT_ENTRY: u64 = 9;
const AT_SYSINFO_EHDR: u64 = 33;

/// What the notes tell.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) pid: Option<i32>,
    pub(super) threads: Vec<NativeThread>,
    pub(super) files: Vec<MappedFile>,
    /// Where the vdso begins.
    pub(super) vdso: Option<u64>,
    /// The program's first instruction.
    pub(super) entry: Option<u64>,
    name: String,
}

/// A file that the process had mapped.
#[derive(Debug)]
pub(super) struct MappedFile {
    pub(super) range: Range<u64>,
    /// Offset of the mapping's first byte in the file.
    pub(super) offset: u64,
    pub(super) path: String,
    pub(super) deleted: bool,
}

impl Notes {
    pub(super) fn read(file: &File, headers: &Headers) -> Self {
        let mut found = Self::default();
        for &(offset, length) in &headers.notes {
            let bytes = up_to_length(file, offset, length);
            for note in notes_in(&bytes) {
                if note.name == b"CORE" {
                    found.note(note.kind, note.content);
                }
            }
        }
        for thread in &mut found.threads {
            thread.name.clone_from(&found.name);
        }
        found
    }

    fn note(&mut self, kind: u32, content: &[u8]) {
        match kind {
            // The kernel notes the signal for every thread; the first one of the file received it.
            NT_PRSTATUS => {
                let received = self.threads.is_empty();
                self.threads.extend(thread(content).map(|thread| NativeThread {
                    signal: thread.signal.filter(|_| received),
                    ..thread
                }));
            }
            NT_PRPSINFO => {
                self.pid = u32_at(content, 24).map(u32::cast_signed);
                let name = content.get(40..56).unwrap_or_default();
                let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
                self.name = String::from_utf8_lossy(&name[..end]).into_owned();
            }
            // It belongs to the thread whose registers came before.
            NT_SIGINFO => {
                if let Some(thread) = self.threads.last_mut() {
                    thread.signal = signal(content);
                }
            }
            NT_AUXV => {
                for pair in content.chunks_exact(16) {
                    match (u64_at(pair, 0), u64_at(pair, 8)) {
                        (Some(AT_SYSINFO_EHDR), value) => self.vdso = value,
                        (Some(AT_ENTRY), value) => self.entry = value,
                        _ => {}
                    }
                }
            }
            NT_FILE => self.files = files(content),
            _ => {}
        }
    }
}

/// Memory is taken for what the file has, not for what the header says.
fn up_to_length(file: &File, offset: u64, length: u64) -> Vec<u8> {
    let available = file.metadata().map_or(0, |about| about.len()).saturating_sub(offset);
    up_to(file, offset, length.min(available).min(LONGEST_NOTES) as usize)
}

/// The thread of a `prstatus`; its system call takes its code, which the notes do not have.
fn thread(content: &[u8]) -> Option<NativeThread> {
    let number = i32::from(u16_at(content, 12)?);
    let lwp = u32_at(content, 32)?.cast_signed();
    let mut words = [0; Registers::WORDS];
    for (index, word) in words.iter_mut().enumerate() {
        *word = u64_at(content, 112 + index * 8)?;
    }
    let registers = Registers::from_words(&words);
    Some(NativeThread {
        lwp,
        inner_lwp: lwp,
        name: String::new(),
        system_call: None,
        restarts: false,
        signal: ends(number).then_some(Signal { number, code: None, address: None }),
        cpu_time: None,
        registers: Some(registers),
    })
}

/// The signal of a `siginfo`.
fn signal(content: &[u8]) -> Option<Signal> {
    let number = u32_at(content, 0)?.cast_signed();
    let code = u32_at(content, 8)?.cast_signed();
    let address = u64_at(content, 16).filter(|_| Signal::is_fault(number));
    ends(number).then_some(Signal { number, code: Some(code), address })
}

/// Whether the signal can have ended the process: debuggers write cores of living ones too, and
/// note the signals by which they stopped them.
fn ends(signal: i32) -> bool {
    // SIGCHLD to SIGURG, and SIGWINCH.
    signal != 0 && !(17..=23).contains(&signal) && signal != 28
}

/// The table of mapped files: their number, the size of a page, start, end and offset in pages of
/// each, then their names.
fn files(content: &[u8]) -> Vec<MappedFile> {
    let (Some(count), Some(page)) = (u64_at(content, 0), u64_at(content, 8)) else {
        return Vec::new();
    };
    let ranges = content.get(16..).unwrap_or_default().chunks_exact(24);
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(ranges.len());
    let names = content.get(16 + count * 24..).unwrap_or_default().split(|&byte| byte == 0);
    ranges
        .take(count)
        .zip(names)
        .filter_map(|(range, name)| {
            let name = String::from_utf8_lossy(name);
            let (path, deleted) = match name.strip_suffix(" (deleted)") {
                Some(path) => (path, true),
                None => (&*name, false),
            };
            let (start, end) = (u64_at(range, 0)?, u64_at(range, 8)?);
            (start < end).then_some(MappedFile {
                range: start..end,
                offset: u64_at(range, 16)?.checked_mul(page)?,
                path: path.to_owned(),
                deleted,
            })
        })
        .collect()
}
