//! The programs of others that read what we write.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oxomp_prerequisites::skipped::skip;
use serde_json::Value;

/// Where `cargo xtask test` installed the consumers.
pub(crate) struct Tools {
    environment: PathBuf,
}

impl Tools {
    /// `None`, after a message, if they are not there.
    pub(crate) fn find() -> Option<Self> {
        let environment = std::env::var_os("OXOMP_CONSUMERS").map(PathBuf::from);
        if environment.is_none() {
            skip("OXOMP_CONSUMERS must name the consumers: `cargo xtask test` installs them");
        }
        Some(Self { environment: environment? })
    }

    /// Runs one of the scripts beside this file; the reason if it fails, else what it prints.
    pub(crate) fn script(&self, name: &str, words: &[&Path]) -> Result<Value, String> {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/consumers"));
        let output = self.python().arg(folder.join(name)).args(words).output().unwrap();
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
    }

    /// Python, with the packages of the environment.
    pub(crate) fn python(&self) -> Command {
        let mut python = Command::new(self.environment.join("bin/python"));
        python.stdin(Stdio::null());
        python
    }

    /// Node.js, and the Firefox Profiler's command.
    pub(crate) fn firefox(&self) -> [PathBuf; 2] {
        let client = "node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js";
        [self.environment.join("bin/node"), self.environment.join(client)]
    }

    /// The schema of speedscope's files, as its package has it.
    pub(crate) fn speedscope_schema(&self) -> PathBuf {
        self.environment.join("node_modules/speedscope/dist/release/file-format-schema.json")
    }

    /// Decodes a profile of pprof by the npm package `pprof-format`; as JSON, what it reads.
    pub(crate) fn pprof(&self, profile: &Path) -> Value {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/consumers/read_pprof.cjs");
        let output = Command::new(self.environment.join("bin/node"))
            .arg(script)
            .arg(self.environment.join("node_modules/pprof-format"))
            .arg(profile)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Perfetto's trace_processor_shell, where the machine has it: PyPI's package downloads it from
    /// another server at its first use.
    pub(crate) fn trace_processor() -> Option<PathBuf> {
        std::env::var_os("OXOMP_TRACE_PROCESSOR").map(PathBuf::from)
    }
}
