//! What holds of every pair of programs.

use std::collections::BTreeSet;

use crate::made::{construct, run, set};
use oxomp_compare::{Comparison, Construct, Group, RunSet, Verdict, pairs, to_json, to_text};
use oxomp_text::Style;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

fn any_construct() -> impl Strategy<Value = Construct> {
    let kinds = prop_oneof![
        Just((Group::Region, "parallel")),
        Just((Group::Loop, "loop")),
        Just((Group::Lock, "critical")),
        Just((Group::Barrier, "barrier")),
    ];
    let function = prop_oneof!["a", "b", "c", "d"];
    (kinds, function, 1_u32..40)
        .prop_map(|((group, name), function, line)| construct(group, name, &function, line))
}

fn any_set() -> impl Strategy<Value = RunSet> {
    let times = prop::collection::vec((any_construct(), 0.0..1e9), 0..12);
    let runs = prop::collection::vec((1e6..1e10, times), 1..7);
    runs.prop_map(|runs| set("x", runs.iter().map(|(wall, times)| run(*wall, times)).collect()))
}

fn mirrored(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Same => Verdict::Same,
        Verdict::Less => Verdict::More,
        Verdict::More => Verdict::Less,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_run_does_not_differ_from_itself(set in any_set()) {
        let comparison = Comparison::of(set.clone(), set, 0.0);
        let rows = comparison.constructs.iter().chain(&comparison.parts).chain([&comparison.wall]);
        for row in rows {
            prop_assert_eq!(row.change.by, 0.0);
            prop_assert!(!row.counts_as_change());
            prop_assert!(row.change.before.is_some() && row.change.after.is_some());
        }
        let text = to_text(&comparison, &[], Style::plain());
        prop_assert!(text.contains("No change of the wall time"), "{}", text);
    }

    #[test]
    fn changes_in_the_other_direction_are_the_negative_ones(a in any_set(), b in any_set()) {
        let there = Comparison::of(a.clone(), b.clone(), 0.05);
        let back = Comparison::of(b, a, 0.05);
        prop_assert_eq!(there.wall.change.by, -back.wall.change.by);
        prop_assert_eq!(there.constructs.len(), back.constructs.len());
        let name = |row: &oxomp_compare::Row, swap: bool| match &row.subject {
            oxomp_compare::Subject::Construct((one, other)) if swap => {
                (other.clone(), one.clone())
            }
            oxomp_compare::Subject::Construct(pair) => pair.clone(),
            other => panic!("{other:?}"),
        };
        for row in &there.constructs {
            let pair = name(row, false);
            let other = back.constructs.iter().find(|other| name(other, true) == pair);
            let Some(other) = other else { panic!("{pair:?} has other partners") };
            prop_assert_eq!(row.change.by, -other.change.by);
            prop_assert_eq!(row.change.before, other.change.after);
            prop_assert_eq!(row.change.verdict, mirrored(other.change.verdict));
        }
    }

    #[test]
    fn every_construct_is_in_one_pair(
        a in prop::collection::btree_set(any_construct(), 0..30),
        b in prop::collection::btree_set(any_construct(), 0..30),
    ) {
        let found = pairs(&a, &b);
        let one: Vec<_> = found.iter().filter_map(|(one, _)| one.clone()).collect();
        let other: Vec<_> = found.iter().filter_map(|(_, other)| other.clone()).collect();
        prop_assert_eq!((one.len(), other.len()), (a.len(), b.len()));
        prop_assert_eq!(one.into_iter().collect::<BTreeSet<_>>(), a);
        prop_assert_eq!(other.into_iter().collect::<BTreeSet<_>>(), b);
    }

    #[test]
    fn every_comparison_can_be_shown(a in any_set(), b in any_set(), width in 40_usize..150) {
        let comparison = Comparison::of(a, b, 0.05);
        let text = to_text(&comparison, &[], Style { width, ..Style::plain() });
        prop_assert!(text.contains("wall time"));
        let json = to_json(&comparison, &[]);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }
}
