//! The threads of the process, as the system lists them.

use std::fs;
use std::os::unix::fs::MetadataExt;

const FOLDER: &str = "/proc/self/task";

/// How many threads the process has; 0 if the system does not say.
pub(super) fn count() -> u64 {
    // The folder itself has two links, and one for each thread.
    fs::metadata(FOLDER).map_or(0, |folder| folder.nlink().saturating_sub(2))
}

/// Writes the numbers of the threads to `found`, of many only `most`.
pub(super) fn list(found: &mut Vec<u32>, most: usize) {
    found.clear();
    let entries = fs::read_dir(FOLDER).into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    found.extend(numbers.take(most));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::{count, list};
    use crate::own_thread::own_thread;

    #[test]
    fn a_new_thread_is_counted_and_listed() {
        let (tell, told) = channel();
        let (end, wait) = channel::<()>();
        let other = thread::spawn(move || {
            tell.send(own_thread().unsigned_abs()).unwrap();
            wait.recv().unwrap_err();
        });
        let tid = told.recv().unwrap();
        // Other tests may have threads, too.
        assert!(count() >= 2);
        let mut found = Vec::new();
        list(&mut found, 4096);
        assert!(found.contains(&tid) && found.contains(&own_thread().unsigned_abs()));
        list(&mut found, 1);
        assert_eq!(found.len(), 1);
        drop(end);
        other.join().unwrap();
    }
}
