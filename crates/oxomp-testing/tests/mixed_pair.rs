//! A libomptarget and a libomp of oxomp that do not have the same version of their private
//! interface: one line says so, and the program is right.
//!
//! Needs `OXOMP_LIB`, the folder of the libraries under test, as `cargo xtask test` sets it. The
//! libraries of another version are copies of those, of which the test has changed a few bytes.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use object::{Object, ObjectSection, ObjectSymbol};
use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite, Program};
use oxomp_sys::connection::{OFFLOAD_VERSION, RUNTIME_VERSION, VERSION};
use oxomp_testing::bench::{Bench, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process;

const LIBOMP: &str = "libomp.so.5";
const LIBOMPTARGET: &str = "libomptarget.so.22.1";
const OTHER: u32 = VERSION + 6;
const LIMIT: Duration = Duration::from_secs(240);

/// Where the value of the variable `name` stands in the file of a library.
fn place_of_value(file: &[u8], name: &str) -> Range<usize> {
    let library = object::File::parse(file).expect("a library");
    let symbol = library
        .dynamic_symbols()
        .find(|symbol| symbol.name() == Ok(name))
        .unwrap_or_else(|| panic!("no {name}"));
    let index = symbol.section_index().expect("a variable lies in a section");
    let section = library.section_by_index(index).expect("the section");
    let (start, _) = section.file_range().expect("a section with bytes in the file");
    let start = (start + symbol.address() - section.address()) as usize;
    start..start + symbol.size() as usize
}

/// Where the name of a variable stands in the file, as the loader reads it.
fn place_of_name(file: &[u8], name: &str) -> Range<usize> {
    let library = object::File::parse(file).expect("a library");
    let names = library.section_by_name(".dynstr").expect("a library has names");
    let (start, _) = names.file_range().expect("names with bytes in the file");
    let wanted = format!("\0{name}\0");
    let bytes = names.data().expect("the names");
    let found = bytes.windows(wanted.len()).position(|it| it == wanted.as_bytes());
    let start = start as usize + found.expect("the name") + 1;
    start..start + name.len()
}

/// The library with another number in its version.
fn of_another_version(mut file: Vec<u8>, name: &str) -> Vec<u8> {
    let place = place_of_value(&file, name);
    assert_eq!(file[place.clone()], VERSION.to_le_bytes());
    file[place].copy_from_slice(&OTHER.to_le_bytes());
    file
}

/// The library without a version, as before there were any.
fn without_version(mut file: Vec<u8>, name: &str) -> Vec<u8> {
    let place = place_of_name(&file, name);
    file[place].fill(b'_');
    file
}

/// A change of a library's file whose version has this name.
type Change = fn(Vec<u8>, &str) -> Vec<u8>;

fn unchanged(file: Vec<u8>, _: &str) -> Vec<u8> {
    file
}

/// Runs the program on libraries that the changes have been made to, where a target region is
/// executed by `task`; returns their folder, which goes with the bench, and what the program has
/// said on standard error.
fn said_with(libomp: Change, libomptarget: Change, task: &str) -> Option<(Bench, PathBuf, String)> {
    let files = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
    let needed: Vec<Prerequisite> = files.map(Prerequisite::from).to_vec();
    if !has_all(&needed) || !has_all(&[Program::Clang.into()]) {
        return None;
    }
    let bench = Bench::new("mixed_pair");
    let target = format!("-fopenmp-targets={HOST_DEVICE}");
    let program = bench.program(Compiler::Clang, "offload", &["-O1", &target, "offload.c"]);
    let tested = std::env::var_os("OXOMP_LIB").expect("the bench has it");
    let folder = bench.path("libraries");
    fs::create_dir(&folder).expect("a folder");
    let changes =
        [(LIBOMP, libomp, RUNTIME_VERSION), (LIBOMPTARGET, libomptarget, OFFLOAD_VERSION)];
    for (name, change, version) in changes {
        let file = fs::read(Path::new(&tested).join(name)).expect("the library under test");
        let changed = change(file, version.to_str().expect("a name of letters"));
        fs::write(folder.join(name), changed).expect("a place for the library");
    }
    // The images of devices ask for this name.
    symlink(LIBOMP, folder.join("libomp.so")).expect("a place for the link");
    let mut command = Command::new(program);
    process::clear_environment(&mut command);
    command.env("LD_LIBRARY_PATH", &folder).env("OMP_NUM_THREADS", "2");
    let outcome = process::run(&mut command, LIMIT).expect("it starts");
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    let wanted = format!("4 devices, sum 19800, 3 regions\n{task} task\n1 end of the tool\n");
    assert_eq!(outcome.stdout, wanted, "{outcome:#?}");
    Some((bench, folder, outcome.stderr))
}

/// The line about the libraries in `folder`, of which libomp `has` something.
fn line(folder: &Path, has: &str) -> String {
    format!(
        "omptarget warning: {libomptarget} has version {VERSION} of oxomp's private interface and \
         {libomp} {has}: they work together as with LLVM's libraries, so target regions are not \
         initial tasks, and tools miss some events of devices; install both libraries of one \
         release of oxomp\n",
        libomptarget = folder.join(LIBOMPTARGET).display(),
        libomp = folder.join(LIBOMP).display(),
    )
}

#[test]
fn libraries_of_one_version_say_nothing() {
    let Some((_bench, _, said)) = said_with(unchanged, unchanged, "an initial") else { return };
    assert_eq!(said, "");
}

/// Each library sees another version in the other one.
#[test]
fn libraries_of_two_versions_say_so_and_work_as_with_other_runtimes() {
    let run = said_with(of_another_version, of_another_version, "the encountering");
    let Some((_bench, folder, said)) = run else { return };
    assert_eq!(said, line(&folder, &format!("has version {OTHER}")));
}

#[test]
fn a_libomp_from_before_the_versions_is_named_too() {
    let Some((_bench, folder, said)) =
        said_with(without_version, of_another_version, "the encountering")
    else {
        return;
    };
    assert_eq!(said, line(&folder, "has none"));
}
