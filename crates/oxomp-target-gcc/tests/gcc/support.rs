//! Programs of gcc's, the test plug-in, and runs of both with libgomp or oxomp.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::skipped::{has_all, is_emulated};
use oxomp_prerequisites::{File, Prerequisite, Program};
use tempfile::TempDir;

use crate::offload_compiler::OffloadCompiler;

/// Seconds after which a program that hangs is ended.
const LONGEST: &str = "60";

/// The files of the test plug-in.
const PLUGIN: [&str; 5] = ["device.c", "fault.c", "host.c", "log.c", "memory.c"];

const PLUGIN_FILE: &str = "libgomp-plugin-nvptx.so.1";

/// Whose library a program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runtime {
    /// Debian's libgomp.
    Libgomp,
    /// The library in the folder `OXOMP_LIB`.
    Oxomp,
}

/// A folder with the test plug-in, for programs.
pub(crate) struct Bench {
    folder: TempDir,
    /// The compiler for devices, if programs need it.
    offload: Option<OffloadCompiler>,
}

/// What a run has left.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) succeeded: bool,
    /// The standard output.
    pub(crate) text: String,
    /// The standard error.
    pub(crate) messages: String,
    /// The calls of the plug-in, a line each.
    pub(crate) log: String,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn succeed(command: &mut Command) {
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Bench {
    /// A folder with the plug-in, compiled with these options; `None`, after a message, if this
    /// machine lacks something. Programs in C by hand need no compiler for devices.
    pub(crate) fn new(with_offload_compiler: bool, options: &[&str]) -> Option<Self> {
        let mut needed: Vec<Prerequisite> =
            vec![Program::Gcc.into(), Program::Timeout.into(), File::Libgomp.into()];
        if with_offload_compiler {
            needed.push(Program::Gfortran.into());
        }
        if is_emulated() {
            eprintln!(
                "skipped: not in an emulator: the plug-in would be for this machine's processor"
            );
            return None;
        }
        if !has_all(&needed) {
            return None;
        }
        let offload = if with_offload_compiler { Some(OffloadCompiler::find()?) } else { None };
        let folder = tempfile::tempdir().expect("a temporary folder");
        succeed(
            Program::Gcc
                .command()
                .args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"])
                .args(options)
                .arg("-o")
                .arg(folder.path().join(PLUGIN_FILE))
                .args(PLUGIN)
                .args(["-lgomp", "-lpthread"])
                .current_dir(tests().join("plugin")),
        );
        Some(Self { folder, offload })
    }

    /// A file of that name in the folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The file of the plug-in.
    pub(crate) fn plugin(&self) -> PathBuf {
        self.folder.path().join(PLUGIN_FILE)
    }

    /// Compiles a program of this crate, or one with an absolute path, with images for nvptx.
    pub(crate) fn compile(&self, source: &str, options: &[&str]) -> PathBuf {
        let compiler = self.offload.as_ref().expect("the bench has the compiler for devices");
        let (mut command, program) = self.compilation(source, options);
        succeed(compiler.serve(&mut command));
        program
    }

    /// Compiles a program without images.
    pub(crate) fn compile_plain(&self, source: &str, options: &[&str]) -> PathBuf {
        let (mut command, program) = self.compilation(source, options);
        succeed(command.arg("-foffload=disable"));
        program
    }

    /// The command that compiles a program, and the program's file.
    fn compilation(&self, source: &str, options: &[&str]) -> (Command, PathBuf) {
        let compiler = if source.ends_with(".f90") { Program::Gfortran } else { Program::Gcc };
        let name = Path::new(source).file_name().expect("a file").display().to_string();
        let program = self.folder.path().join(format!("{name}{}", options[0]));
        let mut command = compiler.command();
        command
            .args(["-g", "-fopenmp"])
            .args(options)
            .arg("-o")
            .arg(&program)
            .arg(tests().join("programs").join(source))
            .args(options.iter().filter(|option| option.starts_with("-l")))
            // gfortran writes files of modules there.
            .current_dir(self.folder.path());
        (command, program)
    }

    /// Runs a program with arguments and variables.
    pub(crate) fn run(
        &self,
        program: &Path,
        runtime: Runtime,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Outcome {
        let log = self.folder.path().join("calls");
        let _ = fs::remove_file(&log);
        let plugin = self.folder.path().display().to_string();
        let libraries = match runtime {
            Runtime::Libgomp => plugin,
            Runtime::Oxomp => format!("{}:{plugin}", oxomp_lib().display()),
        };
        let mut command = Program::Timeout.command();
        for name in ["OMP_TARGET_OFFLOAD", "OMP_DEFAULT_DEVICE", "OMP_TOOL_LIBRARIES", "GOMP_DEBUG"]
        {
            command.env_remove(name);
        }
        let output = command
            .arg(LONGEST)
            .arg(program)
            .args(arguments)
            .env("LD_LIBRARY_PATH", libraries)
            .env("TEST_DEVICE_LOG", &log)
            .envs(variables.iter().copied())
            .output()
            .expect("the program starts");
        Outcome::of(&output, &log)
    }
}

impl Bench {
    /// The report of `oxomp profile` on a program.
    pub(crate) fn profile(&self, command: &Path, program: &Path) -> String {
        let output = Program::Timeout
            .command()
            .arg(LONGEST)
            .arg(command)
            .arg("profile")
            .arg(program)
            .env("LD_LIBRARY_PATH", self.folder.path())
            .current_dir(self.folder.path())
            .output()
            .expect("the command starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text(&output.stdout) + &text(&output.stderr)
    }
}

/// The folder with oxomp's libraries.
pub(crate) fn oxomp_lib() -> PathBuf {
    let lib = std::env::var_os("OXOMP_LIB").map(PathBuf::from);
    lib.expect("OXOMP_LIB is not set: run `cargo xtask test`")
}

impl Outcome {
    fn of(output: &Output, log: &Path) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            succeeded: output.status.success(),
            text: text(&output.stdout),
            messages: text(&output.stderr),
            log: fs::read_to_string(log).unwrap_or_default(),
        }
    }

    /// How often the plug-in's function has been called.
    pub(crate) fn calls(&self, function: &str) -> usize {
        self.log.lines().filter(|line| line.split(' ').next() == Some(function)).count()
    }
}
