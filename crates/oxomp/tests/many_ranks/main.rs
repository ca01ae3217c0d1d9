//! A job of a thousand ranks: the command reads the recordings in bounded memory, and finds the
//! waits that are in them.

use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

mod synthetic;

use synthetic::{Job, LATE_NS, SLOW};

/// The most memory that the command may take, MiB, whatever the number of ranks and events: events
/// take up to 144 MB while they are gathered.
const MOST_MEMORY_MIB: u64 = 256;

/// The document of a job, and the most memory that the command took, MiB.
fn report(job: Job) -> (Value, u64) {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let data = folder.path().join("data");
    job.write(&data).expect("recordings");
    let oxomp = std::env::var("OXOMP_BIN").expect("OXOMP_BIN names the command to test");
    let begin = Instant::now();
    let mut command = Command::new(oxomp);
    command.arg("report").arg(&data).arg("--json=-").stdin(Stdio::null());
    let output = command.output().expect("the command");
    assert!(output.status.success(), "{output:#?}");
    let taken = most_memory_of_children_mib();
    println!("{job:?}: {:.1} s, {taken} MiB", begin.elapsed().as_secs_f64());
    (serde_json::from_slice(&output.stdout).expect("a document"), taken)
}

/// The most memory that one of the ended children had, MiB.
fn most_memory_of_children_mib() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the place has room for the answer, and zeros are a valid one.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    usage.ru_maxrss.unsigned_abs() / 1024
}

/// The sum of the waits in a function, with the process that was late most.
fn wait(document: &Value, function: &str) -> (u64, u64) {
    let rows = document["mpi_waits"]["rows"].as_array().expect("rows");
    let rows: Vec<_> = rows.iter().filter(|row| row["function"] == function).collect();
    let [row] = rows.as_slice() else { panic!("{function}: {:#}", document["mpi_waits"]) };
    let number = |key: &str| row[key].as_u64().expect("a number");
    (number("wait_ns"), number("late"))
}

#[test]
fn a_thousand_ranks_have_their_waits() {
    let job = Job { ranks: 1000, iterations: 300 };
    let (document, taken) = report(job);
    let waits = &document["mpi_waits"];
    assert_eq!(document["processes"].as_array().expect("processes").len(), 1000);
    assert_eq!(wait(&document, "MPI_Allreduce").0, job.collective_ns());
    assert_eq!(wait(&document, "MPI_Recv"), (job.late_sender_ns(), SLOW.into()));
    // Each message, and each collective operation.
    assert_eq!(waits["matched"], job.iterations * 1001);
    assert_eq!((&waits["unmatched"], &waits["estimated"]), (&0.into(), &false.into()));
    let each = job.collective_ns() / 1000;
    let by_process = waits["by_process_ns"].as_array().expect("processes");
    let ns = |rank: usize| by_process[rank].as_u64().expect("a number");
    assert!(ns(3).abs_diff(each) < 2 * LATE_NS, "{} of {each}", ns(3));
    let after_slow = SLOW as usize + 1;
    assert!(ns(after_slow) > each + job.late_sender_ns() - 2 * LATE_NS);
    assert!(taken < MOST_MEMORY_MIB, "{taken} MiB");
}

#[test]
fn more_events_than_are_kept_take_no_more_memory() {
    let job = Job { ranks: 1000, iterations: 1500 };
    let (document, taken) = report(job);
    let waits = &document["mpi_waits"];
    assert_eq!((&waits["unmatched"], &waits["estimated"]), (&0.into(), &true.into()));
    let (collective, expected) = (wait(&document, "MPI_Allreduce").0, job.collective_ns());
    assert!(collective.abs_diff(expected) < expected / 8, "{collective} of {expected}");
    assert!(taken < MOST_MEMORY_MIB, "{taken} MiB");
}
