//! The C text of random programs: one file has many, and an argument picks one of them.

use std::fmt::Write as _;

use super::tree::{
    Block, Construct, Fulfiller, Grain, Loop, Node, Program, Schedule, SingleEnding, TargetData,
    Task, Taskloop,
};
use crate::compiler::Family;

/// The command of `omp_control_tool` by which a program says where it is.
pub const PROBE: u32 = 64;

/// The lines of each construct of a program, by the construct's number.
#[derive(Debug, Clone, Default)]
pub struct Lines(Vec<(u32, u32)>);

impl Lines {
    /// Whether the line `line` belongs to the construct `id`.
    #[must_use]
    pub fn holds(&self, id: u32, line: u32) -> bool {
        self.0.get(id as usize).is_some_and(|(first, last)| (*first..=*last).contains(&line))
    }

    /// The first and the last line of the construct `id`.
    #[must_use]
    pub fn of(&self, id: u32) -> (u32, u32) {
        self.0.get(id as usize).copied().unwrap_or_default()
    }
}

/// A file with all of `programs`, and the lines of their constructs.
#[must_use]
pub fn file(programs: &[Program], compiler: Family) -> (String, Vec<Lines>) {
    let mut text = Text {
        text: HEAD.to_owned(),
        line: line_count(HEAD) + 1,
        lines: Lines::default(),
        compiler,
    };
    let mut lines = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        text.lines = Lines::default();
        text.program(index, program);
        lines.push(std::mem::take(&mut text.lines));
    }
    text.put("int main(int argc, char **argv)");
    text.put("{");
    text.put("switch (argc > 1 ? atoi(argv[1]) : 0) {");
    for index in 0..programs.len() {
        text.put(&format!("case {index}: program_{index}(); break;"));
    }
    text.put("}");
    text.put("return 0;");
    text.put("}");
    (text.text, lines)
}

fn line_count(text: &str) -> u32 {
    u32::try_from(text.lines().count()).unwrap_or(0)
}

const HEAD: &str = "\
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef __clang__
// libgomp has no such routines: the program links against it and finds the runtime's when it runs.
int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) __attribute__((weak));
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) __attribute__((weak));
#endif

static int variables[3];
static int sum;
static omp_lock_t locks[4];
static omp_nest_lock_t nest_locks[4];

// Of two equal calls within a function clang removes one, even where a task begins between them.
static __attribute__((noinline)) void *seen(unsigned iteration)
{
    uint64_t word = iteration;
    word |= (uint64_t)omp_get_thread_num() << 16;
    word |= (uint64_t)omp_get_num_threads() << 24;
    word |= (uint64_t)omp_get_level() << 32;
    word |= (uint64_t)omp_get_active_level() << 40;
    word |= (uint64_t)omp_in_final() << 48;
    return (void *)(uintptr_t)(word | 1ULL << 56);
}

// GCC gives a call without a line of its own that of the statement before.
#define HERE __asm__ volatile(\"\")
#define PROBE(node, iteration) omp_control_tool(64, node, seen(iteration))

static void make_locks(void)
{
    for (int i = 0; i < 4; i++) {
        omp_init_lock_with_hint(&locks[i], i == 3 ? omp_sync_hint_contended : 0);
        omp_init_nest_lock_with_hint(&nest_locks[i], i == 2 ? omp_sync_hint_uncontended : 0);
    }
}

static void destroy_locks(void)
{
    for (int i = 0; i < 4; i++) {
        omp_destroy_lock(&locks[i]);
        omp_destroy_nest_lock(&nest_locks[i]);
    }
}

";

struct Text {
    text: String,
    /// The number of the next line.
    line: u32,
    lines: Lines,
    compiler: Family,
}

impl Text {
    fn put(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.line += 1;
    }

    fn program(&mut self, index: usize, program: &Program) {
        for (number, block) in program.natives.iter().enumerate() {
            self.put(&format!("static void *native_{index}_{number}(void *unused)"));
            self.put("{");
            self.block(block);
            self.put("return unused;");
            self.put("}");
            self.put("");
        }
        self.put(&format!("// The program of the seed {}.", program.seed));
        self.put(&format!("static void program_{index}(void)"));
        self.put("{");
        self.put("make_locks();");
        let count = program.natives.len();
        if count > 0 {
            self.put(&format!("pthread_t natives[{count}];"));
        }
        for number in 0..count {
            self.put(&format!(
                "pthread_create(&natives[{number}], NULL, native_{index}_{number}, NULL);"
            ));
        }
        self.block(&program.body);
        for number in 0..count {
            self.put(&format!("pthread_join(natives[{number}], NULL);"));
        }
        self.put("destroy_locks();");
        self.put("}");
        self.put("");
    }

