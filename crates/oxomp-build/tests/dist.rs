//! The folder that `cargo xtask dist` makes: names, versions, and programs linked with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use oxomp_build::dist::{OFFLOAD_LINKS, RUNTIME_LINKS};
use oxomp_build::elf::{SharedObject, Symbol};
use oxomp_build::exports::{self, Reference};
use oxomp_build::workspace::root;
use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, HOST_DEVICE, Program};

/// Prints what depends on the runtime's answers and on neither its speed nor its name.
const PROGRAM: &str = r#"
#include <omp.h>
#include <stdio.h>
int main(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_sched_t kind;
    int chunk, sizes = 0, depth = 0, entered = 0;
    long sum = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_schedule(omp_sched_guided, 7);
    omp_get_schedule(&kind, &chunk);
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp for schedule(runtime)
        for (int i = 0; i < 1000; i++)
            sum += i;
        omp_set_lock(&lock);
        sizes += omp_get_num_threads();
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        depth++;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
#pragma omp critical
        entered++;
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    printf("%ld %d %d %d %d %d\n", sum, sizes, depth, entered, (int)kind & 7, chunk);
    return 0;
}
"#;

const ANSWER: &str = "499500 9 3 3 3 7\n";

fn lib() -> PathBuf {
    let lib = std::env::var_os("OXOMP_LIB").expect("OXOMP_LIB is not set: run `cargo xtask test`");
    PathBuf::from(lib)
}

fn runtime() -> SharedObject {
    SharedObject::read(&lib().join("libomp.so")).expect("a shared object")
}

fn table() -> Vec<Reference> {
    exports::read(root()).expect("the table is readable")
}

/// Calls the routines of device memory, for the device of its kernel.
const OFFLOADING: &str = r#"
#include <omp.h>
#include <stdio.h>
int main(void) {
    int values[2] = {1, 2}, found = 0, host = omp_get_initial_device();
    size_t at[1] = {0}, all[1] = {2};
    int *there = omp_target_alloc(sizeof values, 0);
    omp_target_memcpy(there, values, sizeof values, 0, 0, 0, host);
    omp_target_memcpy_async(there, values, sizeof(int), sizeof(int), 0, 0, host, 0, NULL);
#pragma omp taskwait
#pragma omp target is_device_ptr(there) device(0)
    there[1] += 40;
    omp_target_memcpy_rect(values, there, sizeof(int), 1, all, at, at, all, all, host, 0);
    omp_target_memcpy_rect_async(values, there, sizeof(int), 1, all, at, at, all, all, host, 0, 0, NULL);
#pragma omp taskwait
    found += omp_target_associate_ptr(values, there, sizeof values, 0, 0) == 0;
    found += omp_target_is_present(values, 0) && omp_get_mapped_ptr(values, 0) == there;
    found += omp_target_disassociate_ptr(values, 0) == 0;
    omp_target_memset(there, 0, sizeof values, 0);
    omp_target_memset_async(there, 0, sizeof values, 0, 0, NULL);
#pragma omp taskwait
    omp_target_free(there, 0);
    printf("%d %d %d\n", values[0], values[1], found);
    return 0;
}
"#;

