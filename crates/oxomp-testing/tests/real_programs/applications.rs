//! Larger applications of Debian, whose packages take a gigabyte: `cargo xtask applications`.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::Application;
use oxomp_prerequisites::skipped::has_all;
use oxomp_testing::process::Outcome;
use tempfile::TempDir;

use crate::answers::{compare, compare_within};
use crate::place;
use crate::sequences::{ACIDS, family, make_the_same};
use crate::session::{Served, Session, finished};

/// How many processes of how many threads each.
const SHAPES: [(usize, u32); 4] = [(1, 1), (1, 2), (1, 4), (2, 2)];

/// The paths of all of `needed`, in their order; `None`, with a message, if one is missing.
fn installed(needed: &[Application]) -> Option<Vec<PathBuf>> {
    let wanted: Vec<_> = needed.iter().map(|&it| it.into()).collect();
    has_all(&wanted).then(|| needed.iter().filter_map(|it| it.find()).collect())
}

/// A file of `tests/applications`.
fn input(name: &str) -> PathBuf {
    place::workspace().join("tests/applications").join(name)
}

/// Two empty folders, for the runs on their runtime and on ours.
fn folders() -> (TempDir, TempDir) {
    let folder = || tempfile::tempdir().expect("a temporary folder");
    (folder(), folder())
}

/// The lines of `text` that contain one of `parts`.
fn lines(text: &str, parts: &[&str]) -> String {
    let wanted = text.lines().filter(|line| parts.iter().any(|part| line.contains(part)));
    wanted.flat_map(|line| [line, "\n"]).collect()
}

