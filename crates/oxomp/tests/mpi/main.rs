//! The times of MPI's calls, with Open MPI and with MPICH, in C and in Fortran: what programs do is
//! known, and the document of the job says it.

use std::collections::BTreeMap;

use serde_json::Value;

mod archive;
mod place;
mod waits;

use place::{Place, implementations, oxomp};

/// What a document says of each function: calls, bytes, the longest time in ns.
fn functions(job: &Value) -> BTreeMap<String, [u64; 3]> {
    let rows = job["mpi"].as_array().expect("functions").iter();
    rows.map(|row| {
        let name = row["name"].as_str().expect("a name").to_owned();
        let number = |key: &str| row["sums"][key].as_u64().expect("a number");
        (name, ["calls", "bytes", "longest_ns"].map(number))
    })
    .collect()
}

#[track_caller]
fn assert_says(functions: &BTreeMap<String, [u64; 3]>, expected: &[(&str, u64, u64)]) {
    for (name, calls, bytes) in expected {
        let found = functions.get(*name).map(|it| (it[0], it[1]));
        assert_eq!(found, Some((*calls, *bytes)), "{name} in {functions:#?}");
    }
}

/// What three ranks of `mpi_calls.c` do, whatever its argument.
const THREE_RANKS: [(&str, u64, u64); 11] = [
    ("MPI_Barrier", 3, 0),
    ("MPI_Irecv", 30, 0),
    ("MPI_Isend", 30, 30 * 800),
    ("MPI_Waitall", 30, 0),
    ("MPI_Send", 3, 0),
    ("MPI_Allreduce", 3, 3 * 800),
    ("MPI_Alltoall", 3, 27),
    ("MPI_Scatter", 3, 9),
    ("MPI_Bcast", 3, 3 * 400),
    ("MPI_Finalize", 3, 0),
    ("MPI_Init", 3, 0),
];

#[test]
fn calls_bytes_and_waits_are_those_of_the_program() {
    for mpi in implementations() {
        for openmp in [&["-fopenmp"][..], &[]] {
            let place = Place::new(mpi);
            place.compile(mpi.c, "mpi_calls.c", "app", openmp);
            let output = place.profile(3, &["./app"], &[]);
            assert!(output.status.success(), "{output:#?}");
            let job = place.job();
            let functions = functions(&job);
            assert_says(&functions, &THREE_RANKS);
            assert_eq!(functions.len(), THREE_RANKS.len(), "{functions:#?}");
            // The others wait for the rank that sleeps.
            assert!(functions["MPI_Barrier"][2] >= 150_000_000, "{functions:#?}");
            let processes = job["processes"].as_array().unwrap();
            assert!(processes.iter().all(|one| one["mpi_is_timed"] == true), "{job:#}");
            let [zero, one] = [0, 1].map(|rank: usize| {
                let number = |key: &str| processes[rank][key].as_u64().unwrap();
                number("recorded_ns") - number("mpi_ns")
            });
            assert!(zero >= one.min(200_000_000), "{zero} and {one}");
            for level in ["hybrid", "mpi", "openmp"] {
                assert!(job["pop"][level]["parallel"].as_f64().unwrap() > 0.0, "{job:#}");
            }
            // Which region a call was in.
            let rank = place.command(&[&oxomp(), "report", "data/rank-1.oxp", "--json=-"]).output();
            let rank: Value = serde_json::from_slice(&rank.unwrap().stdout).expect("a document");
            let rows = rank["mpi"].as_array().unwrap().iter();
            let regions = rows.filter(|row| !row["region"].is_null());
            let regions: Vec<_> = regions.map(|row| row["function"].as_str().unwrap()).collect();
            assert_eq!(regions, if openmp.is_empty() { vec![] } else { vec!["MPI_Bcast"] });
        }
    }
}

