//! Several processes of one run: ranks under mpirun, ranks that only have a launcher's variables,
//! and children.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{Prerequisite, Program};
use oxomp_testing::attempts::most_hold;
use tempfile::TempDir;

/// Variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 8] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "OMP_TOOL",
    "OMP_TOOL_LIBRARIES",
    "OMP_NUM_THREADS",
    "OXOMP_HOME",
    "OXOMP_OUT",
    "OXOMP_MULTIPLEX_TOOLS",
];

/// A folder in which programs run.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles tests/profiler/NAME.c to `app`.
    fn compile(&self, mut compiler: Command, name: &str, options: &[&str]) {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler");
        let source = sources.join(name).with_extension("c");
        let words = ["-g", "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-o"];
        compiler.args(words).arg(self.path("app")).arg(source).args(options);
        let output = compiler.output().expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
    }

    /// A command that ends, whatever happens.
    fn command<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Command {
        let mut command = Program::Timeout.command();
        command.args(["-k", "1", "60"]).args(words).current_dir(self.folder.path());
        for name in VARIABLES {
            command.env_remove(name);
        }
        // mpirun wants to be told that root knows what it does.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command
    }

    fn oxomp(&self, words: &[&str]) -> Command {
        self.command([oxomp().as_str()].iter().chain(words))
    }

    /// The names in a folder, except hidden ones, and except files that keep the names of places.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder");
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> =
            names.filter(|name| !name.starts_with('.') && !name.ends_with(".names")).collect();
        names.sort();
        names
    }

    /// The recordings in a folder are one of each of `ranks` ranks.
    fn assert_ranks(&self, folder: &str, ranks: u32) {
        let names: BTreeSet<String> = self.names(folder).into_iter().collect();
        let expected: BTreeSet<String> = (0..ranks).map(|r| format!("rank-{r}.oxp")).collect();
        assert_eq!(names, expected);
    }

    /// Starts a rank that has nothing of MPI but Open MPI's variables.
    fn start_rank(&self, rank: u32, size: u32, job: &str, words: &[&str]) -> Child {
        self.oxomp(words)
            .env("OMPI_COMM_WORLD_RANK", rank.to_string())
            .env("OMPI_COMM_WORLD_SIZE", size.to_string())
            .env("PMIX_NAMESPACE", job)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts")
    }

    /// Runs all ranks of a job, and returns what each said on standard error.
    fn run_ranks(&self, size: u32, job: &str, words: &[&str]) -> Vec<String> {
        let ranks: Vec<Child> =
            (0..size).map(|rank| self.start_rank(rank, size, job, words)).collect();
        ranks.into_iter().map(|rank| stderr(&rank.wait_with_output().unwrap())).collect()
    }
}

