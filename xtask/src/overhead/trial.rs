//! One run of one program.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_build::dist::Dist;

use super::programs::Program;

/// Prefixes of variables that would change the figures.
const NOT_INHERITED: [&str; 5] = ["OMP_", "KMP_", "GOMP_", "LD_", "OXOMP_"];

/// What a program said of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) ns: u64,
    pub(super) units: u64,
}

/// Where everything lies, and the number of threads.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) dist: Dist,
    pub(super) folder: PathBuf,
    pub(super) threads: Option<u32>,
    /// Options of `oxomp profile`.
    pub(super) options: Vec<String>,
}

impl Bench {
    /// Runs `binary`, a build of `program`, under `oxomp profile` or `oxomp run`.
    pub(super) fn run(&self, program: &Program, binary: &Path, profiled: bool) -> Result<Told> {
        let recording = tempfile::tempdir_in(&self.folder)?;
        let mut oxomp = Command::new(self.dist.command());
        for (name, _) in env::vars_os() {
            if NOT_INHERITED.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                oxomp.env_remove(&name);
            }
        }
        if let Some(threads) = self.threads {
            oxomp.env("OMP_NUM_THREADS", threads.to_string());
        }
        if profiled {
            oxomp.args(["profile", "--runtime", "oxomp", "-o"]).arg(recording.path());
            oxomp.args(&self.options);
        } else {
            oxomp.arg("run");
        }
        let said = command::capture(oxomp.arg("--").arg(binary).args(program.arguments))?;
        let line = said.lines().find_map(|line| line.strip_prefix("overhead "));
        line.and_then(read).with_context(|| format!("{} told no time", program.name))
    }
}

/// Reads `ns=… units=…`.
fn read(line: &str) -> Option<Told> {
    let (ns, units) = line.strip_prefix("ns=")?.split_once(" units=")?;
    Some(Told { ns: ns.parse().ok()?, units: units.parse().ok()? })
}
