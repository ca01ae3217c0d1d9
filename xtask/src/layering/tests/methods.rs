//! Which file a method call leads to.

use super::arrows;

const TASK: (&str, &str) = ("task.rs", "pub struct Task;");

#[test]
fn a_call_by_a_name_that_only_one_type_has_is_an_arrow() {
    let found = arrows(&[
        TASK,
        ("pool.rs", "use crate::task::Task;\nimpl Task {\n fn dismiss_workers(&self) {}\n}"),
        ("user.rs", "fn f(x: &X) {\n 0..dismiss_workers();\n x.dismiss_workers();\n}"),
    ]);
    assert_eq!(found, ["pool.rs:1 task.rs Task", "user.rs:3 pool.rs .dismiss_workers()"]);
}

#[test]
fn a_name_that_says_too_little_is_no_arrow() {
    let methods = "impl Task {\n pub fn push(&self) {}\n pub fn as_ref(&self) {}\n pub fn is_full(&self) {}\n}";
    let found = arrows(&[
        ("task.rs", &format!("pub struct Task;\n{methods}")),
        ("other.rs", "struct Other;\nimpl Other { fn is_full(&self) {} }"),
        ("user.rs", "fn f(x: &X) { x.push(); x.as_ref(); x.is_full(); x.is_full; }"),
    ]);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_method_of_a_trait_is_no_arrow() {
    let found = arrows(&[
        (
            "task.rs",
            "pub trait Waits { fn is_over(&self); }\nimpl Waits for u8 { fn is_over(&self) {} }",
        ),
        ("user.rs", "fn f(x: &X) { x.is_over() }"),
    ]);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_member_named_by_its_type_leads_to_the_block_that_has_it() {
    let found = arrows(&[
        TASK,
        ("make.rs", "use crate::task::Task;\nimpl<'a> Task {\n pub fn new() {}\n}"),
        ("user.rs", "use crate::task::Task;\nfn f() { Task::new() }"),
        ("own.rs", "use crate::task::Task;\nimpl Task { fn g() { Self::new() } }"),
    ]);
    let wanted = ["user.rs:2 make.rs Task::new", "own.rs:2 make.rs Self::new"];
    assert!(wanted.iter().all(|arrow| found.contains(&(*arrow).to_owned())), "{found:?}");
}

#[test]
fn a_name_that_another_crate_has_is_no_arrow() {
    let folder = super::write(&[
        ("task.rs", "pub struct Task;\nimpl Task { pub fn ring_once(&self) {} }"),
        ("user.rs", "fn f(x: &X) { x.ring_once() }"),
    ]);
    let arrows = |foreign: &[&str]| {
        let foreign = foreign.iter().map(|&name| name.to_owned()).collect();
        super::inside(folder.path(), &foreign, super::NO_RULES).arrows.len()
    };
    assert_eq!(arrows(&[]), 1);
    assert_eq!(arrows(&["ring_once"]), 0);
}