/// Compiles `source` with the headers and the libraries of the folder.
fn build(compiler: Program, source: &str, options: &[String], folder: &Path) -> PathBuf {
    let (file, program) = (folder.join("program.c"), folder.join("program"));
    fs::write(&file, source).expect("writable");
    let output = compiler
        .command()
        .args(["-fopenmp", "-O2", "-I"])
        .arg(lib().with_file_name("include"))
        .arg("-L")
        .arg(lib())
        .args(options)
        .arg(&file)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Runs the program on the libraries in `folder`, or on the system's.
fn run(program: &Path, folder: Option<&Path>) -> String {
    let mut command = Program::Timeout.command();
    command.arg("60").arg(program).env_remove("LD_LIBRARY_PATH");
    if let Some(folder) = folder {
        command.env("LD_LIBRARY_PATH", folder);
    }
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn one_file_answers_to_every_name() {
    let target = fs::canonicalize(lib().join("libomp.so")).expect("the runtime is there");
    for name in RUNTIME_LINKS {
        assert_eq!(fs::canonicalize(lib().join(name)).ok().as_ref(), Some(&target), "{name}");
    }
    assert!(lib().join("liboxomp_collect.so").is_file());
    let target = fs::canonicalize(lib().join("libomptarget.so")).expect("the offload library");
    for name in OFFLOAD_LINKS {
        assert_eq!(fs::canonicalize(lib().join(name)).ok().as_ref(), Some(&target), "{name}");
    }
}

#[test]
fn the_runtime_stays_loaded_and_needs_libc_only() {
    let runtime = runtime();
    assert_eq!(runtime.soname.as_deref(), Some("libomp.so.5"));
    assert!(runtime.nodelete, "dlclose would unmap the code of the workers");
    assert_eq!(runtime.needed.iter().find(|name| is_foreign(name)), None);
    let has_unwinder = Program::Cc.command().arg("-print-file-name=libgcc_eh.a").output();
    let has_unwinder = has_unwinder.is_ok_and(|output| output.stdout.starts_with(b"/"));
    let loads_unwinder = runtime.needed.iter().any(|name| name.starts_with("libgcc_s.so"));
    assert_eq!(loads_unwinder, !has_unwinder, "{:?}", runtime.needed);
}

/// Whether an object of this name belongs neither to the C library nor to the compiler.
fn is_foreign(name: &str) -> bool {
    !["libc.so", "libgcc_s.so", "ld-linux", "libm.so"].iter().any(|known| name.starts_with(known))
}

#[test]
fn the_offload_library_stays_loaded_and_needs_libc_only() {
    let library = SharedObject::read(&lib().join("libomptarget.so")).expect("a shared object");
    assert_eq!(library.soname.as_deref(), Some(OFFLOAD_LINKS[1]));
    assert!(library.nodelete, "programs keep addresses of device memory");
    assert_eq!(library.needed.iter().find(|name| is_foreign(name)), None);
}

#[test]
fn the_offload_library_exports_what_llvm_does() {
    if !has_all(&[File::Libomptarget.into()]) {
        return;
    }
    let exports = |path: &Path| -> BTreeSet<String> {
        let library = SharedObject::read(path).expect("a shared object");
        let of_node = |symbol: &&Symbol| symbol.node.as_deref() == Some("VERS1.0");
        let is_c = |symbol: &&Symbol| !symbol.name.starts_with("_Z");
        let symbols = library.exports.iter().filter(of_node).filter(is_c);
        symbols.map(Symbol::versioned_name).collect()
    };
    let (ours, llvm) =
        (exports(&lib().join("libomptarget.so")), exports(File::Libomptarget.path()));
    let missing: Vec<&String> = llvm.difference(&ours).collect();
    assert!(missing.is_empty() && !llvm.is_empty(), "{missing:?}");
}

#[test]
fn every_version_node_is_defined() {
    let runtime = runtime();
    let mut wanted: BTreeSet<String> =
        table().into_iter().flat_map(|reference| reference.nodes).collect();
    wanted.insert("VERSION".to_owned());
    let missing: Vec<&String> = wanted.difference(&runtime.nodes).collect();
    assert!(missing.is_empty(), "the loader would refuse programs that need {missing:?}");
}

#[test]
fn nothing_is_exported_that_the_table_lacks() {
    let table = table();
    for symbol in runtime().exports {
        let reference = table.iter().find(|reference| reference.name == symbol.name);
        let name = symbol.versioned_name();
        let reference = reference.unwrap_or_else(|| panic!("{name} is not in the table"));
        let node = symbol.node.as_deref().unwrap_or_else(|| panic!("{name} has no version"));
        assert!(
            node == "VERSION" || reference.nodes.iter().any(|known| known == node),
            "{name} is at a node that no reference runtime has it at"
        );
        assert_eq!(symbol.data, reference.data, "{name}: data or function");
    }
}

#[test]
fn a_gcc_program_linked_with_the_folder_runs_on_libgomp_too() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(Program::Gcc, PROGRAM, &[], folder.path());
    let linked = SharedObject::read(&program).expect("a program");
    assert!(linked.needed.contains(&"libgomp.so.1".to_owned()), "{:?}", linked.needed);
    let node = |name: &str| {
        let symbol = linked.imports.iter().find(|symbol| symbol.name == name);
        symbol.and_then(|symbol| symbol.node.clone())
    };
    assert_eq!(node("GOMP_parallel").as_deref(), Some("GOMP_4.0"));
    assert_eq!(node("omp_set_lock").as_deref(), Some("OMP_3.0"));
    assert_eq!(run(&program, Some(&lib())), ANSWER);
    assert_eq!(run(&program, None), ANSWER);
}

/// The linker looks into libomp before libomptarget; of LLVM's two libraries only libomptarget has
/// these routines.
/// Opens the file that is there to link with, as programs do that guess the names of libraries.
const OPENING: &str = r#"
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
    void *library = dlopen("libgomp.so", RTLD_NOW);
    int (*level)(void) = (int (*)(void))dlsym(library, "omp_get_level");
    int (*again)(void) = (int (*)(void))dlsym(dlopen("libomp.so.5", RTLD_NOW), "omp_get_level");
    printf("%d %d\n", level(), level == again);
    return 0;
}
"#;

