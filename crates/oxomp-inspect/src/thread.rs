//! A thread of a process.

use std::time::Duration;

use oxomp_arch::read::Registers;
use oxomp_ompd_layout::Memory;

/// A thread as the operating system has it.
#[derive(Debug, Clone)]
pub struct NativeThread {
    /// Its number, as this process sees it.
    pub lwp: i32,
    /// Its number as the process itself sees it: another one in a container.
    pub inner_lwp: i32,
    /// Its name; by default the program's.
    pub name: String,
    /// The number of the system call in which it stopped; `None` if it stopped in its own code, or
    /// if a core file does not tell.
    pub system_call: Option<u64>,
    /// Whether it makes that system call anew when it goes on: nothing had ended the call when it
    /// stopped.
    pub restarts: bool,
    /// In a core file: the signal that ended the process, if this thread received it. In a live
    /// process: the signal that is about to be delivered to the thread.
    pub signal: Option<Signal>,
    /// Time on a processor so far; `None` for a core file.
    pub cpu_time: Option<Duration>,
    /// Its registers; `None` if it could not be stopped, as in a system call that cannot be
    /// interrupted, or has ended.
    pub registers: Option<Registers>,
}

impl NativeThread {
    /// Notes the system call in which it stopped, by its registers and by its code in `memory`.
    pub(crate) fn find_system_call(&mut self, memory: &dyn Memory) {
        let instruction = |address| {
            let mut bytes = [0; 4];
            memory.read(address, &mut bytes).then_some(bytes)
        };
        let call = self.registers.and_then(|registers| registers.system_call(&instruction));
        self.system_call = call.map(|call| call.number);
        self.restarts = call.is_some_and(|call| call.restarts);
    }
}

/// A signal to a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// The signal's number.
    pub number: i32,
    /// The kernel's reason (`si_code`), where it is known.
    pub code: Option<i32>,
    /// The address of a fault.
    pub address: Option<u64>,
}

impl Signal {
    /// Its name, as `SIGSEGV`, or `signal 35`.
    #[must_use]
    pub fn name(&self) -> String {
        let named = usize::try_from(self.number).ok().and_then(|number| NAMES.get(number));
        match named {
            Some(name) if !name.is_empty() => format!("SIG{name}"),
            _ => format!("signal {}", self.number),
        }
    }

    /// Whether it is one by which programs crash, rather than one that others send to them.
    #[must_use]
    pub fn is_crash(&self) -> bool {
        // SIGABRT and SIGSYS beside the faults.
        matches!(self.number, 6 | 31) || Self::is_fault(self.number)
    }

    /// Whether it tells of a fault at an address.
    pub(crate) fn is_fault(number: i32) -> bool {
        // SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV.
        matches!(number, 4 | 5 | 7 | 8 | 11)
    }
}

/// The names of Linux's signals, by number.
const NAMES: [&str; 32] = [
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
    "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

#[cfg(test)]
mod tests {
    use super::Signal;

    #[test]
    fn signals_have_the_names_of_the_manual() {
        let name = |number| Signal { number, code: None, address: None }.name();
        assert_eq!(name(11), "SIGSEGV");
        assert_eq!(name(6), "SIGABRT");
        assert_eq!(name(31), "SIGSYS");
        assert_eq!(name(35), "signal 35");
        assert_eq!(name(0), "signal 0");
    }
}
