//! A test's requirements on the machine: processors that it may use, cores, a stack without a
//! limit, numbers of 80 bits.
//!
//! A machine may give the tests any of its processors. So programs name no numbers: they get the
//! first processors that they may use, as `<p0>`, `<p1>` … in directives and as `processor_at` in
//! C, and no others.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use oxomp_arch::HAS_X87;

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
    /// Numbers of 80 bits, and the routines that LLVM's runtime has only where there are such.
    X87,
}

impl Need {
    /// Reads `2 processors`, `2 cores`, `unlimited stack` or `x87`.
    ///
    /// # Errors
    ///
    /// Names the requirements that there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (first, second) = text.split_once(' ').unwrap_or((text, ""));
        let count = first.parse().ok().filter(|count| *count > 0);
        match (first, count, second.trim()) {
            ("unlimited", _, "stack") => Ok(Need::UnlimitedStack),
            ("x87", _, "") => Ok(Need::X87),
            (_, Some(count), "processor" | "processors") => Ok(Need::Processors(count)),
            (_, Some(count), "core" | "cores") => Ok(Need::Cores(count)),
            _ => Err("not `N processors`, `N cores`, `unlimited stack` or `x87`".to_owned()),
        }
    }

    /// How many processors a program with this need can name.
    #[must_use]
    pub fn processors(self) -> usize {
        match self {
            Need::Processors(count) | Need::Cores(count) => count,
            Need::UnlimitedStack | Need::X87 => 0,
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
            Need::X87 if HAS_X87 => Ok(Vec::new()),
            Need::X87 => Err("needs a processor with numbers of 80 bits".to_owned()),
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
    let mut command = Command::new(program);
    command.env(GIVEN, processors.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
    // SAFETY: zeros are an empty set, and the macro writes to the set only.
    let set = unsafe {
        let mut set = std::mem::zeroed::<libc::cpu_set_t>();
        for processor in processors {
            libc::CPU_SET(*processor as usize, &mut set);
        }
        set
    };
    let confine = move || {
        // SAFETY: the call reads the set, and is async-signal-safe.
        match unsafe { libc::sched_setaffinity(0, size_of_val(&set), &set) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: `confine` makes one call of the system.
    unsafe { command.pre_exec(confine) };
    command
}

/// The processors to which `command_on` has confined `command`, separated by commas.
pub(crate) fn processors_of(command: &Command) -> Option<&OsStr> {
    command.get_envs().find(|(name, _)| *name == GIVEN).and_then(|(_, list)| list)
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
        let output = command.output().expect("a shell is there");
        let wanted = format!("Cpus_allowed_list:\t{own}\n{own}\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), wanted);
    }
}