#[test]
fn a_program_that_opens_the_stub_gets_the_runtime() {
    if !has_all(&[Program::Gcc.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(Program::Gcc, OPENING, &["-fno-openmp".to_owned()], folder.path());
    assert_eq!(run(&program, Some(&lib())), "0 1\n");
}

#[test]
fn the_linker_finds_routines_that_are_libomptargets_alone_in_libomptarget() {
    let exports = |path: &Path| SharedObject::read(path).expect("a shared object").exports;
    let offload = exports(&lib().join("libomptarget.so"));
    let alone = |reference: &Reference| {
        reference.libomp.is_none() && offload.iter().any(|symbol| symbol.name == reference.name)
    };
    let alone: BTreeSet<String> =
        table().into_iter().filter(alone).map(|reference| reference.name).collect();
    assert!(alone.contains("omp_target_alloc") && alone.contains("omp_target_memcpy_async"));
    let offered = runtime().exports.into_iter().filter(|symbol| symbol.default);
    let offered: Vec<String> =
        offered.map(|symbol| symbol.name).filter(|name| alone.contains(name)).collect();
    assert!(offered.is_empty(), "programs would ask libomp for {offered:?}");
}

#[test]
fn a_clang_program_that_offloads_linked_with_the_folder_runs_on_llvms_libraries_too() {
    if !has_all(&[
        File::Libomptarget.into(),
        File::OffloadBinary.into(),
        File::ClangLinkerWrapper.into(),
    ]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let target = format!("-fopenmp-targets={HOST_DEVICE}");
    let program = build(Program::Clang, OFFLOADING, &[target], folder.path());
    let linked = SharedObject::read(&program).expect("a program");
    for symbol in linked.imports.iter().filter(|symbol| symbol.name.starts_with("omp_target_")) {
        assert_eq!(symbol.node.as_deref(), Some("VERS1.0"), "{}", symbol.name);
    }
    let answer = "1 41 3\n";
    assert_eq!(run(&program, Some(&lib())), answer);
    assert_eq!(run(&program, File::Libomptarget.path().parent()), answer);
}

#[test]
fn a_clang_program_linked_with_the_folder_runs_on_libomp_too() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(Program::Clang, PROGRAM, &[], folder.path());
    let linked = SharedObject::read(&program).expect("a program");
    assert!(linked.needed.contains(&"libomp.so.5".to_owned()), "{:?}", linked.needed);
    assert_eq!(run(&program, Some(&lib())), ANSWER);
    assert_eq!(run(&program, None), ANSWER);
}
