//! The mapping table: counts, lookups, removal.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

use crate::location::ItemName;
use crate::mapping::{Count, CountKind, Match, NewEntry, Release, Request, Table};
use crate::plugin::Address;

const FIRST: u64 = 1;
const SECOND: u64 = 2;

fn request(construct: u64) -> Request {
    let count = CountKind::Dynamic;
    Request { construct, count, takes_reference: true, is_always_to: false, is_to: true }
}

fn release() -> Release {
    Release {
        count: CountKind::Dynamic,
        releases_reference: true,
        deletes: false,
        is_from: true,
        is_always_from: false,
    }
}

fn insert(table: &mut Table, host: Range<usize>, base: usize, request: &Request) {
    let (device, name) = (Address(host.start + 10_000), ItemName::default());
    let new = NewEntry { host, base, device, allocation: Some(device), name, origin: None };
    let mapped = table.insert(new, request);
    assert!(mapped.is_new && mapped.needs_transfer == request.is_to);
    mapped.filled.expect("a new entry is filled").gate.end_filling();
}

#[test]
fn data_go_once_and_come_with_the_last_reference() {
    let mut table = Table::default();
    let range = 100..200;
    insert(&mut table, range.clone(), 100, &request(FIRST));
    let again = table.map(100, &range, &request(SECOND)).expect("it is there");
    assert!(!again.is_new && !again.needs_transfer && again.ticket.is_none());
    assert_eq!(again.address, Address(10_100));
    let not_last = table.release(100, &range, &release()).expect("it is there");
    assert!(!not_last.needs_transfer && not_last.leaving.is_none());
    let last = table.release(100, &range, &release()).expect("it is there");
    assert!(last.needs_transfer);
    let (key, shared) = last.leaving.expect("nobody has a reference");
    assert!(table.present(&range).is_none(), "without references it is not present");
    assert!(table.release(100, &range, &release()).is_none());
    assert_eq!(table.remove(key, &shared).and_then(|it| it.allocation), Some(Address(10_100)));
    assert_eq!(table.find(&range), Match::Absent);
}

#[test]
fn the_child_of_a_fork_takes_back_what_other_threads_had_begun() {
    let mut table = Table::default();
    insert(&mut table, 100..200, 100, &request(FIRST));
    insert(&mut table, 300..400, 300, &request(FIRST));
    // One thread has a turn, another one has released the last reference.
    let turn = table.ticket(100).expect("it is there").enter();
    let leaving = table.release(300, &(300..400), &release()).expect("it is there").leaving;
    let (key, shared) = leaving.expect("nobody has a reference");
    assert!(!table.get(100).expect("it is there").shared.gate.is_idle());
    table.forget_turns();
    assert_eq!(table.find(&(300..400)), Match::Absent);
    // The thread that is left may go on with what it had begun: it finds nothing to free.
    assert!(table.remove(key, &shared).is_none());
    let kept = table.get(100).expect("it is there");
    assert!(kept.shared.gate.is_idle() && kept.dynamic == Count::Finite(1));
    drop(turn);
}

#[test]
fn a_reference_while_an_entry_leaves_keeps_it_and_brings_the_data_anew() {
    let mut table = Table::default();
    let range = 100..200;
    insert(&mut table, range.clone(), 100, &request(FIRST));
    let last = table.release(100, &range, &release()).expect("it is there");
    let back = table.map(100, &range, &request(SECOND)).expect("it is still in the table");
    assert!(back.is_new && back.needs_transfer);
    let (key, shared) = last.leaving.expect("nobody had a reference");
    assert!(table.remove(key, &shared).is_none(), "the second construct has a reference");
    assert!(table.present(&range).is_some());
    // Turns come in the order of the table's decisions: the data came before they go again.
    let (first, second) = (last.ticket.expect("data come"), back.ticket.expect("data go"));
    let second = std::thread::spawn(move || drop(second.enter()));
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(!second.is_finished(), "the second waits for the first");
    drop(first.enter());
    second.join().expect("the turn came");
}

#[test]
fn members_move_with_the_construct_that_made_the_entry() {
    let mut table = Table::default();
    let parent = Request { is_to: false, ..request(FIRST) };
    insert(&mut table, 100..200, 100, &parent);
    let member = |construct| Request { takes_reference: false, ..request(construct) };
    let first = table.map(100, &(120..124), &member(FIRST)).expect("it is there");
    assert!(first.needs_transfer && !first.is_new);
    drop(first);
    let second = table.map(100, &(120..124), &member(SECOND)).expect("it is there");
    assert!(!second.needs_transfer);
    // A member's release takes no reference, but the data come with the structure's last one.
    let member = Release { releases_reference: false, ..release() };
    let released = table.release(100, &(120..124), &member).expect("it is there");
    assert!(released.needs_transfer && released.leaving.is_none());
}