    fn block(&mut self, block: &Block) {
        for node in block {
            let first = self.line;
            self.put("HERE;");
            self.node(node);
            let lines = &mut self.lines.0;
            let at = node.id as usize;
            lines.resize(lines.len().max(at + 1), (0, 0));
            lines[at] = (first, self.line - 1);
        }
    }

    /// A block in braces that begins with the probe of the construct `id`.
    fn braces(&mut self, id: u32, iteration: &str, block: &Block) {
        self.put("{");
        self.put(&format!("PROBE({id}, {iteration});"));
        self.block(block);
        self.put("}");
    }

    fn pragma(&mut self, words: &str) {
        self.put(&format!("#pragma omp {words}"));
    }

    fn node(&mut self, node: &Node) {
        let id = node.id;
        match &node.construct {
            Construct::Probe => self.put(&format!("PROBE({id}, 0);")),
            Construct::Parallel { threads, is_if_false, reduction, body } => {
                let mut words = format!("parallel num_threads({threads})");
                words += clause(*is_if_false, " if(0)");
                if *reduction {
                    // A variable of its own: a task inside must not use the variable of a region
                    // around it.
                    self.put(&format!("{{ static int sum{id};"));
                    let _ = write!(words, " reduction(+ : sum{id})");
                }
                self.pragma(&words);
                self.braces(id, "0", body);
                if *reduction {
                    self.put("}");
                }
            }
            Construct::Teams { teams, body } => {
                self.pragma(&format!("teams num_teams({teams}) thread_limit(24)"));
                self.put("{");
                self.block(body);
                self.put("}");
            }
            Construct::Distribute { iterations, chunk, body } => {
                let mut words = "distribute".to_owned();
                if let Some(chunk) = chunk {
                    words += &format!(" dist_schedule(static, {chunk})");
                }
                self.pragma(&words);
                self.counted(id, *iterations);
                self.braces(id, &format!("i{id}"), body);
            }
            Construct::Loop(construct) => self.worksharing_loop(id, "for", construct),
            Construct::ParallelLoop { threads, construct } => {
                let words = format!("parallel for num_threads({threads})");
                self.worksharing_loop(id, &words, construct);
            }
            Construct::Sections { nowait, sections } => {
                let words = "sections".to_owned() + clause(*nowait, " nowait");
                self.sections(id, &words, sections);
            }
            Construct::ParallelSections { threads, sections } => {
                let words = format!("parallel sections num_threads({threads})");
                self.sections(id, &words, sections);
            }
            Construct::CancelledSections { sections, at } => {
                self.pragma("sections");
                self.put("{");
                for number in 0..*sections {
                    self.pragma("section");
                    self.put("{");
                    self.put(&format!("PROBE({id}, {number});"));
                    if number == *at {
                        self.pragma("cancel sections");
                    }
                    self.pragma("cancellation point sections");
                    self.put("}");
                }
                self.put("}");
            }
            Construct::CancelledParallel { threads, at } => {
                self.pragma(&format!("parallel num_threads({threads})"));
                self.put("{");
                self.put(&format!("PROBE({id}, 0);"));
                self.put(&format!("if (omp_get_thread_num() == {at}) {{"));
                self.pragma("cancel parallel");
                self.put("}");
                self.pragma("cancellation point parallel");
                self.put(&format!("PROBE({id}, 1);"));
                self.put("}");
            }
            Construct::TaskwaitDepend { depend: (kind, variable) } => {
                let kind = kind.name();
                self.pragma(&format!("taskwait depend({kind} : variables[{variable}])"));
            }
            Construct::TargetData(kind) => self.pragma(match kind {
                TargetData::Enter => "target enter data map(to : variables)",
                TargetData::Exit => "target exit data map(from : variables)",
                TargetData::Update => "target update to(variables)",
            }),
            Construct::Single { ending, body } => self.single(id, *ending, body),
            Construct::Masked { filter, body } => {
                self.pragma(&format!("masked filter({filter})"));
                self.braces(id, "0", body);
            }
            Construct::Scope { nowait, body } => {
                self.pragma(&("scope".to_owned() + clause(*nowait, " nowait")));
                self.braces(id, "0", body);
            }
            Construct::Critical { name, hint, body } => {
                let mut words = "critical".to_owned();
                if *name > 0 {
                    words += &format!(" (name_{name})");
                }
                if *hint > 0 {
                    words += &format!(" hint({hint})");
                }
                self.pragma(&words);
                self.braces(id, "0", body);
            }
            Construct::Lock { lock, is_test, body } => self.lock(id, *lock, *is_test, body),
            Construct::NestLock { lock, is_test, depth, body } => {
                self.nest_lock(id, *lock, *is_test, *depth, body);
            }
            Construct::Atomic => {
                self.pragma("atomic");
                self.put("variables[0]++;");
            }
            Construct::Flush => self.pragma("flush"),
            Construct::Barrier => self.pragma("barrier"),
            Construct::Taskwait => self.pragma("taskwait"),
            Construct::Taskyield => self.pragma("taskyield"),
            Construct::Error => {
                self.pragma(&format!("error at(execution) severity(warning) message(\"n{id}\")"));
            }
            Construct::Taskgroup { body } => {
                self.pragma("taskgroup");
                self.braces(id, "0", body);
            }
            Construct::Task(construct) => self.task(id, construct),
            Construct::Taskloop(construct) => self.taskloop(id, construct),
            Construct::Ordered { body } => {
                self.pragma("ordered");
                self.braces(id, "0", body);
            }
            Construct::CancelledLoop { schedule, iterations, at } => {
                self.pragma(&("for".to_owned() + &schedule_clause(*schedule, Some(1))));
                self.counted(id, *iterations);
                self.put("{");
                self.put(&format!("PROBE({id}, i{id});"));
                self.put(&format!("if (i{id} == {at}) {{"));
                self.pragma("cancel for");
                self.put("}");
                self.pragma("cancellation point for");
                self.put("}");
            }
            Construct::CancelledGroup { tasks, at } => {
                self.pragma("taskgroup");
                self.put("{");
                self.counted(id, *tasks);
                self.put("{");
                self.pragma("task");
                self.put("{");
                self.put(&format!("PROBE({id}, i{id});"));
                self.put(&format!("if (i{id} == {at}) {{"));
                self.pragma("cancel taskgroup");
                self.put("}");
                self.pragma("cancellation point taskgroup");
                self.put("}");
                self.put("}");
                self.put("}");
            }
            Construct::Doacross { schedule, iterations } => {
                self.pragma(&("for ordered(1)".to_owned() + &schedule_clause(*schedule, None)));
                self.counted(id, *iterations);
                self.put("{");
                self.pragma(&format!("ordered depend(sink : i{id} - 1)"));
                self.put(&format!("PROBE({id}, i{id});"));
                self.pragma("ordered depend(source)");
                self.put("}");
            }
            Construct::Target { body } => {
                self.pragma("target");
                self.braces(id, "0", body);
            }
        }
    }

