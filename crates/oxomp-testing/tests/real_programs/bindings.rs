//! Reading the loader's report of bindings (`LD_DEBUG=bindings`): who got whose symbol.

use std::fs;
use std::path::Path;

/// The beginnings of what OpenMP runtimes export.
const EXPORTED: [&str; 4] = ["GOMP_", "__kmpc_", "omp_", "ompc_"];

/// The beginnings of the file names of OpenMP runtimes.
const RUNTIMES: [&str; 3] = ["libgomp", "libomp", "libiomp"];

struct Binding<'a> {
    from: &'a str,
    to: &'a str,
    symbol: &'a str,
}

/// Checks that every OpenMP symbol of the program and its libraries was bound to the runtime in
/// `folder`, and that `GOMP_parallel` was asked for by each of `users`, parts of paths.
///
/// Bindings of a runtime that is loaded besides oxomp to itself are not counted: no program calls
/// it.
///
/// # Errors
///
/// The binding that went elsewhere, or the user that bound nothing.
pub(crate) fn check(report: &str, folder: &Path, users: &[&str]) -> Result<(), String> {
    let path = folder.join("libomp.so");
    let ours = fs::canonicalize(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut missing = users.to_vec();
    for Binding { from, to, symbol } in report.lines().filter_map(binding) {
        if is_runtime(from) || !EXPORTED.iter().any(|beginning| symbol.starts_with(beginning)) {
            continue;
        }
        if is_of_offloading(to, symbol) {
            continue;
        }
        if !fs::canonicalize(to).is_ok_and(|to| to == ours) {
            return Err(format!("{symbol} of {from} was bound to {to}, not to {}", ours.display()));
        }
        if symbol == "GOMP_parallel" {
            missing.retain(|user| !from.contains(user));
        }
    }
    match missing.as_slice() {
        [] => Ok(()),
        missing => Err(format!("GOMP_parallel was not bound by: {}", missing.join(", "))),
    }
}

/// As [`check`], for all the reports that lie in `reports`, one a process: no process binds a
/// symbol elsewhere. Returns the number of those in which each of `users` binds its
/// `GOMP_parallel`.
///
/// # Errors
///
/// As [`check`], but for a user that binds nothing.
pub(crate) fn check_all(reports: &Path, folder: &Path, users: &[&str]) -> Result<usize, String> {
    let mut found = 0;
    for entry in fs::read_dir(reports).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let report = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        check(&report, folder, &[])?;
        found += usize::from(check(&report, folder, users).is_ok());
    }
    Ok(found)
}

/// `7: binding file FROM [0] to TO [0]: normal symbol `NAME' [VERSION]`.
fn binding(line: &str) -> Option<Binding<'_>> {
    let (_, rest) = line.split_once("binding file ")?;
    let (from, rest) = rest.split_once(" [0] to ")?;
    let (to, rest) = rest.split_once(" [0]: ")?;
    let (_, name) = rest.split_once('`')?;
    let (symbol, _) = name.split_once('\'')?;
    Some(Binding { from, to, symbol })
}

fn is_runtime(path: &str) -> bool {
    RUNTIMES.iter().any(|beginning| file_name(path).starts_with(beginning))
}

/// Whether libomptarget serves a routine that is its own to serve.
fn is_of_offloading(to: &str, symbol: &str) -> bool {
    file_name(to).starts_with("libomptarget") && symbol.starts_with("omp_target_")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[test]
fn a_binding_to_another_runtime_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ours = folder.path().join("libomp.so");
    fs::write(&ours, "").expect("writable");
    let line = |from: &str, to: &str, symbol: &str| {
        format!(
            "    7:\tbinding file {from} [0] to {to} [0]: normal symbol `{symbol}' [GOMP_4.0]\n"
        )
    };
    let ours = ours.display().to_string();
    let good = line("/lib/a.so", &ours, "GOMP_parallel") + &line("/lib/a.so", "/lib/c.so", "puts");
    let own = line("/lib/libgomp-1.so", "/lib/libgomp-1.so", "omp_get_max_threads");
    assert_eq!(check(&(good.clone() + &own), folder.path(), &["a.so"]), Ok(()));

    let routine = line("/lib/a.so", "/lib/libomptarget.so.22.1", "omp_target_alloc");
    assert_eq!(check(&(good.clone() + &routine), folder.path(), &["a.so"]), Ok(()));
    let routine = line("/lib/a.so", "/lib/libomptarget.so.22.1", "omp_get_num_devices");
    check(&(good.clone() + &routine), folder.path(), &["a.so"]).expect_err("it is ours to serve");

    let missing = check(&good, folder.path(), &["b.so"]).expect_err("b.so bound nothing");
    assert!(missing.contains("b.so"), "{missing}");
    let other = good + &line("/lib/b.so", "/lib/libgomp-1.so", "GOMP_barrier");
    let other = check(&other, folder.path(), &["a.so"]).expect_err("b.so has another runtime");
    assert!(other.contains("GOMP_barrier of /lib/b.so"), "{other}");
}

#[test]
fn the_processes_that_bind_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let reports = tempfile::tempdir().expect("a temporary folder");
    let ours = folder.path().join("libomp.so");
    fs::write(&ours, "").expect("writable");
    let bound = "    7:\tbinding file /lib/a.so [0] to OURS [0]: normal symbol `GOMP_parallel'\n";
    let bound = bound.replace("OURS", &ours.display().to_string());
    let checked = || check_all(reports.path(), folder.path(), &["a.so"]);
    fs::write(reports.path().join("ld.1"), "").expect("writable");
    assert_eq!(checked(), Ok(0));
    fs::write(reports.path().join("ld.2"), &bound).expect("writable");
    fs::write(reports.path().join("ld.3"), &bound).expect("writable");
    assert_eq!(checked(), Ok(2));
    let other = bound.replace(&ours.display().to_string(), "/lib/b.so");
    fs::write(reports.path().join("ld.4"), other).expect("writable");
    checked().expect_err("a process binds it elsewhere");
}
