//! Waits for other ranks that `mpi_waits.c` plants: the right function, cause, region and rank,
//! and hardly a wait where nobody is late.

use serde_json::Value;

use crate::place::{Mpi, Place, implementations};

/// A planted wait is 200 ms long; a rank may begin to wait so late.
const LEAST_NS: u64 = 150_000_000;

/// A planted wait: what the program is told, and who waits for whom in which function.
#[derive(Debug, Clone, Copy)]
struct Planted {
    what: &'static str,
    function: &'static str,
    cause: &'static str,
    late: u64,
    /// How many ranks wait.
    waiting: u64,
}

const fn planted(
    what: &'static str,
    function: &'static str,
    cause: &'static str,
    late: u64,
    waiting: u64,
) -> Planted {
    Planted { what, function, cause, late, waiting }
}

/// With three ranks.
const PLANTED: [Planted; 11] = [
    planted("send", "MPI_Recv", "late sender", 0, 1),
    planted("receive", "MPI_Send", "late receiver", 1, 1),
    planted("wildcard", "MPI_Recv", "late sender", 0, 1),
    planted("waitall", "MPI_Waitall", "late sender", 0, 1),
    planted("persistent", "MPI_Wait", "late sender", 0, 1),
    planted("probe", "MPI_Mprobe", "late sender", 0, 1),
    planted("bcast", "MPI_Bcast", "late root", 0, 2),
    planted("reduce", "MPI_Reduce", "late member", 1, 1),
    planted("barrier", "MPI_Barrier", "late member", 0, 2),
    planted("allreduce", "MPI_Allreduce", "late member", 0, 2),
    planted("communicators", "MPI_Barrier", "late member", 0, 1),
];

/// The document of the job that three ranks of the program make.
fn job(mpi: Mpi, place: &Place, what: &str) -> Value {
    let output = place.profile(3, &["./app", what], &[]);
    assert!(output.status.success(), "{what} with {mpi:?}: {output:#?}");
    let job = place.job();
    std::fs::remove_dir_all(place.path("data")).expect("the recordings");
    job
}

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_else(|| panic!("{key} of {row:#}"))
}

fn compiled(mpi: Mpi) -> Place {
    let place = Place::new(mpi);
    place.compile(mpi.c, "mpi_waits.c", "app", &["-fopenmp"]);
    place
}

#[test]
fn planted_waits_are_those_of_the_right_function_and_rank() {
    for mpi in implementations() {
        let place = compiled(mpi);
        for one in PLANTED {
            let job = job(mpi, &place, one.what);
            let waits = &job["mpi_waits"];
            let rows = waits["rows"].as_array().expect("rows");
            // Whoever is not late goes on to the end, and waits there; on a busy machine ranks wait
            // for each other in the first barrier, too.
            let is_planted = |row: &&Value| {
                let elsewhere = ["MPI_Finalize", "MPI_Barrier"];
                row["function"] == one.function
                    || !elsewhere.iter().any(|it| row["function"] == *it)
            };
            let is_long = |row: &&Value| number(row, "longest_ns") >= LEAST_NS && is_planted(row);
            let long: Vec<&Value> = rows.iter().filter(is_long).collect();
            let [row] = long.as_slice() else { panic!("{one:?} with {mpi:?}: {waits:#}") };
            assert_eq!(
                (&row["function"], &row["cause"]),
                (&one.function.into(), &one.cause.into())
            );
            assert_eq!(number(row, "late"), one.late, "{one:?} with {mpi:?}: {waits:#}");
            let wait = number(row, "wait_ns");
            assert!(wait >= one.waiting * LEAST_NS, "{one:?} with {mpi:?}: {waits:#}");
            // No other rank waited, but for a little in the first barrier.
            let most = one.waiting * number(row, "longest_ns") + LEAST_NS;
            assert!(wait < most, "{one:?} with {mpi:?}: {waits:#}");
            let in_region = one.what == "allreduce";
            assert_eq!(!row["place"].is_null(), in_region, "{one:?}: {waits:#}");
            assert_eq!(number(waits, "unmatched") + number(waits, "left_out"), 0, "{waits:#}");
            assert_eq!(number(waits, "clock_error_ns"), 0, "one machine: {waits:#}");
            // The sums by function, and the efficiencies, have the waits too.
            let calls = job["mpi"].as_array().expect("functions").iter();
            let of_function = calls.filter(|call| call["name"] == one.function);
            let of_function: Vec<u64> = of_function.map(|call| number(call, "wait_ns")).collect();
            assert!(of_function.iter().sum::<u64>() >= wait, "{job:#}");
            let split = &job["pop"]["mpi_split"];
            let [serialisation, transfer] = ["serialisation", "transfer"]
                .map(|key| split[key].as_f64().unwrap_or_else(|| panic!("{key} of {job:#}")));
            let communication = job["pop"]["mpi"]["communication"].as_f64().expect("a number");
            assert!((serialisation * transfer - communication).abs() < 1e-9, "{job:#}");
        }
    }
}

/// Runs of the program until one is hardly disturbed: on a busy machine a rank lacks a processor
/// after the barrier, too, and the other one does wait for it.
const TRIES: usize = 6;

#[test]
fn transfer_is_no_wait() {
    for mpi in implementations() {
        let place = compiled(mpi);
        let mut tries = Vec::new();
        // Both ends begin right after a barrier.
        let is_undisturbed = |(time, wait): &(u64, u64)| *wait < time / 2;
        while !tries.last().is_some_and(is_undisturbed) {
            assert!(tries.len() < TRIES, "{tries:?} with {mpi:?}");
            let job = job(mpi, &place, "transfer");
            let calls = job["mpi"].as_array().expect("functions").iter();
            let passes = |call: &&Value| call["name"] == "MPI_Send" || call["name"] == "MPI_Recv";
            let (time, wait) = calls.filter(passes).fold((0, 0), |(time, wait), call| {
                (time + number(&call["sums"], "time_ns"), wait + number(call, "wait_ns"))
            });
            assert!(time > 5_000_000, "{time} with {mpi:?}: {job:#}");
            tries.push((time, wait));
        }
    }
}

#[test]
fn of_many_messages_some_stand_for_the_others() {
    for mpi in implementations() {
        let place = compiled(mpi);
        let job = job(mpi, &place, "many");
        let waits = &job["mpi_waits"];
        assert_eq!(waits["estimated"], true);
        // Recorded: 1024 of each direction, and half as many of each doubling, to 20000.
        let matched = number(waits, "matched");
        assert!((2_500..10_000).contains(&matched), "{waits:#}");
        // 200 waits of at least 1 ms, of which about 34 are recorded; and all others, which are
        // long where other programs have the processors.
        let wait = waits["by_process_ns"][1].as_u64().expect("rank 1");
        assert!(wait > 100_000_000, "{waits:#}");
        let calls = job["mpi"].as_array().expect("functions").iter();
        let received = calls.filter(|call| call["name"] == "MPI_Recv");
        let time: u64 = received.map(|call| number(&call["sums"], "time_ns")).sum();
        let rows = waits["rows"].as_array().expect("rows").iter();
        let late: u64 = rows
            .filter(|row| row["cause"] == "late sender")
            .map(|row| number(row, "wait_ns"))
            .sum();
        assert!(late < time + time / 2, "an estimate of a part of {time}: {waits:#}");
    }
}
