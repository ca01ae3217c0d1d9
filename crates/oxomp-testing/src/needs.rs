//! A test's requirements on the machine: processors that it may use, cores, a stack without a
//! limit.
//!
//! A machine may give the tests any of its processors. So programs name no numbers: they get the
//! first processors that they may use, as `<p0>`, `<p1>` … in directives and as `processor_at` in
//! C, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use oxomp_prerequisites::Program;

/// The program's variable with the processors that it was given, separated by commas.
const GIVEN: &str = "TEST_PROCESSORS";

/// A requirement of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A number of processors, and no others.
    Processors(usize),
    /// A number of processors, each of another core, on one socket, and no others.
    Cores(usize),
    /// No hard limit on the stack's size.
    UnlimitedStack,
}

impl Need {
    /// Reads `2 processors`, `2 cores` or `unlimited stack`.
    ///
    /// # Errors
    ///
    /// Names the requirements that there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (first, second) = text.split_once(' ').unwrap_or((text, ""));
        let count = first.parse().ok().filter(|count| *count > 0);
        match (first, count, second.trim()) {
            ("unlimited", _, "stack") => Ok(Need::UnlimitedStack),
            (_, Some(count), "processor" | "processors") => Ok(Need::Processors(count)),
            (_, Some(count), "core" | "cores") => Ok(Need::Cores(count)),
            _ => Err("not `N processors`, `N cores` or `unlimited stack`".to_owned()),
        }
    }

    /// How many processors a program with this need can name.
    #[must_use]
    pub fn processors(self) -> usize {
        match self {
            Need::Processors(count) | Need::Cores(count) => count,
            Need::UnlimitedStack => 0,
        }
    }

    /// The processors for the program; empty if it may use any.
    ///
    /// # Errors
    ///
    /// Names the requirement that this machine does not meet.
    pub fn met(self) -> Result<Vec<u32>, String> {
        let first = |all: Vec<u32>, count: usize, what: &str| match all.get(..count) {
            Some(first) => Ok(first.to_vec()),
            None => Err(format!("needs {count} {what}, and the tests may use {}", all.len())),
        };
        match self {
            Need::Processors(count) => first(processors()?, count, "processors"),
            Need::Cores(count) => first(cores()?, count, "cores of one socket"),
            Need::UnlimitedStack => {
                let limits = read("/proc/self/limits")?;
                match field(&limits, "Max stack size").and_then(|it| it.split_whitespace().nth(1)) {
                    Some("unlimited") => Ok(Vec::new()),
                    _ => Err("needs a stack without a hard limit (ulimit -H -s)".to_owned()),
                }
            }
        }
    }
}

/// The processors that this process may use, in ascending order.
///
/// # Errors
///
/// The system does not say.
pub fn processors() -> Result<Vec<u32>, String> {
    let status = read("/proc/self/status")?;
    field(&status, "Cpus_allowed_list:")
        .and_then(|list| parse_list(list.trim()))
        .ok_or_else(|| "the kernel does not say which processors may be used".to_owned())
}

/// The first processor of each core on the socket of the first of all.
fn cores() -> Result<Vec<u32>, String> {
    let topology = |processor: u32, name: &str| {
        read(&format!("/sys/devices/system/cpu/cpu{processor}/topology/{name}"))
    };
    let mut seen = BTreeSet::new();
    let mut socket = None;
    let mut cores = Vec::new();
    for processor in processors()? {
        let here = topology(processor, "physical_package_id")?;
        let is_here = *socket.get_or_insert_with(|| here.clone()) == here;
        if is_here && seen.insert(topology(processor, "thread_siblings_list")?) {
            cores.push(processor);
        }
    }
    Ok(cores)
}

/// `text` with each `<pN>` replaced by the number of that processor.
#[must_use]
pub fn with_processors(text: &str, processors: &[u32]) -> String {
    processors.iter().enumerate().fold(text.to_owned(), |text, (index, processor)| {
        text.replace(&format!("<p{index}>"), &processor.to_string())
    })
}

/// The command for `program`, confined to `processors`, which it also finds in its environment. An
/// empty list confines it to nothing.
#[must_use]
pub fn command_on(processors: &[u32], program: &std::path::Path) -> Command {
    if processors.is_empty() {
        return Command::new(program);
    }
    let list = processors.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let mut command = Program::Taskset.command();
    command.args(["-c", &list]).arg(program).env(GIVEN, &list);
    command
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

/// The text after `name` in its line.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name))
}

/// The kernel's `0,2-3`.
fn parse_list(list: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for range in list.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        numbers.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::{Need, command_on, parse_list, processors, with_processors};
    use std::path::Path;

    #[test]
    fn needs_are_read() {
        assert_eq!(Need::parse("2 processors"), Ok(Need::Processors(2)));
        assert_eq!(Need::parse("1 processor"), Ok(Need::Processors(1)));
        assert_eq!(Need::parse("4 cores"), Ok(Need::Cores(4)));
        assert_eq!(Need::parse("unlimited stack"), Ok(Need::UnlimitedStack));
        for wrong in ["", "2", "0 processors", "two cores", "unlimited", "2 stack"] {
            assert!(Need::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_kernels_lists_are_read() {
        assert_eq!(parse_list("0,2-4,9"), Some(vec![0, 2, 3, 4, 9]));
        assert_eq!(parse_list("7"), Some(vec![7]));
        assert_eq!(parse_list("0-"), None);
    }

    #[test]
    fn what_is_there_is_given_and_what_is_not_is_named() {
        let all = processors().expect("Linux says");
        assert_eq!(Need::Processors(1).met(), Ok(vec![all[0]]));
        assert_eq!(Need::Cores(1).met(), Ok(vec![all[0]]));
        let reason = Need::Processors(all.len() + 1).met().expect_err("more than there are");
        assert_eq!(
            reason,
            format!("needs {} processors, and the tests may use {}", all.len() + 1, all.len())
        );
    }

    #[test]
    fn processors_are_put_into_directives() {
        assert_eq!(with_processors("{<p1>},{<p0>:2}", &[8, 13]), "{13},{8:2}");
        assert_eq!(with_processors("{<p1>}", &[8]), "{<p1>}");
    }

    #[test]
    fn a_program_gets_its_processors_only() {
        let own = processors().expect("Linux says")[0];
        let mut command = command_on(&[own], Path::new("sh"));
        command.args(["-c", "grep Cpus_allowed_list /proc/self/status; echo $TEST_PROCESSORS"]);
        let output = command.output().expect("taskset is there");
        let wanted = format!("Cpus_allowed_list:\t{own}\n{own}\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), wanted);
    }
}
