//! Following a recording to have its sums apart by slices of time.
//!
//! The sums in a file are of the whole recording. A reader that looks at them again and again
//! knows what each thread did between two looks, and adds that to the file when the collector has
//! ended the recording.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::fold::FoldEntry;
use crate::follow::{Follower, Look};
use crate::layout::{CHUNK_SIZE, ChunkKind, HEADER_SIZE, PROCESS};
use crate::read::ReadError;
use crate::settled::add_slice;
use crate::slices::{SUM_SIZE, Slice, encoded, together};
use crate::write::sealed_chunk;

/// The most slices, and the most bytes that they take in the file: beyond, each two are put
/// together.
const MOST_SLICES: usize = 256;
const MOST_BYTES: usize = 16 << 20;

/// A reader that takes the sums of a recording apart by slices of time.
#[derive(Debug)]
pub struct Slicer {
    follower: Follower,
    path: PathBuf,
    last: Option<Look>,
    slices: Vec<Slice>,
    /// How many looks a slice lasts for.
    looks: u32,
}

/// Why the slices of a recording are not in its file.
#[derive(Debug, thiserror::Error)]
pub enum SlicesError {
    /// The recording cannot be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The file cannot be written; it is as it was.
    #[error("{0}")]
    Write(#[from] io::Error),
}

impl Slicer {
    /// Opens the recording at `path`.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref().to_owned();
        let follower = Follower::open(&path)?;
        Ok(Self { follower, path, last: None, slices: Vec::new(), looks: 1 })
    }

    /// Ends a slice now, or at the end of the recording, if it has ended.
    ///
    /// # Errors
    /// If reading fails, or the file is no recording.
    pub fn cut(&mut self) -> Result<(), ReadError> {
        let Some(look) = self.follower.look()? else { return Ok(()) };
        let begin = match &self.last {
            Some(last) if last.tick() >= look.tick() => return Ok(()),
            Some(last) => last.tick(),
            None => look.profile.header.start_tick.min(look.tick()),
        };
        add_slice(&mut self.slices, begin, &look, self.last.as_ref());
        self.last = Some(look);
        while is_too_much(&self.slices) {
            self.slices = by_pairs(std::mem::take(&mut self.slices));
            self.looks = self.looks.saturating_mul(2);
        }
        Ok(())
    }

    /// How many times longer than at first the time between two cuts should be: slices were put
    /// together, so that there are not too many.
    #[must_use]
    pub fn longer(&self) -> u32 {
        self.looks
    }

    /// Whether no thread has done anything up to the last cut.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slices.iter().all(|slice| slice.sums.is_empty())
    }

    /// Whether the recording had ended at the last cut.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.last.as_ref().is_some_and(Look::has_ended)
    }

    /// The recorded process.
    ///
    /// # Errors
    /// If reading fails, or the file is no recording.
    pub fn pid(&self) -> Result<u32, ReadError> {
        self.follower.pid()
    }

    /// Ends the last slice, and adds all of them to the file, in which nobody writes any more, if
    /// it then has no more than `most` bytes.
    ///
    /// # Errors
    /// If reading or writing fails, or the file would be too long; then it is as it was.
    pub fn finish(mut self, most: u64) -> Result<(), SlicesError> {
        self.cut()?;
        if self.slices.is_empty() {
            return Ok(());
        }
        let file = OpenOptions::new().write(true).open(&self.path)?;
        let length = file.metadata()?.len();
        let written = append(&file, (length, most), &self.slices);
        if written.is_err() {
            file.set_len(length)?;
        }
        Ok(written?)
    }
}

/// Writes chunks with the slices behind the others of a file that has `length` bytes, and may have
/// `most`.
fn append(file: &File, (length, most): (u64, u64), slices: &[Slice]) -> io::Result<()> {
    let chunk = CHUNK_SIZE as u64;
    let used = length.saturating_sub(HEADER_SIZE as u64).div_ceil(chunk);
    let payloads = encoded(slices);
    let whole = HEADER_SIZE as u64 + (used + payloads.len() as u64) * chunk;
    if whole > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    for (sequence, payload) in payloads.iter().enumerate() {
        let sequence = u32::try_from(sequence).map_err(io::Error::other)?;
        let bytes = sealed_chunk(ChunkKind::Slices, PROCESS, sequence, payload)?;
        let position = used + u64::from(sequence);
        file.write_all_at(&bytes, HEADER_SIZE as u64 + position * chunk)?;
    }
    Ok(())
}

fn is_too_much(slices: &[Slice]) -> bool {
    let bytes: usize = slices.iter().map(|slice| slice.sums.len() * SUM_SIZE).sum();
    slices.len() > MOST_SLICES || bytes > MOST_BYTES && slices.len() > 1
}

/// Puts each slice together with the next one.
fn by_pairs(slices: Vec<Slice>) -> Vec<Slice> {
    let mut pairs = Vec::with_capacity(slices.len().div_ceil(2));
    let mut slices = slices.into_iter();
    while let Some(mut first) = slices.next() {
        if let Some(second) = slices.next() {
            first.end = second.end;
            first.sums.extend(second.sums);
            first.sums = together(first.sums).into_iter().flat_map(of_stream).collect();
        }
        pairs.push(first);
    }
    pairs
}

fn of_stream((stream, sums): (u32, Vec<FoldEntry>)) -> impl Iterator<Item = (u32, FoldEntry)> {
    sums.into_iter().map(move |entry| (stream, entry))
}

#[cfg(test)]
mod tests {
    use super::by_pairs;
    use crate::fold::{FoldEntry, FoldKind, thread};
    use crate::slices::Slice;

    #[test]
    fn two_slices_make_one_with_the_sums_of_both() {
        let sum = |stream, useful| {
            let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
            entry.values[thread::USEFUL] = useful;
            (stream, entry)
        };
        let slice = |begin, sums: &[(u32, FoldEntry)]| Slice {
            begin,
            end: begin + 10,
            sums: sums.to_vec(),
        };
        let slices = vec![
            slice(0, &[sum(0, 5), sum(1, 3)]),
            slice(10, &[sum(0, 7)]),
            slice(20, &[sum(1, 2)]),
        ];
        let first = Slice { begin: 0, end: 20, sums: vec![sum(0, 12), sum(1, 3)] };
        assert_eq!(by_pairs(slices), [first, slice(20, &[sum(1, 2)])]);
    }
}
