//! The order in which a program reaches the functions at which a debugger stops (OpenMP 6.0 chapter
//! 42), in a program without parallelism, where only one order is possible.
//!
//! `ompd_layout/breakpoints.rs` has the stops of parallel programs, and what is current there.

use oxomp_testing::compiler::Family;

use crate::FAMILIES;
use crate::session::{is_possible, talk};
use crate::workplace::Workplace;

/// All of 5.0 to 6.0.
const FUNCTIONS: [&str; 12] = [
    "thread_begin",
    "thread_end",
    "parallel_begin",
    "parallel_end",
    "task_begin",
    "task_end",
    "teams_begin",
    "teams_end",
    "target_begin",
    "target_end",
    "device_begin",
    "device_end",
];

/// The functions that the program reaches under gdb, in order, by their names without `ompd_bp_`.
fn reached(family: Family, source: &str, debug: &str) -> Vec<String> {
    let place = Workplace::new();
    place.compile(family, "program", &["-fopenmp"], source);
    let command = format!("OMP_DEBUG={debug} LD_LIBRARY_PATH=dist/lib gdb -q program");
    let prints = FUNCTIONS.map(|name| format!("dprintf ompd_bp_{name},\"stop {name}\\n\""));
    let mut commands: Vec<&str> = prints.iter().map(|it| &**it).collect();
    commands.push("run");
    let answers = talk(&place, &place.command(&command), &commands);
    let answer = answers.last().expect("that of the run");
    assert!(answer.contains("exited normally"), "{answer}");
    let names = answer.lines().filter_map(|line| line.strip_prefix("stop "));
    names.map(str::to_owned).collect()
}

/// The program's thread and initial task around `stops`.
fn in_a_program(stops: &str) -> Vec<String> {
    let all = format!("thread_begin task_begin {stops} task_end thread_end");
    all.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn constructs_stop_in_their_order() {
    if !is_possible() {
        return;
    }
    let program =
        |body: &str| format!("#include <omp.h>\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n");
    for (body, stops) in [
        (
            "#pragma omp parallel num_threads(1)\n#pragma omp task if (0)\nomp_get_level();",
            "parallel_begin task_begin task_begin task_end task_end parallel_end",
        ),
        (
            "#pragma omp teams num_teams(1)\nomp_get_team_num();",
            "parallel_begin teams_begin task_begin task_end teams_end parallel_end",
        ),
    ] {
        for family in FAMILIES {
            let source = program(body);
            assert_eq!(reached(family, &source, "enabled"), in_a_program(stops), "{family:?}");
            assert_eq!(reached(family, &source, "disabled"), [""; 0], "{family:?}");
        }
    }
    // clang's code calls a target region on the host itself.
    let source =
        program("#pragma omp target\n#pragma omp parallel num_threads(1)\nomp_get_level();");
    let stops = "task_begin task_begin target_begin parallel_begin task_begin task_end \
                 parallel_end target_end task_end task_end";
    assert_eq!(reached(Family::Gcc, &source, "enabled"), in_a_program(stops));
    assert_eq!(reached(Family::Gcc, &source, "disabled"), [""; 0]);
}