#[test]
fn bindings_of_fortran_count_each_call_once() {
    for mpi in implementations() {
        for options in [&["-cpp", "-fopenmp"][..], &["-cpp", "-fopenmp", "-DF08"]] {
            let place = Place::new(mpi);
            place.compile(mpi.fortran, "mpi_calls.f90", "app", options);
            let output = place.profile(2, &["./app"], &[]);
            assert!(output.status.success(), "{output:#?}");
            let functions = functions(&place.job());
            assert_says(
                &functions,
                &[
                    ("MPI_Init", 2, 0),
                    ("MPI_Send", 5, 5 * 400),
                    ("MPI_Recv", 5, 0),
                    ("MPI_Barrier", 2, 0),
                    ("MPI_Finalize", 2, 0),
                ],
            );
            assert_eq!(functions.len(), 5, "{functions:#?}");
        }
    }
}

#[test]
fn threads_may_call_at_the_same_time() {
    for mpi in implementations() {
        let place = Place::new(mpi);
        place.compile(mpi.c, "mpi_calls.c", "app", &["-fopenmp"]);
        let output = place.profile(3, &["./app", "threads"], &[]);
        assert!(output.status.success(), "{output:#?}");
        let functions = functions(&place.job());
        let (sends, bytes) = (functions["MPI_Send"][0], functions["MPI_Send"][1]);
        // Without MPI_THREAD_MULTIPLE the threads do not send.
        assert!([(3, 0), (103, 8000)].contains(&(sends, bytes)), "{functions:#?}");
        assert_says(&functions, &[("MPI_Init_thread", 3, 0), ("MPI_Isend", 30, 30 * 800)]);
    }
}

#[test]
fn a_call_that_is_left_by_a_jump_hides_no_other() {
    for mpi in implementations() {
        let place = Place::new(mpi);
        place.compile(mpi.c, "mpi_calls.c", "app", &["-fopenmp"]);
        let output = place.profile(3, &["./app", "jump"], &[]);
        assert!(output.status.success(), "{output:#?}");
        let functions = functions(&place.job());
        assert_says(&functions, &THREE_RANKS);
        assert_says(&functions, &[("MPI_Comm_dup", 3, 0)]);
    }
}

#[test]
fn another_tool_of_the_same_kind_goes_on() {
    for mpi in implementations() {
        let place = Place::new(mpi);
        place.compile(mpi.c, "mpi_calls.c", "app", &["-fopenmp"]);
        place.compile(mpi.c, "mpi_tool.c", "libtool.so", &["-shared", "-fPIC"]);
        let tool = place.path("libtool.so").display().to_string();
        let output = place.profile(3, &["./app"], &[("LD_PRELOAD", &tool)]);
        assert!(output.status.success(), "{output:#?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("the tool saw 30"), "{output:#?}");
        let functions = functions(&place.job());
        // The tool's own calls are part of the call in which it makes them.
        assert_says(&functions, &THREE_RANKS);
        assert_eq!(functions.len(), THREE_RANKS.len(), "{functions:#?}");
    }
}

#[test]
fn a_job_that_aborts_has_its_calls_until_then() {
    for mpi in implementations() {
        let place = Place::new(mpi);
        place.compile(mpi.c, "mpi_calls.c", "app", &["-fopenmp"]);
        let output = place.profile(3, &["./app", "abort"], &[]);
        assert!(!output.status.success(), "{output:#?}");
        let functions = functions(&place.job());
        assert_says(&functions, &[("MPI_Allreduce", 3, 3 * 800), ("MPI_Bcast", 3, 3 * 400)]);
    }
}

#[test]
fn the_library_is_loaded_where_there_may_be_mpi() {
    let Some(mpi) = implementations().next() else { return };
    let place = Place::new(mpi);
    place.compile(mpi.c, "mpi_calls.c", "app", &["-fopenmp"]);
    let preloads = |words: &[&str], rank: Option<&str>| {
        let oxomp = oxomp();
        let mut command =
            place.command(&[&[oxomp.as_str(), "profile", "-v", "--"], words].concat());
        if let Some(rank) = rank {
            command.env("PMI_RANK", rank).env("PMI_SIZE", "2");
        }
        let said = command.output().unwrap().stderr;
        String::from_utf8_lossy(&said).contains("liboxomp_mpi.so")
    };
    assert!(!preloads(&["true"], None));
    assert!(preloads(&["true"], Some("0")), "a rank");
    // A single process of MPI, without a launcher.
    assert!(preloads(&["./app"], None), "a program that links MPI");
}
