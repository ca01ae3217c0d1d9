//! The SDK on a real runtime: the recorder, built on it, run under the system's libomp.
//!
//! What the log looks like is documented in the crate `oxomp-recorder`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::{env, fs};

use oxomp_prerequisites::Program as Tool;

const COMPILER: Tool = Tool::Clang;

/// Seconds after which a program counts as hanging.
const LIMIT: &str = "30";

/// A compiled program and the place for its log.
struct Program {
    executable: PathBuf,
    log: PathBuf,
}

/// One event line of a log.
#[derive(Debug)]
struct Event {
    thread: usize,
    name: String,
    keys: BTreeMap<String, String>,
    details: Vec<String>,
}

impl Event {
    fn parse(line: &str) -> Self {
        let mut tokens = line.split(' ').skip(1).map(str::to_owned);
        let thread = tokens.next().expect("a thread");
        let name = tokens.next().expect("a name");
        let keys = tokens.map(|token| {
            let (key, value) = token.split_once('=').expect("key=value");
            (key.to_owned(), value.to_owned())
        });
        Self {
            thread: thread.strip_prefix("thread=").expect("a thread").parse().expect("a number"),
            keys: keys.collect(),
            name,
            details: Vec::new(),
        }
    }

    fn get(&self, key: &str) -> &str {
        self.keys.get(key).unwrap_or_else(|| panic!("no {key} in {self:?}"))
    }

    /// The name, with kind and endpoint where there are any.
    fn label(&self) -> String {
        ["kind", "type", "endpoint"]
            .iter()
            .filter_map(|key| self.keys.get(*key))
            .fold(self.name.clone(), |label, value| format!("{label} {value}"))
    }
}

