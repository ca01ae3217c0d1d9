//! Python programs: packages of the Python Package Index with the OpenMP runtimes in their wheels,
//! and Debian's numpy on its OpenMP build of OpenBLAS.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, Program, PythonModule};
use regex_lite::Regex;

use crate::answers::compare;
use crate::place;
use crate::session::{Served, Session};

fn script(interpreter: PathBuf, name: &str, served: Served) -> Session {
    Session::new(interpreter, served).argument(place::workspace().join("tests/python").join(name))
}

/// A script with the packages of `requirements.txt`, which bring their runtimes.
fn with_wheels(name: &str) -> Option<Session> {
    let environment = environment()?;
    Some(script(environment.join("bin/python3"), name, Served::Preload))
}

/// The environment with the packages, made if it is missing or if the packages have changed;
/// `None`, with a message, where that is not possible.
fn environment() -> Option<PathBuf> {
    if !has_all(&[Program::Python.into(), PythonModule::Ensurepip.into()]) {
        return None;
    }
    let cache = place::cache();
    fs::create_dir_all(&cache).expect("the target folder is writable");
    // Tests run in processes of their own: one of them makes it, the others wait.
    let lock = fs::File::create(cache.join("lock")).expect("the target folder is writable");
    lock.lock().expect("a file can be locked");

    let list = place::workspace().join("tests/python/requirements.txt");
    let wanted = fs::read_to_string(&list).expect("the list of packages can be read");
    let (folder, stamp) = (cache.join("python"), cache.join("python.installed"));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && folder.is_dir() {
        return Some(folder);
    }
    let _ = fs::remove_file(&stamp);
    let _ = fs::remove_dir_all(&folder);
    let mut venv = Program::Python.command();
    install(venv.args(["-m", "venv"]).arg(&folder), "an environment of python3 is needed")?;
    let mut pip = Command::new(folder.join("bin/python3"));
    pip.args(["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]);
    pip.args(["--only-binary", ":all:", "--requirement"]).arg(&list);
    install(
        &mut pip,
        "the packages of tests/python/requirements.txt are needed: is there a network?",
    )?;
    fs::write(&stamp, wanted).expect("the target folder is writable");
    Some(folder)
}

fn install(command: &mut Command, needed: &str) -> Option<()> {
    let reason = match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => return Some(()),
        Ok(output) => {
            format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr))
        }
        Err(error) => error.to_string(),
    };
    skip(&format!("{needed} ({command:?}: {reason})"));
    None
}

/// The line of `text` that begins with `word`, without it.
fn line<'a>(text: &'a str, word: &str) -> &'a str {
    let found = text.lines().find_map(|line| line.strip_prefix(word));
    found.unwrap_or_else(|| panic!("no line `{word}` in\n{text}"))
}

#[test]
fn kmeans_has_the_answers_of_its_own_runtime() {
    let Some(session) = with_wheels("kmeans.py") else { return };
    session.has_the_same_answers(&["_k_means_lloyd.", "_k_means_common."]);
}

#[test]
fn kmeans_trains_in_a_child_and_on_in_its_parent() {
    let Some(session) = with_wheels("kmeans.py") else { return };
    let outcome = session.argument("fork").on_ours(&["_k_means_lloyd."]);
    let text = &outcome.stdout;
    assert_eq!(line(text, "child "), "0", "{text}");
    for place in ["after ", "parent "] {
        if let Err(reason) = compare(line(text, "before "), line(text, place)) {
            panic!("{place}the fork: {reason}");
        }
    }
}

#[test]
fn kmeans_trains_in_several_threads_at_once() {
    let Some(session) = with_wheels("kmeans.py") else { return };
    session.argument("threads").has_the_same_answers(&["_k_means_lloyd."]);
}

#[test]
fn the_profile_of_kmeans_names_its_regions() {
    let Some(session) = with_wheels("kmeans.py") else { return };
    let theirs = session.alone();
    let outcome = session.profiled();
    compare(&theirs.stdout, &outcome.stdout).unwrap_or_else(|reason| panic!("{reason}"));
    let summary = outcome.stderr.as_str();
    assert!(summary.contains("accounted 100.0 %"), "{summary}");
    // The wheel is stripped of its lines: function and module are what is left.
    let region = r"(?m)^ +\d+ +\S*(pyx|means|lloyd)\S* +\S*means_lloyd\S*\.so\+0x[0-9a-f]+ +\d";
    let region = Regex::new(region).expect("a correct expression");
    assert!(region.is_match(summary), "no region is named in\n{summary}");
}

