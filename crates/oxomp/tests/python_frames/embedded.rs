//! Programs with an interpreter inside: linked with its library, or with its archive, of which the
//! program exports nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use oxomp_prerequisites::Program;

use crate::interpreters::{Interpreter, all};
use crate::place::{Place, programs};
use crate::tree::{Frame, has, paths};
use crate::{is_frame, line};

/// What it takes to link a program with an interpreter.
struct Parts {
    headers: PathBuf,
    library: PathBuf,
    archive: PathBuf,
    /// Where the interpreter finds its modules.
    home: OsString,
}

impl Parts {
    fn of(interpreter: &Interpreter) -> Self {
        let script = "import os, sys, sysconfig\n\
                      of = sysconfig.get_config_var\n\
                      print(of('INCLUDEPY'))\n\
                      print(os.path.join(of('LIBDIR') or '', of('LDLIBRARY') or ''))\n\
                      print(os.path.join(of('LIBPL') or '', of('LIBRARY') or ''))\n\
                      print(sys.base_prefix)";
        let output = Command::new(&interpreter.path).args(["-c", script]).output();
        let text = String::from_utf8(output.expect("its answer").stdout).expect("a text");
        let mut lines = text.lines();
        let mut next = || lines.next().expect("a line");
        Self {
            headers: next().into(),
            library: next().into(),
            archive: next().into(),
            home: next().into(),
        }
    }

    /// Links the program with `file`; false if that does not work here: the file or the headers are
    /// not there, or libraries that an archive needs are not.
    fn link(&self, file: &Path, program: &Path) -> bool {
        let folder = file.parent().expect("a folder");
        let mut compile = Program::Gcc.command();
        compile.args(["-O2", "-g", "-fopenmp", "-no-pie", "-I"]).arg(&self.headers);
        compile.arg("-o").arg(program).arg(programs().join("python_embedded.c")).arg(file);
        compile.arg(format!("-Wl,-rpath,{}", folder.display()));
        compile.args(["-ldl", "-lutil", "-lpthread", "-lm", "-lz", "-lexpat"]);
        let is_there = file.is_file() && self.headers.join("Python.h").is_file();
        is_there && compile.output().expect("gcc").status.success()
    }
}

#[test]
fn call_paths_have_the_functions_of_an_interpreter_in_the_program() {
    let interpreters = all();
    if interpreters.is_empty() {
        return;
    }
    let place = Place::new();
    let (script, text) = place.script("python_embedded.py", "embedded.py");
    let at = |function: &str, mark: &str| -> Frame { (function.to_owned(), line(&text, mark)) };
    let native = |function: &str| -> Frame { (function.to_owned(), 0) };
    let begin = [native("main"), native("execute_script"), at("<module>", "main")];
    let to_region = [
        at("everything", "everything_region"),
        at("region", "region"),
        native("call_work"),
        native("work"),
    ];
    let to_spin = [at("everything", "everything_spin"), at("spin", "spin")];
    for interpreter in &interpreters {
        let parts = Parts::of(interpreter);
        for (kind, file) in [("library", &parts.library), ("archive", &parts.archive)] {
            let title = format!("{interpreter}, its {kind}");
            let program = place.path(&format!("{kind}{}", interpreter.name));
            if !parts.link(file, &program) {
                eprintln!("not tested, since nothing can be linked with it: {title}");
                continue;
            }
            eprintln!("{title}");
            let run = format!("run-{kind}{}", interpreter.name);
            let program = [program, script.clone(), "0.3".into()];
            let home = ("PYTHONHOME", parts.home.as_os_str());
            let document = place.profile_with(&[home], &run, "1000", &program, "done\n");
            assert!(document["quality"]["unread_python"].is_null(), "{title}");
            let paths = paths(&document);
            for end in [&to_region[..], &to_spin] {
                let wanted = [&begin, end].concat();
                // Nothing of the interpreter's stands between them.
                let is_it =
                    |path: &Vec<Frame>| path.len() == wanted.len() && has(path, &wanted, is_frame);
                assert!(paths.iter().any(is_it), "{title}: {wanted:?} in {paths:?}");
            }
        }
    }
}
