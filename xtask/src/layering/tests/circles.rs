//! Which circles may stay.

use super::super::floors::Rules;
use super::{RULES, breaches, with_all_rooms};

const BOTH: Rules = Rules {
    pairs: &[("block", "task/state", "embeds"), ("task/state", "block", "is run by")],
    ..RULES
};

const BLOCK: (&str, &str) = ("block.rs", "use crate::task::state::Task;\npub struct Team;");
const STATE: (&str, &str) = ("task/state.rs", "use crate::block::Team;\npub struct Task;");

#[test]
fn the_blocks_may_form_one_circle_across_rooms() {
    assert_eq!(breaches(&BOTH, &with_all_rooms(&[BLOCK, STATE])), Vec::<String>::new());
}

#[test]
fn a_circle_of_too_many_blocks_is_named() {
    let files = with_all_rooms(&[
        ("block/mod.rs", "use crate::task::state::Task;\npub struct Team;"),
        ("task/state/mod.rs", "use self::a::A;\npub struct Task;"),
        ("task/state/a.rs", "use super::b::B;\npub struct A;"),
        ("task/state/b.rs", "use crate::block::Team;\npub struct B;"),
    ]);
    let files: Vec<_> = files
        .into_iter()
        .filter(|(name, _)| !["block.rs", "task/state.rs"].contains(name))
        .collect();
    let found = breaches(&BOTH, &files);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("4 files use each other"), "{found:?}");
    assert!(found[0].contains("the circle of the blocks may have 3"), "{found:?}");
}

#[test]
fn a_circle_with_a_file_that_is_no_block_is_named_by_the_arrow_out() {
    let rules = Rules { exceptions: &[("block.rs", "barrier.rs", "for this test")], ..RULES };
    let files = with_all_rooms(&[
        ("block.rs", "\nuse crate::barrier::meet;\npub struct Team;"),
        ("barrier.rs", "use crate::block::Team;\npub fn meet() {}"),
    ]);
    let found = breaches(&rules, &files);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("block.rs:2: 2 files use each other"), "{found:?}");
    assert!(found[0].contains("outside the blocks a circle stays in one room"), "{found:?}");
}

#[test]
fn a_small_circle_stays_in_its_room_and_a_large_one_is_named() {
    let a = ("task/a.rs", "use super::run::run;\npub struct A;");
    let small = [a, ("task/run.rs", "use super::a::A;\npub fn run() {}")];
    assert_eq!(breaches(&RULES, &with_all_rooms(&small)), Vec::<String>::new());
    let large = [
        a,
        ("task/run.rs", "use super::b::B;\npub fn run() {}"),
        ("task/b.rs", "use super::a::A;\npub struct B;"),
    ];
    let found = breaches(&RULES, &with_all_rooms(&large));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("3 files use each other"), "{found:?}");
}
