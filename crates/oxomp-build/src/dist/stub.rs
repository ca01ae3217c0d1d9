//! Libraries without code: names to link with, or further names of a library.
//!
//! A stub names the library that it stands for (`DT_FILTER`): a program that loads the stub gets
//! that library's definitions, by symbol look-up as by dlsym(3), and never calls into the stub. The
//! loader looks for the library beside the stub first, whatever `LD_LIBRARY_PATH` says.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::install;
use crate::command;
use crate::elf::{SharedObject, Symbol};

/// What makes stubs for a processor.
#[derive(Clone, Debug)]
pub struct StubTools {
    /// The words that call a C compiler.
    pub compiler: Vec<OsString>,
    /// The words that call a linker, or a compiler that calls one.
    pub linker: Vec<OsString>,
    /// What stands before each option of the linker.
    pub before_options: &'static str,
}

impl StubTools {
    /// Those of the C compiler that these words call.
    pub fn of_compiler(compiler: Vec<OsString>) -> Self {
        Self { linker: compiler.clone(), compiler, before_options: "-Wl," }
    }
}

/// A command of these words.
fn of_words(words: &[OsString]) -> Result<Command> {
    let (program, arguments) = words.split_first().context("no program is given")?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

/// A library without code.
#[derive(Debug)]
pub struct Stub<'a> {
    /// Its soname, which programs linked with it ask for.
    pub soname: &'a str,
    /// The file name of the library that it stands for.
    pub stands_for: &'a str,
    /// The version nodes that it defines, each with the names that it offers there.
    pub nodes: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The names that it offers without a version.
    pub unversioned: BTreeSet<&'a str>,
    /// The sizes of those names that are data, in bytes.
    pub data: BTreeMap<&'a str, u64>,
    /// The names that it asks for, so that linkers export the definitions of programs.
    pub asked_for: BTreeSet<&'a str>,
}

/// The functions of a tool. The runtime defines them for runs without one, and looks for others
/// beside its own, which it must not find in a stub.
pub(super) const OF_TOOLS: [&str; 2] = ["ompt_start_tool", "ompt_tool"];

impl<'a> Stub<'a> {
    /// A further name of `library`, whose file name is `stands_for`: with all its versions, and
    /// each symbol at the version that linkers take for a reference without one.
    pub fn alias(soname: &'a str, stands_for: &'a str, library: &'a SharedObject) -> Self {
        let nodes = library.nodes.iter().map(|node| (node.as_str(), BTreeSet::new()));
        let mut stub = Self {
            soname,
            stands_for,
            nodes: nodes.collect(),
            unversioned: BTreeSet::new(),
            data: BTreeMap::new(),
            asked_for: BTreeSet::new(),
        };
        for Symbol { name, node, default, data, size, .. } in &library.exports {
            match node {
                _ if OF_TOOLS.contains(&name.as_str()) => {
                    stub.asked_for.insert(name);
                    continue;
                }
                Some(node) if *default => {
                    stub.nodes.entry(node).or_default().insert(name);
                }
                Some(_) => continue,
                None => {
                    stub.unversioned.insert(name);
                }
            }
            if *data {
                stub.data.insert(name, *size);
            }
        }
        stub
    }

