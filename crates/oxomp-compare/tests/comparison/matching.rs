//! Which construct is which after the program's text was edited: programs made by hand.

use std::collections::BTreeSet;

use crate::made::{construct, region, spot};
use oxomp_compare::{Construct, Group, Kind, pairs};

/// The pairs as `function:line` before and after, by line after, those that are gone last.
fn matched(before: &[Construct], after: &[Construct]) -> Vec<(String, String)> {
    let set = |constructs: &[Construct]| constructs.iter().cloned().collect::<BTreeSet<_>>();
    let mut pairs = pairs(&set(before), &set(after));
    pairs.sort_by_key(|(one, other)| {
        let line = |of: &Option<Construct>| of.as_ref().and_then(|of| of.spot.as_ref()?.line);
        (other.is_none(), line(other), line(one))
    });
    let name = |of: &Option<Construct>| {
        let of = of.as_ref();
        of.map_or("-".to_owned(), |of| {
            let line = of.spot.as_ref().and_then(|spot| spot.line).unwrap_or_default();
            format!("{}:{line}", of.function())
        })
    };
    pairs.iter().map(|(one, other)| (name(one), name(other))).collect()
}

fn expect(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect()
}

#[test]
fn lines_that_shift_do_not_matter() {
    let before = [region("relax", 10), region("relax", 20), region("norm", 40)];
    let after = [region("relax", 17), region("relax", 35), region("norm", 90)];
    let same = [("relax:10", "relax:17"), ("relax:20", "relax:35"), ("norm:40", "norm:90")];
    assert_eq!(matched(&before, &after), expect(&same));
}

#[test]
fn a_function_that_moves_before_another_is_the_same() {
    let before = [region("relax", 10), region("norm", 40)];
    let after = [region("norm", 12), region("relax", 50)];
    let same = [("norm:40", "norm:12"), ("relax:10", "relax:50")];
    assert_eq!(matched(&before, &after), expect(&same));
}

#[test]
fn a_construct_that_appears_is_new_and_the_others_keep_their_partners() {
    let before = [region("step", 10), region("step", 20), region("step", 30)];
    // Five lines were put in at the top, and a region between the second and the third.
    let after = [region("step", 15), region("step", 25), region("step", 28), region("step", 40)];
    let found = matched(&before, &after);
    let same =
        [("step:10", "step:15"), ("step:20", "step:25"), ("-", "step:28"), ("step:30", "step:40")];
    assert_eq!(found, expect(&same));
}

#[test]
fn a_construct_that_vanishes_is_gone() {
    let before = [region("step", 10), region("step", 20), region("step", 30)];
    let after = [region("step", 20), region("step", 30)];
    let same = [("step:20", "step:20"), ("step:30", "step:30"), ("step:10", "-")];
    assert_eq!(matched(&before, &after), expect(&same));
}

#[test]
fn a_renamed_function_is_known_by_what_is_in_it() {
    let critical = |function: &str, line| construct(Group::Lock, "critical", function, line);
    let before = [region("relax", 10), region("histogram", 20), critical("histogram", 21)];
    let after = [region("smooth", 11), region("count_values", 22), critical("count_values", 23)];
    let same = [
        ("relax:10", "smooth:11"),
        ("histogram:20", "count_values:22"),
        ("histogram:21", "count_values:23"),
    ];
    assert_eq!(matched(&before, &after), expect(&same));
}

#[test]
fn the_only_function_that_went_became_the_only_one_that_came() {
    let before = [region("main", 10), region("work", 20), region("work", 30)];
    let after = [region("main", 10), region("work_hard", 20)];
    let found = matched(&before, &after);
    let same = [("main:10", "main:10"), ("work:20", "work_hard:20"), ("work:30", "-")];
    assert_eq!(found, expect(&same));
}

#[test]
fn a_function_that_moved_to_another_file_is_the_same() {
    let before = [region("relax", 10)];
    let mut moved = region("relax", 99);
    moved.spot.as_mut().unwrap().file = Some("relax.c".to_owned());
    assert_eq!(matched(&before, &[moved]), expect(&[("relax:10", "relax:99")]));
}

#[test]
fn constructs_of_different_kinds_are_never_one() {
    let before = [construct(Group::Lock, "critical", "add", 10)];
    let after = [construct(Group::Lock, "atomic", "add", 10)];
    assert_eq!(matched(&before, &after), expect(&[("-", "add:10"), ("add:10", "-")]));
}

#[test]
fn programs_without_lines_are_matched_by_their_order() {
    let at = |offset| {
        let mut region = region("", 0);
        let spot = region.spot.as_mut().unwrap();
        (spot.file, spot.function, spot.line, spot.offset) = (None, None, None, offset);
        region
    };
    let set = |offsets: &[u64]| offsets.iter().map(|offset| at(*offset)).collect::<BTreeSet<_>>();
    let found = pairs(&set(&[0x100, 0x200]), &set(&[0x180, 0x2a0]));
    assert_eq!(found, [(Some(at(0x100)), Some(at(0x180))), (Some(at(0x200)), Some(at(0x2a0)))]);
}

#[test]
fn serial_code_is_matched_by_the_regions_around_it() {
    let stretch = |after: Option<u32>, before: Option<u32>| Construct {
        kind: Kind { group: Group::Serial, name: "serial code" },
        spot: after.map(|line| spot("main", line)),
        other: before.map(|line| spot("main", line)),
    };
    let before: BTreeSet<_> = [
        region("main", 10),
        region("main", 20),
        stretch(None, Some(10)),
        stretch(Some(10), Some(20)),
        stretch(Some(20), None),
    ]
    .into();
    let after: BTreeSet<_> = [
        region("main", 13),
        region("main", 28),
        stretch(None, Some(13)),
        stretch(Some(13), Some(28)),
        stretch(Some(28), Some(13)),
    ]
    .into();
    let found = pairs(&before, &after);
    for pair in [
        (Some(stretch(None, Some(10))), Some(stretch(None, Some(13)))),
        (Some(stretch(Some(10), Some(20))), Some(stretch(Some(13), Some(28)))),
        (Some(stretch(Some(20), None)), None),
        (None, Some(stretch(Some(28), Some(13)))),
    ] {
        assert!(found.contains(&pair), "{pair:?} in {found:#?}");
    }
    assert_eq!(found.len(), 6);
}
