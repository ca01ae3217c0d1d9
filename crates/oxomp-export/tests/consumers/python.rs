//! The Python module `oxomp`: its tables, and what other packages read of them.

use std::path::Path;

use oxomp_prerequisites::skipped::skip;
use serde_json::{Value, json};

use crate::recordings::Recording;
use crate::tools::Tools;
use crate::{document, sum};

/// The consumers, if the module is there as well: `None` after a message.
fn tools() -> Option<Tools> {
    if std::env::var_os("OXOMP_PYTHON").is_none() {
        skip("OXOMP_PYTHON must name the folder of the Python module: `cargo xtask test` makes it");
        return None;
    }
    Tools::find()
}

#[test]
fn tables_of_the_python_module_have_the_numbers_of_the_document() {
    let Some(tools) = tools() else { return };
    for program in ["tests/profiler/critical.c", "tests/profiler/tasks_tree.c"] {
        let Some(recording) = Recording::of(program) else { return };
        let document = document(&recording.analysis());
        let read = tools.script("read_python.py", &[&recording.file]).unwrap();
        assert_eq!(read["calls"], sum(&document["regions"], "calls"), "{program}");
        let roots: Vec<Value> = document["calls"]["nodes"].as_array().unwrap().clone();
        let roots = roots.into_iter().filter(|node| node["caller"].is_null()).collect();
        assert_eq!(read["samples"], sum(&roots, "total"), "{program}");
        let rows = document["tasks"].as_array().unwrap().len();
        assert_eq!(read["tasks"], rows, "{program}");
    }
}

#[test]
fn tables_on_devices_are_tables_of_the_python_module() {
    let Some(tools) = tools() else { return };
    let Some(recording) = Recording::offloading("tests/profiler/offload/copies.c") else { return };
    let document = document(&recording.analysis());
    let read = tools.script("read_python.py", &[&recording.file]).unwrap();
    let constructs = document["offload"]["constructs"].as_array().unwrap();
    assert!(!constructs.is_empty());
    assert_eq!(read["target_constructs"], constructs.len());
}

#[test]
fn the_python_module_says_why_it_cannot_read() {
    let Some(tools) = tools() else { return };
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let text = recording.beside("text.oxp", b"no recording");
    let folder = recording.folder.path();
    let said = tools.script("refuse_python.py", &[&text, folder, &recording.file]).unwrap();
    let texts: Vec<&str> = said.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for (said, part) in texts.iter().zip([
        "there is no such file or folder",
        "not a profile of oxomp",
        "there is no .oxp file in this folder",
        "recordings of several processes; name one of ",
        "cannot start /nowhere/oxomp: No such file or directory",
        "needs pandas: pip install pandas",
        "needs pyarrow: pip install pyarrow",
        "needs llnl-hatchet: pip install llnl-hatchet",
        "damaged.oxp: chunk ",
    ]) {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(texts.len(), 9, "{texts:?}");
}

#[test]
fn a_folder_of_several_processes_is_a_job_of_the_python_module() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut walls, mut calls) = (Vec::new(), 0);
    for name in ["1.oxp", "2.oxp"] {
        let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
        std::fs::copy(&recording.file, folder.path().join(name)).unwrap();
        let document = document(&recording.analysis());
        walls.push(document["run"]["wall_ns"].clone());
        calls += sum(&document["regions"], "calls");
    }
    let read = tools.script("job_python.py", &[folder.path()]).unwrap();
    assert_eq!(read["walls"], json!(walls));
    assert_eq!(read["files"], json!(["1.oxp", "2.oxp"]));
    assert_eq!(read["calls"], calls);
}

#[test]
fn the_types_of_the_python_module_are_whole() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program.py");
    std::fs::write(
        &program,
        "import oxomp\nrun = oxomp.read_run('run.oxp')\nthreads: int = run['run']['threads']\n\
         for region in run.regions:\n    wall: int = region['wall_ns']\n\
         place = oxomp.read_run('run.oxp').locks[0]['place']\n\
         label: str = place['label'] if place else ''\n\
         mpi: list[float] = [call['share'] for call in oxomp.read_job('job').mpi]\n",
    )
    .unwrap();
    assert_eq!(tools.types(&program), Ok(()));
    std::fs::write(&program, "import oxomp\nx: str = oxomp.read_run('a')['run']['threads']\n")
        .unwrap();
    let reason = tools.types(&program).expect_err("a number is no text");
    assert!(reason.contains("Incompatible types in assignment"), "{reason}");
}

impl Tools {
    /// Checks a program and the module `oxomp` with mypy; what it says if there is a mistake.
    fn types(&self, program: &Path) -> Result<(), String> {
        let cache = program.with_file_name("cache");
        let module = std::env::var_os("OXOMP_PYTHON").unwrap();
        let mut mypy = self.python();
        mypy.args(["-m", "mypy", "--strict", "--cache-dir"]).arg(cache);
        mypy.arg(program).arg(Path::new(&module).join("oxomp")).env("MYPYPATH", &module);
        let output = mypy.output().unwrap();
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stdout).into_owned()),
        }
    }
}
