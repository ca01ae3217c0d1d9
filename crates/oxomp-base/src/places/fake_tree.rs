//! The files of an imaginary system, for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An imaginary sysfs in a folder, which is removed on drop.
pub(crate) struct Tree(PathBuf);

impl Tree {
    pub(crate) fn new() -> Self {
        static TREES: AtomicU32 = AtomicU32::new(0);
        let name = format!("oxomp-tree-{}-{}", std::process::id(), TREES.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file of one line.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("{text}\n")).expect("a file");
    }

    /// Adds a cache of a processor.
    pub(crate) fn cache(&self, processor: u32, index: u32, level: u32, kind: &str, shared: &str) {
        let folder = format!("cpu/cpu{processor}/cache/index{index}");
        self.write(&format!("{folder}/level"), &level.to_string());
        self.write(&format!("{folder}/type"), kind);
        self.write(&format!("{folder}/shared_cpu_list"), shared);
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two sockets of two cores of two threads, numbered alternately: even numbers are in socket 0, and
/// second threads have numbers from 4 on. Each core has a cache, and each socket a larger one.
pub(crate) fn two_sockets(names: [&str; 2]) -> Tree {
    let tree = Tree::new();
    for processor in 0..8 {
        let (core, socket) = (processor % 4, processor % 2);
        let siblings = format!("{core},{}", core + 4);
        let package = format!("{socket},{},{},{}", socket + 2, socket + 4, socket + 6);
        let folder = format!("cpu/cpu{processor}/topology");
        tree.write(&format!("{folder}/{}", names[0]), &siblings);
        tree.write(&format!("{folder}/{}", names[1]), &package);
        tree.cache(processor, 0, 1, "Data", &siblings);
        tree.cache(processor, 1, 9, "Instruction", &processor.to_string());
        tree.cache(processor, 2, 2, "Unified", &package);
    }
    tree.write("node/node0/cpulist", "0,2,4,6");
    tree.write("node/node1/cpulist", "1,3,5,7");
    tree.write("node/possible", "0-1");
    tree
}
