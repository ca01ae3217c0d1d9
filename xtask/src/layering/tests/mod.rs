//! The checks on small crates in temporary folders.

mod circles;
mod floors;
mod fork;
mod imports;
mod methods;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::breach::Breach;
use super::floors::{Blocks, Floor, Rules};
use super::inside::Inside;
use super::source::tree::Tree;

/// Writes a crate; each file is declared by the one above, unless that does so itself.
fn write(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut children: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (name, _) in files {
        let module = name.trim_end_matches(".rs").trim_end_matches("/mod");
        children.insert(module.rsplit_once('/').unwrap_or(("lib", module)));
    }
    children.remove(&("lib", "lib"));
    let root = [("lib.rs", "")];
    let has_root = files.iter().any(|(name, _)| *name == "lib.rs");
    for (name, text) in files.iter().chain(root.iter().filter(|_| !has_root)) {
        let module = name.trim_end_matches(".rs").trim_end_matches("/mod");
        let mut text = (*text).to_owned();
        for (_, child) in children.iter().filter(|(parent, _)| *parent == module) {
            let declaration = format!("mod {child};");
            if !text.contains(&declaration) {
                // After the text, so that lines stay.
                text.push_str(&format!("\n{declaration}"));
            }
        }
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    }
    folder
}

/// The crate in `folder`, beside crates with methods of the names `foreign`.
fn inside(folder: &Path, foreign: &BTreeSet<String>, rules: Rules) -> Inside {
    Inside::new("made-up", folder, Tree::read(folder).expect("a crate"), foreign, rules)
}

/// Each arrow as `from:line to names`.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let folder = write(files);
    let inside = inside(folder.path(), &BTreeSet::new(), NO_RULES);
    let show = |arrow: &super::source::arrows::Arrow| {
        let names = arrow.names.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        format!("{}:{} {} {names}", inside.name(arrow.from), arrow.line, inside.name(arrow.to))
    };
    inside.arrows.iter().map(show).collect()
}

/// What breaks `rules`, as `file:line: rule` with the file's path below the crate.
fn breaches(rules: &Rules, files: &[(&str, &str)]) -> Vec<String> {
    let folder = write(files);
    let inside = inside(folder.path(), &BTreeSet::new(), *rules);
    let show = |breach: Breach| {
        let file = breach.file.strip_prefix(folder.path()).unwrap_or(Path::new("the table"));
        Breach { file: file.to_path_buf(), ..breach }.to_string()
    };
    inside.check().into_iter().map(show).collect()
}

const NO_RULES: Rules = Rules {
    table: ("the table", ""),
    floors: &[],
    pairs: &[],
    exceptions: &[],
    blocks: Some(Blocks { floor: "blocks", most: 3 }),
    most_in_room: 2,
};

/// Four floors; the second is the floor of the blocks.
const RULES: Rules = Rules {
    floors: &[
        Floor { name: "machine", what: "", rooms: &["os"] },
        Floor { name: "blocks", what: "", rooms: &["block", "task/state"] },
        Floor { name: "constructs", what: "", rooms: &["barrier", "task"] },
        Floor { name: "top", what: "", rooms: &["parallel"] },
    ],
    ..NO_RULES
};

/// A file for each room of [`RULES`], then `files`, which replace files of the same name.
fn with_all_rooms<'a>(files: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let all = [
        ("os.rs", "pub fn page() {}"),
        ("block.rs", "pub struct Team;"),
        ("task/mod.rs", ""),
        ("task/state.rs", "pub struct Task;"),
        ("task/run.rs", "pub fn run() {}"),
        ("barrier.rs", "pub fn meet() {}"),
        ("parallel.rs", "pub fn fork() {}"),
    ];
    let is_replaced = |name: &str| files.iter().any(|(new, _)| *new == name);
    all.into_iter().filter(|(name, _)| !is_replaced(name)).chain(files.iter().copied()).collect()
}
