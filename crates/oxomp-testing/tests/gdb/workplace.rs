//! The folder in which a session runs: as a page's folder looks to the commands of the book.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use oxomp_prerequisites::Program;
use oxomp_testing::compiler::Family;
use oxomp_testing::process::clear_environment;

use crate::debuggee::runtime;

/// gdb's own settings: for its output, and against questions.
const SETTINGS: &str = "\
set width 0
set pagination off
set debuginfod enabled off
set startup-with-shell off
set breakpoint pending on
";

/// What the book writes for the folder of the libraries.
const LIBRARIES: &str = "$(oxomp paths lib)";

/// The folder, with what lies in `examples/` of the repository, and the stripped runtime in
/// `dist/lib/`.
#[derive(Debug)]
pub(crate) struct Workplace(tempfile::TempDir);

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("a workspace").to_owned()
}

impl Workplace {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for entry in fs::read_dir(repository().join("examples")).expect("the examples") {
            let example = entry.expect("an example");
            symlink(example.path(), root.join(example.file_name())).expect("a link");
        }
        let libraries = root.join("dist/lib");
        fs::create_dir_all(&libraries).expect("a folder");
        for name in ["libomp.so", "libompd.so"] {
            let mut strip = Program::Strip.command();
            strip.arg("--strip-all").arg("-o").arg(libraries.join(name));
            let status = strip.arg(runtime().join(name)).status().expect("strip runs");
            assert!(status.success(), "{status}");
        }
        for name in ["libomp.so.5", "libgomp.so.1"] {
            symlink("libomp.so", libraries.join(name)).expect("a link");
        }
        fs::write(root.join(".gdbinit"), SETTINGS).expect("gdb's settings");
        Workplace(folder)
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// `command` in this folder, with the user's own settings out of the way.
    pub(crate) fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        clear_environment(command);
        command.current_dir(self.root()).env("HOME", self.root()).env_remove("DEBUGINFOD_URLS")
    }

    /// `line`, with its variables first, as a shell would understand it that knows no quotes.
    pub(crate) fn command(&self, line: &str) -> Command {
        let line = line.replace(LIBRARIES, "dist/lib");
        let words: Vec<&str> = line.split_whitespace().collect();
        let variables = words.iter().take_while(|word| word.contains('=')).count();
        let mut command = Command::new(words[variables]);
        self.prepare(&mut command).args(&words[variables + 1..]);
        for variable in &words[..variables] {
            let (name, value) = variable.split_once('=').expect("an assignment");
            command.env(name, value);
        }
        command
    }

    /// Compiles `source`, with lines for a debugger, to `name` in this folder.
    pub(crate) fn compile(&self, family: Family, name: &str, flags: &[&str], source: &str) {
        let file = format!("{name}.c");
        fs::write(self.root().join(&file), source).expect("a source");
        let compiler = match family {
            Family::Gcc => Program::Gcc,
            Family::Clang => Program::Clang,
        };
        let mut compile = compiler.command();
        self.prepare(&mut compile).args(["-g", "-o", name, &file]).args(flags);
        assert!(compile.status().expect("the compiler runs").success());
    }
}
