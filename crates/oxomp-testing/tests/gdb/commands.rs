//! Every command of the plug-in, at a stop inside of nested tasks and, as a person may stop there,
//! inside of the runtime.

use oxomp_testing::compiler::Family;

use crate::FAMILIES;
use crate::session::{is_possible, talk, with_plug_in};
use crate::workplace::Workplace;

/// The commands that ask.
const COMMANDS: [&str; 13] = [
    "ompd",
    "ompd threads",
    "ompd parallel",
    "ompd icvs",
    "ompd test",
    "ompd taskframes",
    "ompd bt",
    "ompd bt on",
    "bt",
    "ompd bt on continued",
    "bt",
    "ompd bt off",
    "bt",
];

/// The functions that `ompdtestapi` calls with right and wrong arguments. It tests
/// `ompd_thread_handle_compare` on thread 2 of the region, which must be there.
const FUNCTIONS: [&str; 35] = [
    "ompd_get_thread_handle",
    "ompd_get_curr_parallel_handle",
    "ompd_get_thread_in_parallel",
    "ompd_thread_handle_compare",
    "ompd_get_thread_id",
    "ompd_rel_thread_handle",
    "ompd_get_enclosing_parallel_handle",
    "ompd_parallel_handle_compare",
    "ompd_rel_parallel_handle",
    "ompd_initialize",
    "ompd_get_api_version",
    "ompd_get_version_string",
    "ompd_process_initialize",
    "ompd_device_initialize",
    "ompd_rel_address_space_handle",
    "ompd_get_omp_version",
    "ompd_get_omp_version_string",
    "ompd_get_curr_task_handle",
    "ompd_get_task_parallel_handle",
    "ompd_get_generating_task_handle",
    "ompd_get_scheduling_task_handle",
    "ompd_get_task_in_parallel",
    "ompd_rel_task_handle",
    "ompd_task_handle_compare",
    "ompd_get_task_function",
    "ompd_get_task_frame",
    "ompd_get_state",
    "ompd_get_display_control_vars",
    "ompd_rel_display_control_vars",
    "ompd_enumerate_icvs",
    "ompd_get_icv_from_scope",
    "ompd_get_icv_string_from_scope",
    "ompd_get_tool_data",
    "ompd_enumerate_states",
    "ompd_finalize",
];

/// The one function whose test finds fault: for *nthreads-var* it expects `ompd_rc_incomplete`,
/// though the list has one value only.
const DIFFERS: &str = "ompd_get_icv_from_scope";

/// A program whose team at the breakpoint has three threads; the first is in a task.
const PROGRAM: &str = r"
#include <omp.h>
static int at_work, is_done;
static void leaf(void) { }
static void busy(void)
{
    int enough = 0;
#pragma omp atomic
    at_work++;
    while (!enough)
#pragma omp atomic read
        enough = is_done;
}
static void descend(int depth)
{
    if (depth == 2) {
        leaf();
        return;
    }
#pragma omp task
    descend(depth + 1);
#pragma omp taskwait
}
int main(void)
{
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 0) {
        int seen = 0;
        while (seen < 2)
#pragma omp atomic read
            seen = at_work;
        descend(0);
#pragma omp atomic write
        is_done = 1;
    } else
        busy();
    return 0;
}
";

/// The answers to `commands` after those to the `before` ones, for a program of `family`.
fn answers(family: Family, before: &[&str], commands: &[String]) -> Vec<String> {
    let place = Workplace::new();
    place.compile(family, "tasks", &["-fopenmp"], PROGRAM);
    let environment = "OMP_DEBUG=enabled LD_LIBRARY_PATH=dist/lib";
    let debugger = place.command(&format!("{environment} {}", with_plug_in("tasks")));
    let all: Vec<&str> = before.iter().copied().chain(commands.iter().map(|it| &**it)).collect();
    talk(&place, &debugger, &all).split_off(before.len())
}

fn is_without_fault(command: &str, answer: &str) {
    for fault in ["Traceback", "Python Exception", "Error occurred", "fatal error"] {
        assert!(!answer.contains(fault), "{command}:\n{answer}");
    }
}

