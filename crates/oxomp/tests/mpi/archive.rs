//! One OTF2 archive of all ranks, as `otf2-print` reads it.

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{Prerequisite, Program};

use crate::place::{Place, implementations, oxomp};

/// What `otf2-print` prints; warnings are errors.
fn printed(place: &Place, options: &[&str]) -> String {
    let words = [&["otf2-print", "-Werror"], options, &["data/otf2/traces.otf2"]].concat();
    let output = place.command(&words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:#?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of events of that kind.
fn of<'a>(events: &'a str, kind: &str) -> Vec<&'a str> {
    events.lines().filter(|line| line.split_whitespace().next() == Some(kind)).collect()
}

/// The location and the time of an event.
fn place_and_time(line: &str) -> (u64, u64) {
    let mut numbers = line.split_whitespace().skip(1).map(|word| word.parse().expect("a number"));
    (numbers.next().expect("a location"), numbers.next().expect("a time"))
}

#[test]
fn an_archive_has_all_ranks_with_their_messages_and_collective_calls() {
    if !has_all(&[Prerequisite::from(Program::Otf2Print)]) {
        return;
    }
    for mpi in implementations() {
        let place = Place::new(mpi);
        place.compile(mpi.c, "mpi_waits.c", "app", &["-fopenmp"]);
        for (what, kind) in [("send", "MPI_RECV"), ("bcast", "MPI_COLLECTIVE_END")] {
            let run = place.profile(3, &["./app", what], &[]);
            assert!(run.status.success(), "{what} with {mpi:?}: {run:#?}");
            let output = place.command(&[&oxomp(), "report", "data", "--otf2"]).output().unwrap();
            assert!(output.status.success(), "{output:#?}");
            let definitions = printed(&place, &["-G"]);
            for rank in 0..3 {
                let name = format!("Name: \"rank {rank} (process ");
                let groups = of(&definitions, "LOCATION_GROUP");
                assert!(groups.iter().any(|line| line.contains(&name)), "{definitions}");
            }
            let world = of(&definitions, "COMM").into_iter().next().expect("a communicator");
            assert!(world.contains("MPI_COMM_WORLD"), "{world}");
            let events = printed(&place, &[]);
            assert!(!of(&events, kind).is_empty(), "{what} with {mpi:?}: {events}");
            let (sent, received) = (of(&events, "MPI_SEND"), of(&events, "MPI_RECV"));
            assert_eq!(sent.len(), received.len(), "{events}");
            if what == "send" {
                // Rank 0 sends late, so rank 1 has it later than rank 0 began to send.
                let (first, last) = (place_and_time(sent[0]), place_and_time(received[0]));
                assert!(first.0 != last.0 && first.1 < last.1, "{sent:?} {received:?}");
            } else {
                let broadcasts = of(&events, kind);
                let is_broadcast = |line: &&&str| line.contains("Operation: BCAST");
                let ranks = broadcasts.iter().filter(is_broadcast).count();
                assert_eq!(ranks, 3, "{what} with {mpi:?}: {events}");
                assert!(broadcasts.iter().any(|line| line.contains("Root: 0 ")), "{events}");
            }
            std::fs::remove_dir_all(place.path("data")).expect("the recordings");
        }
    }
}