#[test]
fn histogram_boosting_has_the_answers_of_its_own_runtime() {
    let Some(session) = with_wheels("histogram_boosting.py") else { return };
    session.has_the_same_answers(&["_hist_gradient_boosting/"]);
}

#[test]
fn three_libraries_with_runtimes_of_their_own_share_ours() {
    let Some(session) = with_wheels("boosting.py") else { return };
    let theirs = session.alone();
    let ours = session.on_ours(&["lib_lightgbm.so", "libxgboost.so", "_k_means_lloyd."]);
    compare(&theirs.stdout, &ours.stdout).unwrap_or_else(|reason| panic!("{reason}"));
    let copies = |text: &str| text.lines().filter(|line| line.starts_with("runtime ")).count();
    assert!(copies(&theirs.stderr) >= 2, "the wheels bring one runtime:\n{}", theirs.stderr);
    let loaded = place::runtime().join("libomp.so").canonicalize().expect("it was loaded");
    let loaded = format!("runtime {}\n", loaded.display());
    assert!(ours.stderr.contains(&loaded), "{}", ours.stderr);
}

#[test]
fn three_libraries_train_in_a_child() {
    // libgomp hangs in the child, so the expected answers come from a second round in the parent.
    let Some(session) = with_wheels("boosting.py") else { return };
    let theirs = session.alone();
    let ours = session.argument("fork").on_ours(&["lib_lightgbm.so"]);
    compare(&theirs.stdout, &ours.stdout).unwrap_or_else(|reason| panic!("{reason}"));
}

#[test]
fn copies_of_a_runtime_in_wheels_are_loaded_and_serve_nobody() {
    let Some(session) = with_wheels("one_runtime.py") else { return };
    let text = session.on_ours(&["_k_means_lloyd."]).stdout;
    let ours = place::runtime().join("libomp.so").canonicalize().expect("it was loaded");
    for name in ["GOMP_parallel", "GOMP_barrier", "omp_get_max_threads", "__kmpc_fork_call"] {
        assert_eq!(line(&text, &format!("process {name} ")), ours.display().to_string(), "{text}");
    }
    assert_eq!(line(&text, "scikit-learn sees "), "7", "{text}");
    let copies: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("copy ")).collect();
    assert!(copies.iter().all(|copy| copy.ends_with(" 4")), "a copy is in use:\n{text}");
    let hashed = Regex::new(r"/libgomp-[0-9a-f]+\.so\.1\S* 4$").expect("a correct expression");
    assert!(copies.iter().any(|copy| hashed.is_match(copy)), "{text}");
}

/// Checks that the results of pools, found by the words printed before them, equal the results of
/// the process itself.
fn pools_agree(text: &str, pools: &[&str]) {
    let found_by = |pool: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(pool));
        lines.filter(|line| line.starts_with(' ')).take(3).collect::<Vec<_>>().join("\n")
    };
    let own = found_by("own");
    assert_eq!(own.lines().count(), 3, "{text}");
    for pool in pools {
        if let Err(reason) = compare(&own, &found_by(pool)) {
            panic!("{pool}: {reason}\n{text}");
        }
    }
}

#[test]
fn kmeans_trains_in_pools_of_forked_processes() {
    let Some(session) = with_wheels("pools.py") else { return };
    let text = session.argument("fork").on_ours(&["_k_means_lloyd."]).stdout;
    pools_agree(&text, &["forked", "joblib-forked"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("own ")).count(), 6, "{text}");
}

#[test]
fn kmeans_trains_in_pools_of_joblib() {
    let Some(session) = with_wheels("pools.py") else { return };
    let session = session.argument("joblib");
    let (theirs, ours) = (session.alone().stdout, session.on_ours(&["_k_means_lloyd."]).stdout);
    compare(&theirs, &ours).unwrap_or_else(|reason| panic!("{reason}"));
    pools_agree(&ours, &["loky", "threads"]);
}

#[test]
fn numpy_on_openblas_has_the_answers_of_its_own_runtime() {
    if !has_all(&[File::DebianPython, File::Numpy, File::OpenBlas].map(Into::into)) {
        return;
    }
    let interpreter = File::DebianPython.path().to_owned();
    let session = script(interpreter, "matrices.py", Served::Library);
    let session = session.libraries(File::OpenBlas.path());
    session.has_the_same_answers(&["openblas"]);
}
