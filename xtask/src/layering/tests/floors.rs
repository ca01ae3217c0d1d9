//! Which arrows the floors allow.

use super::super::floors::{Floor, Rules};
use super::super::stale::Stale;
use super::{RULES, breaches, with_all_rooms};

#[test]
fn arrows_down_and_inside_a_room_pass() {
    let files = with_all_rooms(&[
        ("lib.rs", "pub use parallel::fork;"),
        ("barrier.rs", "use crate::block::Team;\nuse crate::os;\nfn f() { os::page() }"),
        ("task/run.rs", "use super::state::Task;\nuse super::other::X;"),
        ("task/other.rs", "pub struct X;"),
    ]);
    assert_eq!(breaches(&RULES, &files), Vec::<String>::new());
}

#[test]
fn an_arrow_up_names_file_line_rule_and_remedy() {
    let files =
        with_all_rooms(&[("barrier.rs", "\nuse crate::{\n    parallel::fork,\n};\nfn f() {}")]);
    let found = breaches(&RULES, &files);
    assert_eq!(found.len(), 1, "{found:?}");
    let wanted = "barrier.rs:3: `barrier.rs` (floor 3 constructs) uses fork of `parallel.rs` \
                  (floor 4 top): arrows go down. Move";
    assert!(found[0].starts_with(wanted), "{found:?}");
}

#[test]
fn the_longest_prefix_places_a_file() {
    assert_eq!(RULES.room("task/state/queue.rs").map(|room| room.floor), Some(1));
    assert_eq!(RULES.room("task/state.rs").map(|room| room.floor), Some(1));
    assert_eq!(RULES.room("task/mod.rs").map(|room| room.floor), Some(2));
    assert_eq!(RULES.room("tasks.rs"), None);
    let files = with_all_rooms(&[("task/state.rs", "use super::run::run;\npub struct Task;")]);
    let found = breaches(&RULES, &files);
    assert!(found[0].contains("(floor 2 blocks) uses run of `task/run.rs` (floor 3"), "{found:?}");
}

#[test]
fn a_reexport_at_the_root_hides_no_arrow() {
    let files = with_all_rooms(&[
        ("lib.rs", "pub use parallel::fork;"),
        ("task/run.rs", "use crate::fork;\nfn f() {}"),
    ]);
    assert!(breaches(&RULES, &files)[0].contains("fork of `parallel.rs`"));
}

const NEIGHBOURS: [(&str, &str); 1] =
    [("barrier.rs", "use crate::task::run::run;\nfn f() { run() }")];

#[test]
fn neighbours_do_not_meet() {
    let found = breaches(&RULES, &with_all_rooms(&NEIGHBOURS));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("barrier.rs:1: "), "{found:?}");
    assert!(found[0].contains("a neighbour on floor 3 constructs"), "{found:?}");
}

#[test]
fn a_listed_pair_passes_one_way() {
    let rules = Rules { pairs: &[("barrier", "task", "threads that wait run tasks")], ..RULES };
    assert_eq!(breaches(&rules, &with_all_rooms(&NEIGHBOURS)), Vec::<String>::new());
    let back = [("task/run.rs", "use crate::barrier::meet;\npub fn run() {}"), NEIGHBOURS[0]];
    let found = breaches(&rules, &with_all_rooms(&back));
    assert!(found[0].starts_with("task/run.rs:1: "), "{found:?}");
}

#[test]
fn a_pair_that_no_file_needs_is_named() {
    let rules = Rules { pairs: &[("task", "barrier", "once needed")], ..RULES };
    let found = breaches(&rules, &with_all_rooms(&[]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].ends_with("no file needs the pair `task` → `barrier`: remove it"),
        "{found:?}"
    );
}

#[test]
fn an_exception_lets_one_file_use_one_file_above() {
    let rules =
        Rules { exceptions: &[("block.rs", "parallel.rs", "the first call starts it")], ..RULES };
    let up = "use crate::parallel::fork;\npub struct Team;";
    assert_eq!(breaches(&rules, &with_all_rooms(&[("block.rs", up)])), Vec::<String>::new());
    let other = with_all_rooms(&[("block.rs", up), ("os.rs", up)]);
    assert!(breaches(&rules, &other)[0].starts_with("os.rs:1: "));
    let found = breaches(&rules, &with_all_rooms(&[]));
    assert!(found[0].contains("no file needs the exception `block.rs`"), "{found:?}");
}

#[test]
fn a_file_without_a_room_and_a_room_without_a_file_are_named() {
    let files: Vec<_> = with_all_rooms(&[("new.rs", "pub fn f() {}")])
        .into_iter()
        .filter(|(name, _)| *name != "os.rs")
        .collect();
    let found = breaches(&RULES, &files);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("new.rs:1: `new.rs` lies in no room"), "{found:?}");
    assert!(found[1].contains("no file lies in room `os`"), "{found:?}");
}

#[test]
fn more_than_thirty_files_need_floors() {
    let one_room = Rules { floors: &[Floor { name: "crate", what: "", rooms: &[""] }], ..RULES };
    let names: Vec<String> = (1..=30).map(|number| format!("part_{number}.rs")).collect();
    let mut files: Vec<_> = names.iter().map(|name| (name.as_str(), "pub fn f() {}")).collect();
    let found = breaches(&one_room, &files);
    assert!(found[0].starts_with("lib.rs:1: made-up has 31 files: give it floors"), "{found:?}");
    files.pop();
    assert_eq!(breaches(&one_room, &files), Vec::<String>::new());
}

#[test]
fn a_stale_line_is_found_in_the_source_of_the_tables() {
    let stale = Stale { table: "PAIRS", text: "task", message: String::new() };
    let source = "const FLOORS: X =\n \"task\";\nconst PAIRS: Y = [\n (\"task\", \"os\")\n];";
    assert_eq!(stale.line(source), 4);
}