    fn counted(&mut self, id: u32, iterations: u32) {
        self.put(&format!("for (int i{id} = 0; i{id} < {iterations}; i{id}++)"));
    }

    fn sections(&mut self, id: u32, words: &str, sections: &[Block]) {
        self.pragma(words);
        self.put("{");
        for (number, section) in sections.iter().enumerate() {
            self.pragma("section");
            self.braces(id, &number.to_string(), section);
        }
        self.put("}");
    }

    fn worksharing_loop(&mut self, id: u32, words: &str, construct: &Loop) {
        let mut words = words.to_owned() + &schedule_clause(construct.schedule, construct.chunk);
        words += clause(construct.iterations.1.is_some(), " collapse(2)");
        words += clause(construct.is_ordered, " ordered");
        words += clause(construct.reduction, " reduction(+ : sum)");
        words += clause(construct.nowait, " nowait");
        self.pragma(&words);
        self.counted(id, construct.iterations.0);
        let mut iteration = format!("i{id}");
        if let Some(second) = construct.iterations.1 {
            self.put(&format!("for (int j{id} = 0; j{id} < {second}; j{id}++)"));
            iteration = format!("i{id} * {second} + j{id}");
        }
        self.braces(id, &iteration, &construct.body);
    }

    fn single(&mut self, id: u32, ending: SingleEnding, body: &Block) {
        let is_copied = ending == SingleEnding::Copyprivate;
        if is_copied {
            self.put("{");
            self.put(&format!("int copied{id} = 0;"));
        }
        let words = match ending {
            SingleEnding::Barrier => "single".to_owned(),
            SingleEnding::Nowait => "single nowait".to_owned(),
            SingleEnding::Copyprivate => format!("single copyprivate(copied{id})"),
        };
        self.pragma(&words);
        self.braces(id, "0", body);
        if is_copied {
            self.put("}");
        }
    }

