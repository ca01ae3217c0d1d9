//! Which file a path leads to.

use super::arrows;

#[test]
fn a_list_is_spread_out_with_the_line_of_each_name() {
    let found = arrows(&[
        ("a.rs", "use crate::{\n    b::B,\n    c::{self, C as D},\n};\nfn f() { c::g() }"),
        ("b.rs", "pub struct B;"),
        ("c.rs", "pub struct C;\npub fn g() {}"),
    ]);
    assert_eq!(found, ["a.rs:2 b.rs B", "a.rs:3 c.rs D c::g"]);
}

#[test]
fn a_reexport_leads_to_the_file_that_defines() {
    let found = arrows(&[
        ("lib.rs", "pub use task::Clauses;"),
        ("a.rs", "use crate::task::{self, Clauses};\nfn f() { task::run() }"),
        ("b.rs", "use crate::Clauses;\nfn f(_: Clauses) {}"),
        ("task/mod.rs", "pub use generate::Clauses;\npub(crate) use self::inner::run;"),
        ("task/generate.rs", "pub struct Clauses;"),
        ("task/inner/mod.rs", "mod deep;\npub(super) use deep::go as run;"),
        ("task/inner/deep.rs", "pub fn go() {}"),
    ]);
    let wanted = [
        "a.rs:1 task/generate.rs Clauses",
        "a.rs:2 task/inner/deep.rs task::run",
        "b.rs:1 task/generate.rs Clauses",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_reexport_from_below_is_a_use_only_where_the_name_is_used() {
    let used = "pub use inner::{A, B};\npub struct Holds(B);";
    let found = arrows(&[("room/mod.rs", used), ("room/inner.rs", "pub struct A;\npub struct B;")]);
    assert_eq!(found, ["room/mod.rs:1 room/inner.rs B"]);
}

#[test]
fn a_reexport_from_elsewhere_is_a_use() {
    let found = arrows(&[("a.rs", "pub use crate::b::B;\nfn f() {}"), ("b.rs", "pub struct B;")]);
    assert_eq!(found, ["a.rs:1 b.rs B"]);
}

#[test]
fn files_that_only_declare_use_nothing() {
    let files = [
        ("lib.rs", "use a::A;\npub fn f(_: A) {}"),
        ("a.rs", "pub struct A;"),
        ("room/mod.rs", "pub use crate::a::A;"),
    ];
    assert!(arrows(&files).is_empty());
}

#[test]
fn super_self_and_modules_inside_a_file_are_followed() {
    let found = arrows(&[
        ("room/mod.rs", "pub struct Own;"),
        (
            "room/a.rs",
            "use super::b::B;\nmod inner {\n use super::super::Own;\n fn f() { super::super::b::g() }\n}",
        ),
        ("room/b.rs", "pub struct B;\npub fn g() {}"),
    ]);
    assert_eq!(found, ["room/a.rs:3 room/mod.rs Own", "room/a.rs:1 room/b.rs B b::g"]);
}

#[test]
fn a_module_and_a_function_of_one_name_are_told_apart() {
    let found = arrows(&[
        ("a.rs", "use crate::task::generate;\nfn f() { generate(); generate::other(); }"),
        ("task/mod.rs", "mod generate;\npub use generate::generate;\npub use generate::other;"),
        ("task/generate.rs", "pub use super::elsewhere::other;\npub fn generate() {}"),
        ("task/elsewhere.rs", "pub fn other() {}"),
    ]);
    let wanted = [
        "a.rs:1 task/generate.rs generate",
        "a.rs:2 task/elsewhere.rs generate::other",
        "task/generate.rs:1 task/elsewhere.rs other",
    ];
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    assert!(wanted.iter().all(|arrow| found.contains(&(*arrow).to_owned())), "{found:?}");
}

#[test]
fn code_names_the_function_where_a_module_is_imported_by_its_name() {
    let found = arrows(&[
        ("a.rs", "use crate::env;\nfn f() { env::places() }"),
        ("env.rs", "use crate::places;\npub fn places() { places::read() }"),
        ("places.rs", "pub fn read() {}"),
    ]);
    assert_eq!(found, ["a.rs:2 env.rs env::places", "env.rs:2 places.rs places::read"]);
}

#[test]
fn imports_in_blocks_macros_and_what_macros_make_count() {
    let found = arrows(&[
        ("a.rs", "fn f() {\n use crate::b::B;\n m!(crate::c::made(), B);\n}"),
        (
            "b.rs",
            "pub struct B;\n#[macro_export]\nmacro_rules! gather { () => { $crate::c::x() } }",
        ),
        ("c.rs", "make! { fn x() }"),
        ("d.rs", "fn f() { crate::gather!() }"),
    ]);
    let wanted =
        ["a.rs:2 b.rs B", "a.rs:3 c.rs c::made", "b.rs:3 c.rs c::x", "d.rs:1 b.rs crate::gather"];
    assert_eq!(found, wanted);
}

#[test]
fn tests_comments_and_strings_are_left_out() {
    let source = "// crate::b\nconst S: &str = \"crate::b\";\n#[cfg(test)]\nuse crate::b::B;\n\
        #[cfg(test)]\nmod tests { use crate::b::B; }\nstruct X {\n #[cfg(test)]\n b: crate::b::B,\n \
        c: crate::c::C,\n}";
    let found = arrows(&[
        ("lib.rs", "#[cfg(test)]\nmod checks;"),
        ("a.rs", source),
        ("b.rs", "pub struct B;"),
        ("c.rs", "pub struct C;"),
        ("checks.rs", "use crate::b::B;"),
    ]);
    assert_eq!(found, ["a.rs:10 c.rs c::C"]);
}
