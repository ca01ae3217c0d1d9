//! Which OpenMP runtimes the running program and its children really have mapped (`-v`).
//!
//! Reads `/proc/<pid>/maps` again and again, as runtimes may be loaded late. A process that lives
//! for less than a pause can be missed, so not having seen a runtime proves nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::Pid;

use crate::runtime_choice::Family;

/// Pauses between looks: short at first, as most runtimes are there at the program's start.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// A watch that runs until it is stopped.
#[derive(Debug)]
pub(crate) struct Watch {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Watch {
    /// Calls `found` once for each process below `program`, itself included, and each runtime file
    /// in it.
    pub(crate) fn start(program: Pid, mut found: impl FnMut(i32, &Path) + Send + 'static) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut seen = BTreeSet::new();
            let mut pause = FIRST_PAUSE;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                for pid in family_tree(program.as_raw_nonzero().get()) {
                    for file in mapped_runtimes(pid) {
                        if seen.insert((pid, file.clone())) {
                            found(pid, &file);
                        }
                    }
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        });
        Self { stop, thread }
    }

    /// Ends the watch.
    pub(crate) fn stop(self) {
        drop(self.stop);
        self.thread.join().ok();
    }
}

/// The process and all its descendants, as far as the kernel tells.
fn family_tree(root: i32) -> Vec<i32> {
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&pid) = tree.get(next) {
        next += 1;
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            tree.extend(children.split_whitespace().filter_map(|child| child.parse::<i32>().ok()));
        }
    }
    tree
}

fn mapped_runtimes(pid: i32) -> BTreeSet<PathBuf> {
    let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    String::from_utf8_lossy(&maps).lines().filter_map(runtime_of_line).collect()
}

/// Five fields, then the path, which may hold spaces.
fn runtime_of_line(line: &str) -> Option<PathBuf> {
    let path = &line[line.find('/')?..];
    Family::of(path.rsplit('/').next()?)?;
    Some(PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::runtime_of_line;

    #[test]
    fn runtimes_are_picked_out_of_a_memory_map() {
        let line = "7f1c-7f1d r-xp 00021000 08:01 1234    /opt/my lib/libgomp-a34b.so.1.0.0";
        let found = runtime_of_line(line);
        assert_eq!(found, Some(PathBuf::from("/opt/my lib/libgomp-a34b.so.1.0.0")));
        assert_eq!(runtime_of_line("7f1c-7f1d rw-p 00000000 00:00 0    [heap]"), None);
        assert_eq!(runtime_of_line("7f-80 r-xp 0 08:01 1    /lib/libm.so.6"), None);
    }
}