fn oxomp() -> String {
    std::env::var("OXOMP_BIN").expect("OXOMP_BIN names the command to test: run `cargo xtask test`")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// `text` with its lines joined.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const MPIEXEC: [&str; 5] = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n"];
const TABLE: &str = "Where the processes' time went";

fn has_mpi() -> bool {
    has_all(&[Program::Mpicc, Program::Mpiexec].map(Prerequisite::Program))
}

fn mpicc(compiler: Program) -> Command {
    let mut command = Program::Mpicc.command();
    command.env("OMPI_CC", compiler.text());
    command
}

/// Where the comparison does not know one of `parts`.
fn missing(text: &str, parts: &[&str]) -> Result<(), String> {
    match parts.iter().find(|part| !text.contains(**part)) {
        Some(part) => Err(format!("`{part}` is not in: {text}")),
        None => Ok(()),
    }
}

/// The job as text: its ranks, and both of their regions with all executions.
fn assert_compared(text: &str) {
    let parts = ["3 ranks on", "relax ranks.c:23 30 ", "balanced ranks.c:17 30 "];
    missing(&joined(text), &parts).unwrap();
}

/// As [`assert_compared`]: the slowest rank and its region are named, and waiting for it in MPI,
/// where samples fell into MPI.
fn assert_uneven(text: &str) -> Result<(), String> {
    assert_compared(text);
    let text = joined(text);
    let is_sampled = text.contains("MPI_Barrier");
    let by_samples = ["rank 2 computes", "wait for it in MPI"];
    let by_regions = ["rank 2 is in parallel regions", "seem to wait for it"];
    missing(&text, &["longer than the mean", "most in relax ranks.c:"])?;
    missing(&text, if is_sampled { &by_samples } else { &by_regions })
}

/// Runs `words`, and returns the summary that one rank prints.
fn summary(place: &Place, words: &[&str]) -> String {
    let output = place.command(words).output().unwrap();
    assert!(output.status.success(), "{output:#?}");
    let text = stderr(&output);
    assert_eq!(text.matches(TABLE).count(), 1, "{text}");
    text
}

#[test]
fn ranks_below_mpirun_share_a_folder_and_rank_0_prints() {
    if !has_mpi() {
        return;
    }
    for compiler in [Program::Gcc, Program::Clang] {
        let place = Place::new();
        place.compile(mpicc(compiler), "ranks", &[]);
        let oxomp = oxomp();
        let mut words = MPIEXEC.to_vec();
        words.extend(["3", &oxomp, "profile", "--", "./app", "uneven"]);
        assert_compared(&summary(&place, &words));
        place.assert_ranks("oxomp-app-1", 3);
        let report = place.oxomp(&["report", "oxomp-app-1"]).output().unwrap();
        assert!(report.status.success(), "{report:#?}");
        assert_compared(&stdout(&report));
        let one = place.oxomp(&["report", "oxomp-app-1/rank-2.oxp"]).output().unwrap();
        let text = stdout(&one);
        assert!(text.contains("rank 2 of 3: `oxomp report oxomp-app-1` shows"), "{text}");
        assert!(text.contains("accounted 100.0 %"), "{text}");
    }
}

#[test]
fn a_profiled_mpirun_leaves_the_same() {
    if !has_mpi() {
        return;
    }
    let place = Place::new();
    place.compile(mpicc(Program::Gcc), "ranks", &[]);
    let oxomp = oxomp();
    let mut words = vec![oxomp.as_str(), "profile", "-o", "data", "--"];
    words.extend(MPIEXEC);
    // The collector is also in a script between mpirun and the program.
    words.extend(["3", "sh", "-c", "./app uneven; true"]);
    assert_compared(&summary(&place, &words));
    place.assert_ranks("data", 3);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn the_rank_that_the_others_wait_for_is_named() {
    if !has_mpi() {
        return;
    }
    for compiler in [Program::Gcc, Program::Clang] {
        let place = Place::new();
        place.compile(mpicc(compiler), "ranks", &[]);
        let oxomp = oxomp();
        let mut words = MPIEXEC.to_vec();
        words.extend(["3", &oxomp, "profile", "--", "./app", "uneven"]);
        let attempt = || {
            fs::remove_dir_all(place.path("oxomp-app-1")).ok();
            assert_uneven(&summary(&place, &words))?;
            assert_uneven(&stdout(&place.oxomp(&["report", "oxomp-app-1"]).output().unwrap()))
        };
        most_hold(|| attempt().into()).unwrap();
    }
}

/// The second program of a rank may begin while other ranks are at the first one.
#[test]
fn programs_and_jobs_one_after_the_other_have_folders_of_their_own() {
    if !has_mpi() {
        return;
    }
    let place = Place::new();
    // MPI cannot be initialized twice below one mpirun.
    place.compile(Program::Gcc.command(), "ranks", &["-DALONE"]);
    let twice = "\"$0\" profile -- ./app short; \"$0\" profile -- ./app short";
    let mut words = MPIEXEC.to_vec();
    let oxomp = oxomp();
    words.extend(["2", "sh", "-c", twice, &oxomp]);
    for _ in 0..2 {
        let output = place.command(&words).output().unwrap();
        assert!(output.status.success(), "{output:#?}");
        assert_eq!(stderr(&output).matches(TABLE).count(), 2, "{output:#?}");
    }
    let folders = ["app", "oxomp-app-1", "oxomp-app-2", "oxomp-app-3", "oxomp-app-4"];
    assert_eq!(place.names("."), folders);
    for folder in &folders[1..] {
        place.assert_ranks(folder, 2);
    }
}

#[test]
fn sixteen_ranks_that_begin_at_once_have_one_folder() {
    let place = Place::new();
    place.compile(Program::Gcc.command(), "ranks", &["-DALONE"]);
    for (job, folder) in [("a", "oxomp-app-1"), ("b", "oxomp-app-2")] {
        let said = place.run_ranks(16, job, &["profile", "--", "./app", "short"]);
        assert!(said[0].contains(TABLE) && said[0].contains("16 ranks"), "{}", said[0]);
        assert!(said[1..].iter().all(String::is_empty), "{said:#?}");
        place.assert_ranks(folder, 16);
    }
    assert_eq!(place.names("."), ["app", "oxomp-app-1", "oxomp-app-2"]);
    // A job does not use the folder of another one.
    let named = ["profile", "-o", "oxomp-app-1", "--", "./app", "short"];
    let refused = place.run_ranks(2, "c", &named);
    for (rank, said) in refused.iter().enumerate() {
        let expected = format!("oxomp: rank {rank}: oxomp-app-1: holds the data of another run");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn the_collector_alone_agrees_on_a_folder_too() {
    let place = Place::new();
    place.compile(Program::Clang.command(), "ranks", &["-DALONE"]);
    let home = PathBuf::from(oxomp());
    let lib = home.parent().and_then(Path::parent).expect("bin/oxomp").join("lib");
    let start = |rank: u32| {
        place
            .command(["./app", "short"])
            .env("OMPI_COMM_WORLD_RANK", rank.to_string())
            .env("OMPI_COMM_WORLD_SIZE", "8")
            .env("PMIX_NAMESPACE", "job")
            .env("OMP_TOOL_LIBRARIES", lib.join("liboxomp_collect.so"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let ranks: Vec<Child> = (0..8).map(start).collect();
    for rank in ranks {
        assert_eq!(stderr(&rank.wait_with_output().unwrap()), "");
    }
    place.assert_ranks("oxomp-app-1", 8);
}

#[test]
fn a_killed_rank_is_named_and_the_others_count() {
    let place = Place::new();
    place.compile(Program::Gcc.command(), "ranks", &["-DALONE"]);
    let said = place.run_ranks(3, "a", &["profile", "-o", "data", "--", "./app", "die"]);
    let killed = "oxomp: rank 1: killed by SIGKILL; `oxomp report data` shows";
    assert!(said[1].starts_with(killed), "{}", said[1]);
    assert_eq!(said[2], "");
    for part in ["rank 1 was killed by SIGKILL", "rank 1: the recording ends before", "3 ranks on"]
    {
        assert!(joined(&said[0]).contains(part), "`{part}` in:\n{}", said[0]);
    }
    place.assert_ranks("data", 3);
}

#[test]
fn missing_and_damaged_ranks_are_named() {
    let place = Place::new();
    place.compile(Program::Gcc.command(), "ranks", &["-DALONE"]);
    let words = ["profile", "-o", "data", "--", "./app", "short"];
    let ranks: Vec<Child> =
        [0, 1, 3].map(|rank| place.start_rank(rank, 5, "a", &words)).into_iter().collect();
    let said: Vec<String> =
        ranks.into_iter().map(|rank| stderr(&rank.wait_with_output().unwrap())).collect();
    for part in ["no recording of ranks 2, 4", "3 of 5 ranks"] {
        assert!(joined(&said[0]).contains(part), "`{part}` in:\n{}", said[0]);
    }
    fs::write(place.path("data/rank-1.oxp"), "nothing like it").unwrap();
    let report = place.oxomp(&["report", "data"]).output().unwrap();
    assert_eq!(report.status.code(), Some(125), "{report:#?}");
    assert!(stderr(&report).contains("data/rank-1.oxp"), "{report:#?}");
    let text = joined(&stdout(&report));
    assert!(text.contains("no recording of ranks 1, 2, 4"), "{text}");
}

#[test]
fn outputs_of_a_folder_of_ranks_compare_them() {
    let place = Place::new();
    place.compile(Program::Gcc.command(), "ranks", &["-DALONE"]);
    place.run_ranks(2, "a", &["profile", "-o", "data", "--", "./app", "short"]);
    let report = |words: &[&str]| {
        let output = place.oxomp(&[&["report", "data"], words].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:#?}");
        output
    };
    let said = stderr(&report(&["--json", "--csv", "--firefox"]));
    let outputs = [
        "csv.job",
        "csv.rank-0",
        "csv.rank-1",
        "job.json",
        "rank-0.oxp",
        "rank-1.oxp",
        "run.rank-0.firefox.json",
        "run.rank-0.json",
        "run.rank-1.firefox.json",
        "run.rank-1.json",
    ];
    assert_eq!(place.names("data"), outputs);
    assert!(
        said.contains("wrote data/job.json (") && said.contains("wrote data/csv.job ("),
        "{said}"
    );
    assert_eq!(place.names("data/csv.job"), ["mpi.csv", "processes.csv", "regions.csv"]);
    let is_job = |text: &str| text.contains("\"document\": \"job\"");
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    let job = read("data/job.json");
    assert!(is_job(&job) && job.contains("\"recording\": \"rank-1.oxp\""), "{job}");
    assert!(!is_job(&read("data/run.rank-0.json")));
    // The page that compares the ranks links to their pages, wherever these are written.
    let said = stderr(&report(&["--html"]));
    assert!(said.contains("wrote data/report.html ("), "{said}");
    let page = read("data/report.html");
    assert!(page.contains("2 ranks on ") && page.contains("href=\"./report.rank-1.html\""));
    assert!(read("data/report.rank-1.html").contains("Timeline"));
    report(&["--html=pages.html"]);
    assert!(read("pages.html").contains("href=\"./pages.rank-0.html\""));
    assert!(read("pages.rank-0.html").contains("Timeline"));
    assert!(stdout(&report(&["--html=-"])).contains("2 ranks on "));
    // Standard output gets the document that compares; a named file gets it, too.
    assert_eq!(stdout(&report(&["--json=-"])), job);
    report(&["--json=here.json"]);
    assert!(is_job(&read("here.json")) && !is_job(&read("here.rank-1.json")));
    for words in [["--json=-", "--csv=-"], ["--json", "--firefox=-"]] {
        let output = place.oxomp(&[&["report", "data"], &words[..]].concat()).output().unwrap();
        assert_eq!((output.status.code(), stdout(&output)), (Some(125), String::new()));
    }
    let schema = place.oxomp(&["report", "--json-schema=job"]).output().unwrap();
    assert!(stdout(&schema).contains("\"$id\": \"urn:oxomp:job:1."), "{schema:#?}");
    // One recording does not make a job.
    fs::remove_file(place.path("data/rank-1.oxp")).unwrap();
    assert!(!is_job(&stdout(&report(&["--json=-"]))));
}

#[test]
fn a_job_without_openmp_leaves_nothing_and_one_rank_says_so() {
    let place = Place::new();
    let said = place.run_ranks(4, "a", &["profile", "--", "true"]);
    assert!(said[0].starts_with("oxomp: rank 0: no profile"), "{}", said[0]);
    assert!(said[1..].iter().all(String::is_empty), "{said:#?}");
    assert!(fs::read_dir(place.path(".")).unwrap().next().is_none());
}

#[test]
fn a_folder_that_cannot_be_made_is_said_by_each_rank() {
    let place = Place::new();
    fs::write(place.path("file"), "").unwrap();
    let said = place.run_ranks(2, "a", &["profile", "-o", "file/data", "--", "true"]);
    for (rank, said) in said.iter().enumerate() {
        let expected = format!("oxomp: rank {rank}: file/data: cannot be used for the data: ");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn children_are_compared_before_the_one_that_is_shown() {
    let place = Place::new();
    place.compile(Program::Gcc.command(), "children", &[]);
    let output = place.oxomp(&["profile", "--", "./app"]).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains(TABLE) && text.contains("accounted 100.0 %"), "{text}");
    let recordings = place.names("oxomp-app-1");
    let rows = text.lines().filter(|line| line.starts_with("  process ")).count();
    assert!(recordings.len() > 1 && rows == recordings.len(), "{recordings:?} in:\n{text}");
    // The advice is on one of them, which is said.
    let output = place.oxomp(&["advise", "oxomp-app-1"]).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("advice on process ") && text.contains("used the most time"), "{text}");
    let named = recordings.iter().filter(|name| text.contains(*name)).count();
    assert!(named == recordings.len().min(5), "{recordings:?} in:\n{text}");
}

/// Python's pool of processes, forked and started anew, with regions in a library of C.
#[test]
fn the_processes_of_a_python_pool_have_a_recording_each() {
    const POOL: &str = "
import ctypes, multiprocessing, os, sys

def begin(barrier):
    global together
    together = barrier

def work(number):
    ctypes.CDLL(os.path.abspath('work.so')).region()
    # Each of the processes gets its part, since the first ones wait for the last.
    together.wait()
    return os.getpid()

if __name__ == '__main__':
    context = multiprocessing.get_context(sys.argv[1])
    pool = context.Pool(3, begin, (context.Barrier(3),))
    print(*pool.map(work, range(6), chunksize=1))
    pool.close()
    pool.join()
";
    const WORK: &str = "
void region(void)
{
#pragma omp parallel num_threads(2)
    for (volatile int i = 0; i < 1000000; i++)
        ;
}
";
    let place = Place::new();
    fs::write(place.path("pool.py"), POOL).unwrap();
    fs::write(place.path("work.c"), WORK).unwrap();
    let mut compiler = Program::Gcc.command();
    compiler.args(["-shared", "-fPIC", "-fopenmp", "-g", "-O1", "-o"]);
    let compiled = compiler.args([place.path("work.so"), place.path("work.c")]).status().unwrap();
    assert!(compiled.success());
    for method in ["fork", "spawn"] {
        let python = Program::Python.text();
        let words = ["profile", "-o", method, "--", python, "pool.py", method];
        let output = place.oxomp(&words).output().unwrap();
        assert!(output.status.success(), "{output:#?}");
        let mut expected: Vec<String> =
            stdout(&output).split_whitespace().map(|pid| format!("{pid}.oxp")).collect();
        expected.sort();
        expected.dedup();
        assert_eq!(expected.len(), 3, "{output:#?}");
        assert_eq!(place.names(method), expected, "{method}: {}", stderr(&output));
        let text = stderr(&output);
        assert!(text.contains(&format!("{} processes on", expected.len())), "{text}");
        assert!(text.contains("region  work.c:5"), "{text}");
    }
}