impl Program {
    fn compile(name: &str, source: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recorder-{name}"));
        // Left by an earlier run; it need not exist.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the test");
        let file = folder.join(format!("{name}.c"));
        fs::write(&file, source).expect("the source can be written");
        let executable = folder.join(name);
        let output = COMPILER
            .command()
            .args(["-O1", "-fopenmp", "-fopenmp-version=51", "-o"])
            .args([&executable, &file])
            .output()
            .unwrap_or_else(|error| panic!("{COMPILER} is needed for this test: {error}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let log = folder.join("log");
        Self { executable, log }
    }

    fn run(&self, environment: &[(&str, &str)]) -> Output {
        let recorder = env::var_os("OXOMP_RECORDER").expect(
            "OXOMP_RECORDER must name liboxomp_recorder.so: run `cargo xtask test`, which sets it",
        );
        assert!(Path::new(&recorder).is_file(), "OXOMP_RECORDER: {recorder:?} is not a file");
        let output = Tool::Timeout
            .command()
            .arg(LIMIT)
            .arg(&self.executable)
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("LD_PRELOAD")
            .env("OMP_TOOL_LIBRARIES", recorder)
            .env("OXOMP_RECORD", &self.log)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .output()
            .expect("the program can be started");
        assert!(output.status.success(), "{output:?}");
        output
    }

    /// Runs the program; its header lines and events.
    fn record(&self, environment: &[(&str, &str)]) -> (Vec<String>, Vec<Event>) {
        self.run(environment);
        parse(&self.log)
    }
}

fn parse(log: &Path) -> (Vec<String>, Vec<Event>) {
    let text = fs::read_to_string(log).unwrap_or_else(|error| panic!("{log:?}: {error}"));
    let mut header = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("# ") {
            header.push(line.to_owned());
        } else if let Some(detail) = line.strip_prefix("+ ") {
            events.last_mut().expect("an event before").details.push(detail.to_owned());
        } else {
            events.push(Event::parse(line));
        }
    }
    let runtime = header.iter().find(|line| line.starts_with("runtime ")).expect("a runtime");
    assert!(runtime.contains("LLVM"), "the test is for the system's libomp, not for {runtime}");
    (header, events)
}

const REGION: &str = "
#include <omp.h>
int main(void) {
  int sum = 0;
  #pragma omp parallel num_threads(2) shared(sum)
  {
    #pragma omp critical
    sum++;
  }
  return sum == 2 ? 0 : 1;
}
";

#[test]
fn a_parallel_region_is_recorded_in_order() {
    let (header, events) = Program::compile("region", REGION).record(&[]);
    assert_eq!(header[0], "recorder 1");
    assert!(header.contains(&"set_callback parallel_begin always".to_owned()), "{header:?}");
    assert_eq!(header.last().unwrap(), &format!("end events={} dropped=0", events.len()));

    let primary: Vec<_> = events.iter().filter(|event| event.thread == 0).collect();
    let labels: Vec<_> = primary.iter().map(|event| event.label()).collect();
    assert_eq!(
        labels,
        [
            "thread_begin initial",
            "implicit_task begin",
            "parallel_begin",
            "implicit_task begin",
            "mutex_acquire critical",
            "mutex_acquired critical",
            "mutex_released critical",
            "sync_region barrier_implicit_parallel begin",
            "sync_region_wait barrier_implicit_parallel begin",
            "sync_region_wait barrier_implicit_parallel end",
            "sync_region barrier_implicit_parallel end",
            "implicit_task end",
            "parallel_end",
            "implicit_task end",
            "thread_end",
        ]
    );
    let worker: Vec<_> = events.iter().filter(|event| event.thread == 1).collect();
    let labels: Vec<_> = worker.iter().map(|event| event.label()).collect();
    assert_eq!(
        labels,
        [
            "thread_begin worker",
            "implicit_task begin",
            "mutex_acquire critical",
            "mutex_acquired critical",
            "mutex_released critical",
            "sync_region barrier_implicit_parallel begin",
            "sync_region_wait barrier_implicit_parallel begin",
            "sync_region_wait barrier_implicit_parallel end",
            "sync_region barrier_implicit_parallel end",
            "implicit_task end",
            "thread_end",
        ]
    );

    let begin = primary[2];
    assert_eq!(begin.get("codeptr"), primary[12].get("codeptr"));
    check_parallel_begin(begin);
    check_implicit_tasks([&primary[3..12], &worker[1..10]]);
    assert_eq!(worker[10].get("thread_data"), "ok");

    let owners: Vec<_> = events.iter().filter(|event| event.name.starts_with("mutex_")).collect();
    assert!(owners.iter().all(|event| event.get("wait_id") == "w1"));
}

fn check_parallel_begin(begin: &Event) {
    assert_eq!(begin.get("parallel"), "p2");
    assert_eq!(begin.get("encountering_task"), "t1");
    assert_eq!(begin.get("requested"), "2");
    assert_eq!(begin.get("flags"), "invoker_runtime,team");
    assert_eq!(begin.get("exit_frame"), "none");
    assert!(begin.get("enter_frame").starts_with("set:"));
    assert!(begin.get("codeptr").starts_with("region+0x"), "{begin:?}");
    assert_eq!(begin.details[0], "parallel_info level=0 result=2 parallel=p1 size=1");
}

/// The events of the two implicit tasks of the region, by thread number.
fn check_implicit_tasks(members: [&[&Event]; 2]) {
    let tasks = members.map(|events| events[0].get("task"));
    assert_ne!(tasks[0], tasks[1]);
    for (index, events) in members.into_iter().enumerate() {
        assert_eq!(events[0].get("index"), index.to_string());
        assert_eq!(events[0].get("parallel"), "p2");
        assert_eq!(events[0].get("parallelism"), "2");
        assert_eq!(events[0].get("state"), "work_parallel");
        assert_eq!(events[0].details[0], "parallel_info level=0 result=2 parallel=p2 size=2");
        assert_eq!(events[8].get("parallel"), "null");
        let with_task = events.iter().filter(|event| event.keys.contains_key("task"));
        assert!(with_task.clone().all(|event| event.get("task") == tasks[index]));
        assert_eq!(with_task.count(), 6);
    }
}

#[test]
fn only_chosen_events_are_registered() {
    let program = Program::compile("chosen", REGION);
    let chosen = [("OXOMP_RECORD_EVENTS", "parallel_begin,parallel_end")];
    let (header, events) = program.record(&chosen);
    assert_eq!(header.iter().filter(|line| line.starts_with("set_callback")).count(), 2);
    let labels: Vec<_> = events.iter().map(Event::label).collect();
    assert_eq!(labels, ["parallel_begin", "parallel_end"]);
    assert_eq!(events[0].get("encountering_task"), "zero", "its begin was not announced");
}

#[test]
fn wrong_settings_are_named_and_leave_the_program_alone() {
    let program = Program::compile("wrong", REGION);
    for (name, value) in [("OXOMP_RECORD_EVENTS", "parallel_bgin"), ("OXOMP_RECORD_CAPACITY", "0")]
    {
        let messages = String::from_utf8(program.run(&[(name, value)]).stderr).unwrap();
        assert!(messages.contains(name) && messages.contains(value), "{messages}");
        assert!(!program.log.exists());
    }
    let output = program.run(&[("OXOMP_RECORD", "/dev/null/log")]);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(messages.contains("OXOMP_RECORD") && messages.contains("/dev/null/log"), "{messages}");
}

#[test]
fn what_does_not_fit_is_counted() {
    let program = Program::compile("full", REGION);
    let (header, events) = program.record(&[("OXOMP_RECORD_CAPACITY", "4")]);
    let end = header.last().unwrap();
    let dropped = end.split_once("dropped=").expect("a count").1.parse::<usize>().unwrap();
    let kept = events.iter().map(|event| 1 + event.details.len()).sum::<usize>();
    assert_eq!(kept, 8, "4 records for each of 2 threads");
    assert!(dropped > 20, "{end}");
}

#[test]
fn the_program_controls_the_recorder() {
    let source = "
        #include <omp.h>
        #include <unistd.h>
        int main(void) {
          int ok = 1;
          #pragma omp parallel num_threads(1)
          ok &= omp_control_tool(64, 7, &ok) == 0;
          ok &= omp_control_tool(omp_control_tool_pause, 0, NULL) == 0;
          #pragma omp parallel num_threads(1)
          { }
          ok &= omp_control_tool(omp_control_tool_start, 0, NULL) == 0;
          ok &= omp_control_tool(5, 0, NULL) == 1;
          ok &= omp_control_tool(omp_control_tool_flush, 0, NULL) == 0;
          _exit(ok ? 0 : 1);
        }";
    let (header, events) = Program::compile("control", source).record(&[]);
    assert!(header.last().unwrap().starts_with("end "));
    let labels: Vec<_> = events.iter().map(Event::label).collect();
    assert_eq!(
        labels,
        [
            "thread_begin initial",
            "implicit_task begin",
            "parallel_begin",
            "implicit_task begin",
            "control_tool",
            "implicit_task end",
            "parallel_end",
            "control_tool",
            "control_tool",
            "control_tool",
        ]
    );
    let probe = &events[4];
    assert_eq!((probe.get("command"), probe.get("modifier")), ("64", "7"));
    let task = probe.details.iter().find(|detail| detail.starts_with("task_info level=0"));
    let task = task.expect("the probe sees its task");
    assert!(task.contains("task=t2") && task.contains("exit_frame=set:"), "{task}");
    assert_eq!(events.last().unwrap().get("command"), "3");
}

#[test]
fn tasks_are_followed_from_creation_to_completion() {
    let source = "
        int main(void) {
          int x = 0;
          #pragma omp parallel num_threads(2) shared(x)
          #pragma omp single
          {
            #pragma omp task depend(out: x)
            x++;
            #pragma omp task depend(in: x)
            x += 0;
            #pragma omp taskwait
          }
          return x == 1 ? 0 : 1;
        }";
    let (_, events) = Program::compile("tasks", source).record(&[]);
    let created: Vec<_> = events.iter().filter(|event| event.name == "task_create").collect();
    assert_eq!(created.len(), 2);
    for task in created {
        assert_eq!((task.get("has_dependences"), task.get("flags")), ("1", "explicit"));
        let name = task.get("task");
        let schedules: Vec<_> = events.iter().filter(|e| e.name == "task_schedule").collect();
        assert_eq!(schedules.iter().filter(|event| event.get("next") == name).count(), 1);
        let done = schedules.iter().find(|event| event.get("prior") == name).expect("it ran");
        assert_eq!(done.get("status"), "complete");
    }
    let dependences: Vec<_> = events.iter().filter(|event| event.name == "dependences").collect();
    let details: Vec<_> = dependences.iter().map(|event| event.details.clone()).collect();
    // clang asks for inout where the program says out.
    assert_eq!(
        details,
        [["dependence type=inout variable=v1"], ["dependence type=in variable=v1"]]
    );
}

#[test]
fn a_forked_child_writes_a_log_of_its_own() {
    let source = "
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static int region(int threads) {
          int sum = 0;
          #pragma omp parallel num_threads(threads) reduction(+: sum)
          sum++;
          return sum == threads;
        }
        int main(void) {
          int ok = region(1);
          pid_t child = fork();
          if (child == 0)
            exit(region(1) ? 0 : 1);
          int status = 1;
          waitpid(child, &status, 0);
          printf(\"%d\", (int)child);
          return ok && status == 0 ? 0 : 1;
        }";
    let program = Program::compile("fork", source);
    let output = program.run(&[]);
    let child = String::from_utf8(output.stdout).unwrap();
    let (_, parent_events) = parse(&program.log);
    let (_, child_events) = parse(Path::new(&format!("{}.{child}", program.log.display())));
    let regions = |events: &[Event]| events.iter().filter(|e| e.name == "parallel_begin").count();
    assert_eq!(regions(&parent_events), 1);
    assert!(regions(&child_events) >= 1, "{child_events:?}");
}
