//! The recordings of a run, read by several threads where there are many.
//!
//! Of n threads each reads every n-th file, with symbols of its own, and hands over what is kept of
//! it before it begins the next one. So few recordings are in memory at a time, and what was read
//! arrives in the order of the files.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use oxomp_analysis::symbols::Symbols;

/// The most threads: each of them has the symbols of the program in memory.
const MOST_THREADS: usize = 8;
/// How many files there are at least for each thread.
const FILES_PER_THREAD: usize = 8;

/// How many threads read that many files.
pub(crate) fn threads(files: usize) -> usize {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    processors.min(MOST_THREADS).min(files / FILES_PER_THREAD).max(1)
}

/// Hands the answer of `read` for each of `files` to `take`, in their order.
pub(crate) fn read_all<T: Send>(
    files: &[PathBuf],
    read: impl Fn(&Path, &mut Symbols) -> T + Sync,
    mut take: impl FnMut(&Path, T),
) {
    let threads = threads(files.len());
    if threads == 1 {
        let mut symbols = Symbols::new();
        for path in files {
            take(path, read(path, &mut symbols));
        }
        return;
    }
    let read = &read;
    thread::scope(|scope| {
        let begin = |first: usize| {
            let (sender, receiver) = mpsc::sync_channel(0);
            scope.spawn(move || {
                let mut symbols = Symbols::new();
                for path in files.iter().skip(first).step_by(threads) {
                    if sender.send(read(path, &mut symbols)).is_err() {
                        return;
                    }
                }
            });
            receiver
        };
        let receivers: Vec<mpsc::Receiver<T>> = (0..threads).map(begin).collect();
        for (path, receiver) in files.iter().zip(receivers.iter().cycle()) {
            // A thread that panics ends the scope's thread, too, after the loop.
            let Ok(answer) = receiver.recv() else { return };
            take(path, answer);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::read_all;

    #[test]
    fn answers_come_in_the_order_of_the_files() {
        for number in [0, 1, 7, 16, 101] {
            let files: Vec<PathBuf> = (0..number).map(|n| PathBuf::from(n.to_string())).collect();
            let mut seen = Vec::new();
            read_all(
                &files,
                |path, _| path.to_owned(),
                |path, answer| {
                    assert_eq!(path, answer);
                    seen.push(answer);
                },
            );
            assert_eq!(seen, files);
        }
    }
}
