//! Why a process cannot be stopped, told before or after the attempt.

use std::fs;
use std::os::unix::fs::MetadataExt;

use oxomp_arch::read::Machine;

use crate::error::{Error, Result};
use crate::status::field;

/// The flag in `/proc/PID/stat` of a thread of the kernel.
const PF_KTHREAD: u64 = 0x0020_0000;

/// The process to which the thread or process `pid` belongs.
pub(crate) fn process_of(pid: i32) -> Result<i32> {
    if pid <= 0 {
        return Err(Error::NoProcess { pid });
    }
    let status = status(pid)?;
    Ok(field(&status, "Tgid").and_then(|number| number.parse().ok()).unwrap_or(pid))
}

/// Whether the process can be stopped, as far as that shows before the attempt.
pub(crate) fn check(pid: i32) -> Result<()> {
    if u32::try_from(pid) == Ok(std::process::id()) {
        return Err(Error::OwnProcess { pid });
    }
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name, in parentheses, may hold anything; behind it, the flags are the seventh field.
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .map(|(_, rest)| rest.split_whitespace().collect())
        .unwrap_or_default();
    let flags = fields.get(6).and_then(|flags| flags.parse::<u64>().ok());
    if flags.is_some_and(|flags| flags & PF_KTHREAD != 0) {
        return Err(Error::KernelThread { pid });
    }
    let threads = fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    if threads <= 1 && matches!(fields.first(), Some(&("Z" | "X"))) {
        let parent = fields.get(1).and_then(|parent| parent.parse().ok()).unwrap_or(0);
        return Err(Error::Zombie { pid, parent });
    }
    already_traced(pid)?;
    kind_of_code(pid)
}

/// The process's status; an error if no such process exists.
fn status(pid: i32) -> Result<String> {
    fs::read(format!("/proc/{pid}/status"))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|_| Error::NoProcess { pid })
}

fn already_traced(pid: i32) -> Result<()> {
    let tracer = field(&status(pid)?, "TracerPid").and_then(|number| number.parse().ok());
    match tracer {
        None | Some(0) => Ok(()),
        Some(tracer) => {
            let name = fs::read_to_string(format!("/proc/{tracer}/comm")).unwrap_or_default();
            Err(Error::Traced { pid, tracer, name: name.trim_end().to_owned() })
        }
    }
}

/// Looks at the first bytes of the program.
fn kind_of_code(pid: i32) -> Result<()> {
    use std::io::Read;
    let mut header = [0; 20];
    let read = fs::File::open(format!("/proc/{pid}/exe"))
        .and_then(|mut file| file.read_exact(&mut header));
    // A program that may not be read may not be traced either, and the attempt tells why.
    if read.is_err() {
        return Ok(());
    }
    let found = match (header[4], u16::from_le_bytes([header[18], header[19]])) {
        (2, machine) if machine == Machine::INSPECTED.elf() => return Ok(()),
        (1, _) => "32-bit code".to_owned(),
        (_, machine) => format!("code of another architecture (ELF machine {machine})"),
    };
    Err(Error::Foreign { pid, found })
}

/// Why the kernel refused to let the process be traced.
pub(super) fn explain(pid: i32) -> Error {
    if let Err(error) = already_traced(pid).and_then(|()| check(pid)) {
        return error;
    }
    let own = fs::metadata("/proc/self").map(|found| found.uid()).unwrap_or(0);
    let status = status(pid).unwrap_or_default();
    let owner = field(&status, "Uid")
        .and_then(|users| users.split_whitespace().next()?.parse::<u32>().ok())
        .unwrap_or(own);
    let instead = "`oxomp debug -- PROGRAM` starts the program itself and needs no permission";
    if owner != own && own != 0 {
        let reason =
            format!("it belongs to user {owner}, this is user {own}: ask as that user or as root");
        return Error::NotAllowed { pid, reason };
    }
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    let reason = match scope.trim() {
        "1" => format!(
            "this machine allows only a parent to trace a process: `sudo sysctl -w \
             kernel.yama.ptrace_scope=0` allows it until the next boot, sudo allows it for one \
             command, and {instead}"
        ),
        "2" => "this machine allows only root to trace processes (kernel.yama.ptrace_scope is 2): \
                use sudo, or set it to 0"
            .to_owned(),
        "3" => "this machine allows nobody to trace a process until it is booted again \
                (kernel.yama.ptrace_scope is 3): write a core file instead"
            .to_owned(),
        _ => format!(
            "the kernel refuses: in a container, start it with --cap-add=SYS_PTRACE; a program \
             that changed its user, or forbade it by prctl(PR_SET_DUMPABLE), takes root; {instead}"
        ),
    };
    Error::NotAllowed { pid, reason }
}