    fn lock(&mut self, id: u32, lock: u32, is_test: bool, body: &Block) {
        if is_test {
            self.put(&format!("if (omp_test_lock(&locks[{lock}]))"));
            self.put("{");
        } else {
            self.put("{");
            self.put(&format!("omp_set_lock(&locks[{lock}]);"));
        }
        self.braces(id, "0", body);
        self.put(&format!("omp_unset_lock(&locks[{lock}]);"));
        self.put("}");
    }

    fn nest_lock(&mut self, id: u32, lock: u32, is_test: bool, depth: u32, body: &Block) {
        let again = if is_test {
            self.put(&format!("if (omp_test_nest_lock(&nest_locks[{lock}]))"));
            self.put("{");
            depth - 1
        } else {
            self.put("{");
            depth
        };
        for _ in 0..again {
            let routine = if is_test { "omp_test_nest_lock" } else { "omp_set_nest_lock" };
            self.put(&format!("{routine}(&nest_locks[{lock}]);"));
        }
        self.braces(id, "0", body);
        for _ in 0..depth {
            self.put(&format!("omp_unset_nest_lock(&nest_locks[{lock}]);"));
        }
        self.put("}");
    }

    fn task(&mut self, id: u32, construct: &Task) {
        let mut words = "task".to_owned();
        words += clause(construct.is_if_false, " if(0)");
        words += clause(construct.is_final, " final(1)");
        words += clause(construct.is_untied, " untied");
        words += clause(construct.is_mergeable, " mergeable");
        words += clause(construct.has_priority, " priority(1)");
        for (kind, variable) in &construct.depend {
            let kind = kind.for_compiler(self.compiler).name();
            let _ = write!(words, " depend({kind} : variables[{variable}])");
        }
        if construct.detach.is_some() {
            self.put("{");
            self.put(&format!("omp_event_handle_t event{id};"));
            let _ = write!(words, " detach(event{id})");
        }
        self.pragma(&words);
        self.put("{");
        self.put(&format!("PROBE({id}, 0);"));
        self.block(&construct.body);
        if construct.detach == Some(Fulfiller::Itself) {
            self.put(&format!("omp_fulfill_event(event{id});"));
        }
        self.put("}");
        if construct.detach == Some(Fulfiller::Generator) {
            self.put(&format!("omp_fulfill_event(event{id});"));
        }
        if construct.detach.is_some() {
            self.put("}");
        }
    }

    fn taskloop(&mut self, id: u32, construct: &Taskloop) {
        let mut words = "taskloop".to_owned();
        match construct.grain {
            Grain::Size(size) => drop(write!(words, " grainsize({size})")),
            Grain::Tasks(tasks) => drop(write!(words, " num_tasks({tasks})")),
            Grain::Any => {}
        }
        words += clause(construct.nogroup, " nogroup");
        words += clause(construct.is_if_false, " if(0)");
        self.pragma(&words);
        self.counted(id, construct.iterations);
        self.braces(id, &format!("i{id}"), &construct.body);
    }
}

fn clause(is_there: bool, words: &'static str) -> &'static str {
    if is_there { words } else { "" }
}

fn schedule_clause(schedule: Schedule, chunk: Option<u32>) -> String {
    let kind = match schedule {
        Schedule::None => return String::new(),
        Schedule::Static => "static",
        Schedule::Dynamic => "dynamic",
        Schedule::Guided => "guided",
        Schedule::Auto => "auto",
        Schedule::Runtime => "runtime",
    };
    match chunk {
        Some(chunk) => format!(" schedule({kind}, {chunk})"),
        None => format!(" schedule({kind})"),
    }
}
