//! Every routine that `omp.h` declares is in the library, under the name that the declaration
//! gives it, for programs that are compiled and linked with the folder `dist`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_build::elf::SharedObject;
use oxomp_prerequisites::Program;

/// The compilers with the standards and the suffix of their sources.
const COMPILERS: [(Program, &str, &str); 4] = [
    (Program::Gcc, "c11", "c"),
    (Program::Clang, "c11", "c"),
    (Program::Gxx, "c++17", "cpp"),
    (Program::Clangxx, "c++17", "cpp"),
];

fn lib() -> PathBuf {
    let lib = std::env::var_os("OXOMP_LIB").expect("OXOMP_LIB is not set: run `cargo xtask test`");
    PathBuf::from(lib)
}

fn include() -> PathBuf {
    lib().with_file_name("include")
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The functions that `omp.h` declares, as `compiler` sees it.
fn declared(compiler: Program, standard: &str, suffix: &str) -> BTreeSet<String> {
    let language = if suffix == "c" { "c" } else { "c++" };
    let output = compiler
        .command()
        .args(["-E", "-P", "-fopenmp", "-x", language])
        .arg(format!("-std={standard}"))
        .arg(include().join("omp.h"))
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(output.status.success(), "{}", shown(&output));
    functions(&String::from_utf8_lossy(&output.stdout))
}

/// In each declaration that begins with `extern`, the word before the first parenthesis.
fn functions(text: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let declarations = text.split([';', '{', '}']).map(str::trim);
    let external = declarations.filter_map(|text| text.strip_prefix("extern "));
    let heads = external.filter_map(|text| text.split_once('(')).map(|(head, _)| head);
    let names = heads.filter_map(|head| head.trim_end().rsplit(|c| !is_word(c)).next());
    names.filter(|name| name.starts_with("omp_")).map(str::to_owned).collect()
}

/// A program that takes the address of every one of `names`, with the headers and the libraries of
/// the folder; every warning is an error.
fn build(
    (compiler, standard, suffix): (Program, &str, &str),
    names: &BTreeSet<String>,
    folder: &Path,
) -> PathBuf {
    let mut source = String::from(
        "#include <omp.h>\ntypedef void (*routine)(void);\nextern const volatile routine all[];\n\
         const volatile routine all[] = {\n",
    );
    for name in names {
        // The casts' first step is to a type to which every function pointer may be cast.
        source.push_str(&format!("    (routine)(uintptr_t)&{name},\n"));
    }
    source.push_str("};\nint main(void) { return all[0] == 0; }\n");
    let (file, program) = (folder.join(format!("all.{suffix}")), folder.join("all"));
    fs::write(&file, source).expect("writable");
    let output = compiler
        .command()
        .arg(format!("-std={standard}"))
        .args(["-fopenmp", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"])
        .arg(include())
        .arg("-L")
        .arg(lib())
        .arg(&file)
        // Clang's programs have the device memory routines from there.
        .args(["-Wl,--as-needed", "-lomptarget"])
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(output.status.success(), "{compiler}: {}", shown(&output));
    program
}

/// Runs `program` on the library, with all its symbols bound at the start.
fn run(program: &Path) -> Output {
    let mut command = Program::Timeout.command();
    command.arg("60").arg(program);
    command.env("LD_LIBRARY_PATH", lib()).env("LD_BIND_NOW", "1");
    command.output().expect("the program starts")
}

#[test]
fn every_declared_routine_is_in_the_library() {
    let runtime = SharedObject::read(&lib().join("libomp.so")).expect("a shared object");
    let exported: BTreeSet<&str> =
        runtime.exports.iter().map(|symbol| symbol.name.as_str()).collect();
    for compiler in COMPILERS {
        let names = declared(compiler.0, compiler.1, compiler.2);
        assert!(names.len() > 60, "{}: {names:?}", compiler.0);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = build(compiler, &names, folder.path());
        let imports = SharedObject::read(&program).expect("a program").imports;
        let bound: Vec<&str> = imports.iter().map(|symbol| symbol.name.as_str()).collect();
        let bound: Vec<&str> = bound.into_iter().filter(|name| name.starts_with("omp")).collect();
        assert_eq!(bound.len(), names.len(), "{}: {bound:?} for {names:?}", compiler.0);
        let missing: Vec<&&str> = bound.iter().filter(|name| !exported.contains(**name)).collect();
        assert!(missing.is_empty(), "{}: declared, but not exported: {missing:?}", compiler.0);
        let output = run(&program);
        assert!(output.status.success(), "{}: {}", compiler.0, shown(&output));
    }
}

/// libgomp has no `omp_control_tool`, and neither has a library that the linker finds after ours.
#[test]
fn a_gcc_program_calls_a_routine_that_only_we_have() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("tool.c"), folder.path().join("tool"));
    let source = "#include <omp.h>\nint main(void) {\n\
                  return omp_control_tool(omp_control_tool_start, 0, 0) != omp_control_tool_notool;\n}\n";
    fs::write(&file, source).expect("writable");
    let build = |folder: Option<&Path>| {
        let mut command = Program::Gcc.command();
        command
            .args(["-fopenmp", "-I"])
            .arg(include())
            .args(folder.map(|lib| format!("-L{}", lib.display())));
        command.arg(&file).arg("-o").arg(&program).output().expect("gcc runs")
    };
    assert!(!build(None).status.success(), "libgomp has the routine: take another one");
    let linked = build(Some(&lib()));
    assert!(linked.status.success(), "{}", shown(&linked));
    let output = run(&program);
    assert!(output.status.success(), "{}: {}", output.status, shown(&output));
    let lazily = Command::new(&program).env_remove("LD_LIBRARY_PATH").output().expect("it starts");
    let said = shown(&lazily);
    assert!(said.contains("undefined symbol: omp_control_tool"), "on libgomp: {said}");
}

#[test]
fn declarations_are_found_in_preprocessed_text() {
    let text = "extern \"C\" {\nextern int omp_a (void) ;\ntypedef void (*omp_t)(int);\n\
                extern void *omp_b(int x = f(1)) __asm__(\"ompc_b\");}\nint omp_c(void);";
    assert_eq!(functions(text), BTreeSet::from(["omp_a".to_owned(), "omp_b".to_owned()]));
}
