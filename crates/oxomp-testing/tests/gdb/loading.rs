//! `ompd_dll_locations` when a debugger comes before the runtime, and after a fork.

use std::fs;

use oxomp_prerequisites::File;
use oxomp_prerequisites::skipped::has_all;

use crate::FAMILIES;
use crate::session::{Background, is_possible, talk, with_plug_in};
use crate::workplace::Workplace;

/// What a debugger asks that starts before the runtime is there; one `continue` more than stops.
const COMMANDS: [&str; 6] = [
    "break ompd_dll_locations_valid",
    "run",
    "print ((char**)ompd_dll_locations)[0]",
    "print ((char**)ompd_dll_locations)[1]",
    "continue",
    "info breakpoints",
];

/// Runs `debugger`, and checks that the program stops once, when the locations are there.
fn stops_once(place: &Workplace, debugger: &str) {
    let answers = talk(place, &place.command(debugger), &COMMANDS);
    assert!(answers[1].contains("in ompd_dll_locations_valid ()"), "{answers:#?}");
    // From the root, through no link.
    let library = fs::canonicalize(place.root().join("dist/lib/libompd.so")).expect("it is there");
    assert!(answers[2].contains(&format!("\"{}\"", library.display())), "{answers:#?}");
    assert!(answers[3].contains("= 0x0"), "{answers:#?}");
    assert!(answers[4].contains("exited normally"), "{answers:#?}");
    assert!(answers[5].contains("breakpoint already hit 1 time"), "{answers:#?}");
}

#[test]
fn the_library_is_known_when_the_runtime_is_loaded() {
    if !is_possible() {
        return;
    }
    for debug in ["enabled", "disabled"] {
        for family in FAMILIES {
            let place = Workplace::new();
            let source = "#include <omp.h>\nint main(void) { return omp_in_parallel(); }\n";
            place.compile(family, "linked", &["-fopenmp"], source);
            let environment = format!("OMP_DEBUG={debug} LD_LIBRARY_PATH=dist/lib");
            stops_once(&place, &format!("{environment} gdb -q linked"));
        }
    }
}

/// A program that loads the runtime itself, and closes it, twice. It stays.
#[test]
fn the_library_is_known_when_a_program_loads_the_runtime() {
    if !is_possible() {
        return;
    }
    let source = r#"
#include <dlfcn.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        int (*threads)(void) = (int (*)(void))dlsym(library, "omp_get_max_threads");
        if (!threads || threads() < 1 || dlclose(library) != 0)
            return 1;
    }
    return 0;
}
"#;
    for family in FAMILIES {
        let place = Workplace::new();
        place.compile(family, "late", &[], source);
        let names = "dist/lib/libgomp.so.1 dist/lib/libgomp.so.1";
        stops_once(&place, &format!("gdb -q --args ./late {names}"));
    }
}

#[test]
fn the_library_is_known_in_python() {
    if !is_possible() || !has_all(&[File::DebianPython.into()]) {
        return;
    }
    let place = Workplace::new();
    let script = "import ctypes\nassert ctypes.CDLL('dist/lib/libomp.so').omp_get_level() == 0\n";
    fs::write(place.root().join("load.py"), script).expect("a script");
    stops_once(&place, &format!("gdb -q --args {} load.py", File::DebianPython.text()));
}

/// What gdb answers that attaches to `program`, which waits for its variable `go`.
fn attached(place: &Workplace, program: &str, commands: &[&str]) -> Vec<String> {
    let child = place.command(program).spawn().expect("the program starts");
    let running = Background(child);
    let debugger = with_plug_in(&format!("-p {}", running.pid()));
    talk(place, &place.command(&debugger), commands)
}

/// A debugger attaches before the program has called the runtime, or loaded it.
#[test]
fn a_program_is_debugged_that_starts_the_runtime_later() {
    if !is_possible() {
        return;
    }
    let linked = r"
#include <omp.h>
#include <unistd.h>
static volatile int go;
static void leaf(void) { }
int main(void)
{
    while (!go)
        usleep(1000);
#pragma omp parallel num_threads(3)
    {
#pragma omp barrier
#pragma omp single
        leaf();
    }
    return 0;
}
";
    let late = r#"
#include <dlfcn.h>
#include <unistd.h>
static volatile int go;
static void leaf(void) { }
int main(int argc, char **argv)
{
    while (!go)
        usleep(1000);
    void *library = dlopen(argv[1], RTLD_NOW);
    ((int (*)(void))dlsym(library, "omp_get_max_threads"))();
    leaf();
    return 0;
}
"#;
    let threads =
        ["thread apply all -q -s python import ompd; ompd.addr_space.add_thread()", "ompd threads"];
    let start = ["set variable go = 1", "continue"];
    for family in FAMILIES {
        let place = Workplace::new();
        place.compile(family, "linked", &["-fopenmp"], linked);
        let commands = [&["ompd init", "break leaf"], &start, &threads].map(|it| &it[..]).concat();
        let answers = attached(&place, "LD_LIBRARY_PATH=dist/lib ./linked", &commands);
        assert!(answers[0].contains("Loaded OMPD lib successfully!"), "{answers:#?}");
        assert_eq!(answers[5].matches("is an OpenMP thread").count(), 3, "{answers:#?}");

        place.compile(family, "late", &[], late);
        let before = ["break ompd_dll_locations_valid"];
        let after = ["ompd init", "break leaf", "continue"];
        let commands = [&before[..], &start, &after, &threads].concat();
        let answers = attached(&place, "./late dist/lib/libomp.so", &commands);
        assert!(answers[2].contains("in ompd_dll_locations_valid ()"), "{answers:#?}");
        assert!(answers[3].contains("Loaded OMPD lib successfully!"), "{answers:#?}");
        assert!(answers[7].contains("is an OpenMP thread"), "{answers:#?}");
    }
}

/// A debugger that follows the child of a fork finds the child's threads.
#[test]
fn a_child_is_debugged_as_its_parent() {
    if !is_possible() {
        return;
    }
    let source = r"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
static int seen;
static void leaf(void) { }
static void region(int threads)
{
#pragma omp parallel num_threads(threads)
    seen += omp_get_thread_num() == 1;
}
int main(void)
{
    region(4);
    pid_t child = fork();
    if (child == 0) {
        region(2);
#pragma omp parallel num_threads(1)
        leaf();
        _exit(0);
    }
    return waitpid(child, 0, 0) != child;
}
";
    let register = "thread apply all -q -s python import ompd; ompd.addr_space.add_thread()";
    let commands = [
        "set follow-fork-mode child",
        "break leaf",
        "run",
        "ompd init",
        register,
        "ompd threads",
        "ompd parallel",
        "continue",
    ];
    for family in FAMILIES {
        let place = Workplace::new();
        place.compile(family, "forking", &["-fopenmp"], source);
        let environment = "OMP_DEBUG=enabled LD_LIBRARY_PATH=dist/lib";
        let debugger = place.command(&format!("{environment} {}", with_plug_in("forking")));
        let answers = talk(&place, &debugger, &commands);
        assert_eq!(answers[5].matches("is an OpenMP thread").count(), 2, "{answers:#?}");
        assert!(!answers[5].contains("is no OpenMP thread"), "{answers:#?}");
        assert!(answers[6].contains("Nesting Level 1: Team Size: 1"), "{answers:#?}");
        assert!(answers[7].contains("exited normally"), "{answers:#?}");
    }
}