    /// Writes the stub to `to`.
    pub fn link(&self, tools: &StubTools, to: &Path) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let [source, object, script, built] =
            ["stub.s", "stub.o", "stub.map", "stub.so"].map(|name| folder.path().join(name));
        fs::write(&source, self.assembly())?;
        fs::write(&script, self.version_script())?;
        let mut assemble = of_words(&tools.compiler)?;
        assemble.arg("-c").arg(&source).arg("-o").arg(&object);
        let mut link = of_words(&tools.linker)?;
        link.args(["-shared", "-nostdlib", "-s", "-o"]).args([&built, &object]);
        for option in [
            // The older of the two tags of a path comes before LD_LIBRARY_PATH.
            "--disable-new-dtags".to_owned(),
            "-rpath=$ORIGIN".to_owned(),
            format!("-soname={}", self.soname),
            format!("--filter={}", self.stands_for),
            format!("--version-script={}", script.display()),
        ] {
            link.arg(format!("{}{option}", tools.before_options));
        }
        for step in [&mut assemble, &mut link] {
            command::capture(step).with_context(|| {
                format!(
                    "cannot link the stub {} (a C compiler is needed; CC names another one)",
                    self.soname
                )
            })?;
        }
        let contents = fs::read(&built)?;
        let _ = fs::remove_file(to);
        install::replace(to, &contents, 0o755)
    }

    pub(super) fn assembly(&self) -> String {
        let mut assembly = String::from(".text\n");
        for name in self.nodes.values().flatten().chain(&self.unversioned) {
            let (kind, size) = match self.data.get(name) {
                Some(size) => ("object", *size),
                None => ("function", 1),
            };
            let _ = writeln!(
                assembly,
                ".globl {name}\n.type {name},%{kind}\n.size {name},{size}\n{name}: .byte 0"
            );
        }
        assembly.push_str(".data\n");
        for name in &self.asked_for {
            let _ = writeln!(assembly, ".weak {name}\n.quad {name}");
        }
        assembly.push_str(".section .note.GNU-stack,\"\",%progbits\n");
        assembly
    }

    pub(super) fn version_script(&self) -> String {
        let mut script = String::new();
        for (node, names) in &self.nodes {
            if names.is_empty() {
                let _ = writeln!(script, "{node} {{ }};");
                continue;
            }
            let _ = writeln!(script, "{node} {{ global:");
            for name in names {
                let _ = writeln!(script, "  {name};");
            }
            let _ = writeln!(script, "}};");
        }
        if self.nodes.is_empty() {
            script.push_str("{ global: *; };\n");
        }
        script
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsString;
    use std::process::Command;

    use anyhow::Result;
    use oxomp_prerequisites::Program;

    use super::{Stub, StubTools};
    use crate::command;
    use crate::elf::SharedObject;

    /// A program that is linked with an alias, or opens one, gets the definitions of the library.
    #[test]
    fn an_alias_leads_to_the_library() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("real.c"), "int answer(void) { return 42; } int datum = 7;\n")?;
        std::fs::write(path("real.map"), "A { };\nB { global: answer; datum; } A;\n")?;
        let mut cc = Program::Cc.command();
        cc.current_dir(folder.path()).args(["-shared", "-fPIC", "-Wl,-soname,libreal.so.1"]);
        cc.args(["-Wl,--version-script=real.map", "-o", "libreal.so", "real.c"]);
        command::capture(&mut cc)?;
        let library = SharedObject::read(&path("libreal.so"))?;
        let tools = StubTools::of_compiler(vec![OsString::from(Program::Cc.text())]);
        for soname in ["libreal.so.1", "libother.so"] {
            Stub::alias(soname, "libreal.so", &library).link(&tools, &path(soname))?;
        }
        assert_eq!(
            SharedObject::read(&path("libother.so"))?.nodes,
            BTreeSet::from(["A", "B"].map(str::to_owned))
        );
        std::fs::write(
            path("main.c"),
            "#include <dlfcn.h>\nextern int answer(void), datum;\nint main(void) {\n\
             int (*found)(void) = (int (*)(void))dlsym(dlopen(\"libreal.so.1\", RTLD_NOW), \
             \"answer\");\nreturn !(answer() == 42 && datum == 7 && found == answer); }\n",
        )?;
        let mut cc = Program::Cc.command();
        cc.current_dir(folder.path()).args(["main.c", "-L.", "-lother", "-o", "main"]);
        command::capture(&mut cc)?;
        let mut program = Command::new(path("main"));
        let status = program.env("LD_LIBRARY_PATH", folder.path()).status()?;
        assert!(status.success(), "{status}");
        Ok(())
    }
}