#[test]
fn each_count_keeps_the_entry() {
    let mut table = Table::default();
    insert(&mut table, 100..200, 100, &Request { count: CountKind::Hold, ..request(FIRST) });
    let delete = Release { deletes: true, ..release() };
    let deleted = table.release(100, &(100..200), &delete).expect("it is there");
    assert!(deleted.leaving.is_none(), "delete does not concern the references of ompx_hold");
    let hold = Release { count: CountKind::Hold, ..release() };
    let last = table.release(100, &(100..200), &hold).expect("it is there");
    assert!(last.leaving.is_some() && last.needs_transfer);
}

#[test]
fn permanent_entries_stay() {
    let mut table = Table::default();
    assert!(table.insert_permanent(100..200, Address(1), ItemName::default()));
    assert!(
        !table.insert_permanent(150..250, Address(2), ItemName::default()),
        "entries never overlap"
    );
    let delete = Release { deletes: true, ..release() };
    let deleted = table.release(100, &(100..200), &delete).expect("it is there");
    assert!(deleted.leaving.is_none() && !deleted.needs_transfer);
    assert_eq!(table.get(100).map(|entry| entry.dynamic), Some(Count::Infinite));
    assert!(table.remove_permanent(101).is_none());
    assert!(table.remove_permanent(100).is_some());
}

#[test]
fn lookups_tell_parts_from_the_whole() {
    let mut table = Table::default();
    insert(&mut table, 100..200, 60, &request(FIRST));
    assert_eq!(table.find(&(100..200)), Match::Within(100));
    assert_eq!(table.find(&(150..151)), Match::Within(100));
    assert_eq!(table.find(&(50..101)), Match::Partly(100));
    assert_eq!(table.find(&(199..300)), Match::Partly(100));
    assert_eq!(table.find(&(50..300)), Match::Partly(100));
    assert_eq!(table.find(&(200..300)), Match::Absent);
    // An address is found from the base on.
    assert_eq!(table.find(&(60..60)), Match::Within(100));
    assert_eq!(table.find(&(59..59)), Match::Absent);
    assert_eq!(table.find(&(199..199)), Match::Within(100));
    assert_eq!(table.find(&(200..200)), Match::Absent);
}

/// What a construct of a random program does with one of eight arrays.
#[derive(Clone, Copy, Debug)]
enum Step {
    Begin(usize),
    End(usize),
    Delete(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), 0..8_usize).prop_map(|(kind, array)| match kind % 8 {
        0..4 => Step::Begin(array),
        4..7 => Step::End(array),
        _ => Step::Delete(array),
    });
    vec(step, 1..200)
}

proptest! {
    #[test]
    fn counts_agree_with_a_plain_count(steps in steps()) {
        let (mut table, mut counts) = (Table::default(), [0_u64; 8]);
        for (number, step) in steps.into_iter().enumerate() {
            let (array, is_begin) = match step {
                Step::Begin(array) => (array, true),
                Step::End(array) | Step::Delete(array) => (array, false),
            };
            let range = array * 100..array * 100 + 64;
            let deletes = matches!(step, Step::Delete(_));
            if is_begin {
                counts[array] += 1;
                match table.find(&range) {
                    Match::Within(key) => {
                        let mapped = table.map(key, &range, &request(number as u64 + 1));
                        prop_assert!(mapped.is_some_and(|it| !it.needs_transfer));
                    }
                    _ => insert(&mut table, range, array * 100, &request(number as u64 + 1)),
                }
                continue;
            }
            let expected = match counts[array] {
                0 => None,
                count => Some(deletes || count == 1),
            };
            counts[array] = if deletes { 0 } else { counts[array].saturating_sub(1) };
            let key = array * 100;
            let released = table.release(key, &range, &Release { deletes, ..release() });
            prop_assert_eq!(released.as_ref().map(|it| it.needs_transfer), expected);
            if let Some((key, shared)) = released.and_then(|it| it.leaving) {
                prop_assert!(table.remove(key, &shared).is_some());
            }
        }
        for (array, &count) in counts.iter().enumerate() {
            let range = array * 100..array * 100 + 64;
            let found = table.present(&range).map(|entry| entry.dynamic);
            prop_assert_eq!(found, (count > 0).then_some(Count::Finite(count)));
        }
    }
}