/// OpenBLAS does without a region where it may use one thread only.
fn users<'a>(user: &'a [&'a str; 1], threads: u32) -> &'a [&'a str] {
    if threads == 1 && user[0].ends_with("blas") { &[] } else { user }
}

/// Runs the program in folders of its own that `prepare` fills, on both runtimes in all shapes, and
/// hands what they printed, with the folders, to `judge`.
fn in_all_shapes(
    program: &Path,
    arguments: &[&str],
    user: &[&str; 1],
    prepare: impl Fn(&Path),
    judge: impl Fn(&str, (&Outcome, &Path), (&Outcome, &Path)),
) {
    for (ranks, threads) in SHAPES {
        let (theirs, ours) = folders();
        let session = |folder: &Path| {
            prepare(folder);
            let session = Session::new(program, Served::Library).within(folder);
            let session = session.threads(threads);
            let session = if ranks > 1 { session.ranks(ranks) } else { session };
            arguments.iter().copied().fold(session, Session::argument)
        };
        let expected = session(theirs.path()).alone();
        let found = session(ours.path()).on_ours(users(user, threads));
        let shape = format!("{ranks} processes of {threads} threads");
        judge(&shape, (&expected, theirs.path()), (&found, ours.path()));
    }
}

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn energies_by_cp2k_have_the_answers_of_its_own_runtime() {
    let Some(programs) = installed(&[Application::Cp2k, Application::Mpirun]) else { return };
    let source = input("water.inp");
    let arguments = ["-i", source.to_str().expect("a plain path")];
    in_all_shapes(
        &programs[0],
        &arguments,
        &["cp2k"],
        |_| (),
        |shape, theirs, ours| {
            let sums = |outcome: &Outcome| {
                lines(&outcome.stdout, &["ENERGY|", "SCF run converged", "SUM OF ATOMIC FORCES"])
            };
            let (theirs, ours) = (sums(theirs.0), sums(ours.0));
            assert_eq!(theirs.lines().count(), 3, "{shape}: {theirs}");
            // The forces have eight digits.
            compare_within(&theirs, &ours, 2.1e-8)
                .unwrap_or_else(|reason| panic!("{shape}: {reason}"));
        },
    );
}

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn a_crystal_by_quantum_espresso_has_the_answers_of_its_own_runtime() {
    let needed = [Application::Pw, Application::Ld1, Application::Mpirun];
    let Some(programs) = installed(&needed) else { return };
    // The atom that Quantum ESPRESSO's generator computes is in none of Debian's packages.
    let (atoms, _unused) = folders();
    let generator = Application::Ld1.command();
    finished(within(generator, atoms.path()).arg("-in").arg(input("silicon_atom.in")));
    let source = input("silicon.in");
    let arguments = ["-in", source.to_str().expect("a plain path")];
    let prepare = |folder: &Path| copy(&atoms.path().join("Si.UPF"), &folder.join("Si.UPF"));
    in_all_shapes(&programs[0], &arguments, &["blas"], prepare, |shape, theirs, ours| {
        let sums = |outcome: &Outcome| {
            lines(&outcome.stdout, &["!    total energy", " force =", "convergence has been"])
        };
        let (theirs, ours) = (sums(theirs.0), sums(ours.0));
        assert_eq!(theirs.lines().count(), 5, "{shape}: {theirs}");
        // The energy and the forces have eight digits, their sum six.
        compare_within(&theirs, &ours, 2.1e-6).unwrap_or_else(|reason| panic!("{shape}: {reason}"));
    });
}

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn a_liquid_by_gromacs_moves_the_same_to_the_byte() {
    let needed = [Application::GromacsMpi, Application::Gromacs, Application::Mpirun];
    let Some(programs) = installed(&needed) else { return };
    let (made, _unused) = folders();
    copy(&input("water.top"), &made.path().join("topol.top"));
    let prepare = |words: &[&str]| {
        finished(within(Application::Gromacs.command(), made.path()).args(words));
    };
    let solvate = "solvate -cs spc216 -box 2.2 2.2 2.2 -p topol.top -o conf.gro";
    prepare(&solvate.split(' ').collect::<Vec<_>>());
    let settings = input("water.mdp");
    prepare(&["grompp", "-f", settings.to_str().expect("a plain path"), "-maxwarn", "2"]);

    let arguments = ["mdrun", "-s", "topol.tpr", "-reprod", "-nb", "cpu", "-notunepme"];
    let prepare = |folder: &Path| copy(&made.path().join("topol.tpr"), &folder.join("topol.tpr"));
    in_all_shapes(&programs[0], &arguments, &["libgromacs"], prepare, |shape, theirs, ours| {
        let atoms = |folder: &Path| fs::read_to_string(folder.join("confout.gro")).expect("made");
        let (theirs, ours) = (atoms(theirs.1), atoms(ours.1));
        assert!(theirs.lines().count() > 1000, "{shape}: {theirs}");
        assert!(theirs == ours, "{shape}: other places and speeds of the atoms");
    });
}

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn matrices_of_octave_have_the_answers_of_its_own_runtime() {
    let Some(programs) = installed(&[Application::Octave]) else { return };
    let Some(openblas) = place::openblas() else { return };
    for threads in [1, 2, 4] {
        let session = Session::new(&programs[0], Served::Library).threads(threads);
        let session = session.argument("-q").argument("--no-init-file");
        let session = session.argument(input("matrices.m")).libraries(openblas);
        session.has_the_same_answers(users(&["openblas"], threads));
    }
}

/// The values of the summary that are the benchmarks' own checks of their results, and not times.
/// The values of the transposition (PTRANS) and the success of all are left out: with two processes
/// hpcc decides by uninitialized memory, as memcheck shows, whether it runs the transposition.
const CHECKS: [&str; 3] = ["_Errors=", "CommWorldProcs=", "HPL_Xnorm"];

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn the_hpc_challenge_passes_its_own_checks() {
    let needed = [Application::Hpcc, Application::Mpirun];
    let Some(programs) = installed(&needed) else { return };
    let (theirs, ours) = folders();
    let run = |folder: &Path, run: fn(&Session)| {
        copy(&input("hpccinf.txt"), &folder.join("hpccinf.txt"));
        run(&Session::new(&programs[0], Served::Library).within(folder).ranks(2).threads(2));
        let text = fs::read_to_string(folder.join("hpccoutf.txt")).expect("hpcc has written it");
        lines(&text, &CHECKS)
    };
    let theirs = run(theirs.path(), |session| drop(session.alone()));
    let ours = run(ours.path(), |session| drop(session.on_ours(&["openblas"])));
    assert!(theirs.contains("HPL_Xnorm"), "{theirs}");
    compare(&theirs, &ours).unwrap_or_else(|reason| panic!("{reason}"));
}

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn clusters_by_mmseqs_are_the_same_to_the_byte() {
    let Some(programs) = installed(&[Application::Mmseqs]) else { return };
    let session = Session::new(&programs[0], Served::Library).script();
    let words = ["easy-cluster", "in.fa", "out", "scratch", "--threads", "THREADS"];
    make_the_same(&session, "mmseqs", &words, &family(80, 150, ACIDS, 3), "out_cluster.tsv");
}

#[test]
#[ignore = "a large package: cargo xtask applications"]
fn alignments_by_muscle_are_the_same_to_the_byte() {
    let Some(programs) = installed(&[Application::Muscle]) else { return };
    let session = Session::new(&programs[0], Served::Library);
    let words = ["-align", "in.fa", "-output", "out.fa", "-threads", "THREADS"];
    make_the_same(&session, "muscle", &words, &family(40, 150, ACIDS, 3), "out.fa");
}

fn within(mut command: std::process::Command, folder: &Path) -> std::process::Command {
    command.current_dir(folder);
    command
}

fn copy(from: &Path, to: &Path) {
    let copied = fs::copy(from, to);
    copied.unwrap_or_else(|error| panic!("{} to {}: {error}", from.display(), to.display()));
}