#[test]
fn every_command_answers() {
    if !is_possible() {
        return;
    }
    for family in FAMILIES {
        let asks = COMMANDS.iter().map(|&command| command.to_owned());
        let tests = FUNCTIONS.iter().map(|function| format!("ompdtestapi {function}"));
        let steps = ["ompd step", "ompd step"].map(str::to_owned);
        let commands: Vec<String> = asks.chain(steps).chain(tests).collect();
        let answers = answers(family, &["ompd init", "break leaf", "continue"], &commands);
        for (command, answer) in commands.iter().zip(&answers) {
            is_without_fault(command, answer);
            if let Some(function) = command.strip_prefix("ompdtestapi ") {
                let failures = answer.matches("Failed").count();
                assert_eq!(failures, usize::from(function == DIFFERS), "{command}:\n{answer}");
                assert!(answer.contains("Success") || answer.contains("isabled"), "{answer}");
            }
        }
        // From the leaf's end into its caller, which is a frame of the program.
        assert!(answers[COMMANDS.len()].contains("descend"), "{family:?}: {answers:?}");
    }
}

/// A stop inside of the runtime, whose language is not C.
#[test]
fn commands_answer_where_the_runtime_stops() {
    if !is_possible() {
        return;
    }
    for (family, function) in
        [(Family::Gcc, "GOMP_taskwait"), (Family::Clang, "__kmpc_omp_taskwait")]
    {
        let stop = format!("break {function}");
        let commands: Vec<String> = COMMANDS.iter().map(|&command| command.to_owned()).collect();
        let before = ["ompd init", &stop, "continue", "show language"];
        for (command, answer) in commands.iter().zip(answers(family, &before, &commands)) {
            is_without_fault(command, &answer);
        }
    }
}

/// Regions and tasks inside of each other. Each function of the program goes on after its call.
const OPTIMIZED: &str = r"
static volatile int sum;
__attribute__((noinline)) static void leaf(void) { sum++; }
__attribute__((noinline)) static void descend(int depth)
{
    if (depth == 2) {
        leaf();
        sum++;
        return;
    }
#pragma omp task if(0)
    {
        descend(depth + 1);
        sum++;
    }
#pragma omp task
    {
        descend(depth + 1);
        sum++;
    }
#pragma omp taskwait
    sum++;
}
int main(void)
{
#pragma omp parallel num_threads(1)
    {
        descend(0);
        sum++;
    }
    return 0;
}
";

/// The functions of the program in a call path, from the innermost one to the region's.
fn functions(path: &str) -> Vec<String> {
    let lines = path.lines().filter(|line| line.contains(" at optimized.c:"));
    let places = lines.map(|line| line.rsplit(' ').next().unwrap_or_default().to_owned());
    // The plug-in shows the tasks of one region.
    places.take_while(|place| !place.ends_with(":28")).collect()
}

#[test]
fn the_call_path_of_optimized_code_has_the_programs_frames_and_no_others() {
    if !is_possible() {
        return;
    }
    for family in FAMILIES {
        for frames in ["-fomit-frame-pointer", "-fno-omit-frame-pointer"] {
            let place = Workplace::new();
            place.compile(family, "optimized", &["-fopenmp", "-O2", frames], OPTIMIZED);
            let environment = "OMP_DEBUG=enabled OMP_NUM_THREADS=1 LD_LIBRARY_PATH=dist/lib";
            let debugger = place.command(&format!("{environment} {}", with_plug_in("optimized")));
            let commands = ["ompd init", "break leaf", "continue", "bt", "ompd bt on", "bt"];
            let answers = talk(&place, &debugger, &commands);
            let (all, shown) = (&answers[3], &answers[5]);
            assert!(all.contains("libomp.so") || all.contains("libgomp.so"), "{all}");
            assert!(functions(all).len() > 4, "{all}");
            assert_eq!(functions(shown), functions(all), "{family:?} {frames}:\n{all}\n{shown}");
            assert!(!shown.contains("lib/lib"), "{family:?} {frames}:\n{all}\n{shown}");
        }
    }
}
