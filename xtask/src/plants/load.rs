//! Processes that compute beside the programs, as long as the value lives.

use std::process::{Child, Stdio, id};

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

/// Computes until the process in the first argument is gone: a killed command leaves no busy
/// process behind.
const COMPUTE: &str = "\
while kill -0 \"$1\" 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done";

/// Busy processes, as important as the command's own children.
#[derive(Debug)]
pub(super) struct Load(Vec<Child>);

impl Load {
    /// Starts `count` processes outside of the real-time classes, even if the command runs in one.
    pub(super) fn start(count: u32) -> Result<Self> {
        let mut load = Self(Vec::new());
        for _ in 0..count {
            let mut busy = Program::Chrt.command();
            busy.args(["-o", "0", Program::Sh.text(), "-c", COMPUTE, "busy", &id().to_string()]);
            let child = busy.stdin(Stdio::null()).spawn().context("cannot start a busy process")?;
            load.0.push(child);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended is waited for alike.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Load;

    #[test]
    fn busy_processes_live_as_long_as_the_value() {
        let mut load = Load::start(2).expect("processes");
        assert_eq!(load.0.len(), 2);
        let folders: Vec<String> =
            load.0.iter().map(|child| format!("/proc/{}", child.id())).collect();
        for child in &mut load.0 {
            assert_eq!(child.try_wait().expect("its state"), None, "it computes");
        }
        drop(load);
        assert!(folders.iter().all(|folder| fs::metadata(folder).is_err()), "{folders:?}");
    }
}
