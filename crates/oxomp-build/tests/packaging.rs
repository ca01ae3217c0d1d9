//! The files of `packaging/` for pkg-config and CMake: programs that are built by them run on
//! oxomp, and oxomp's folder may lie anywhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_build::workspace::root;
use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::{has_all, is_emulated};
use tempfile::TempDir;

const C: &str = "#include <omp.h>
#include <ompt.h>
int main(void) {
    int threads = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    threads++;
    return threads == 2 && omp_get_max_threads() > 0 ? 0 : 1;
}
";

const FORTRAN: &str = "program app
  use omp_lib
  implicit none
  integer :: threads
  threads = 0
  !$omp parallel num_threads(2) reduction(+:threads)
  threads = threads + 1
  !$omp end parallel
  if (threads /= 2 .or. omp_get_max_threads() < 1) stop 1
end program
";

/// Builds each language by oxomp's own target, and by CMake's module. `@VERSION@` becomes the
/// version, as in the templates.
const PROJECT: &str = "cmake_minimum_required(VERSION 3.18)
project(apps C CXX Fortran)
find_package(oxomp @VERSION@ REQUIRED)
oxomp_use_for_openmp()
find_package(OpenMP REQUIRED)
foreach(pair IN ITEMS C:app.c CXX:app.cpp Fortran:app.f90)
  string(REPLACE \":\" \";\" pair ${pair})
  list(GET pair 0 language)
  list(GET pair 1 source)
  add_executable(own_${language} ${source})
  target_link_libraries(own_${language} PRIVATE oxomp::oxomp)
  add_executable(module_${language} ${source})
  target_link_libraries(module_${language} PRIVATE OpenMP::OpenMP_${language})
  target_include_directories(module_${language} PRIVATE ${oxomp_INCLUDE_DIR})
endforeach()
";

/// A project that knows nothing of oxomp.
const STRANGER: &str = "cmake_minimum_required(VERSION 3.18)
project(apps C)
find_package(OpenMP REQUIRED)
add_executable(app app.c)
target_link_libraries(app PRIVATE OpenMP::OpenMP_C)
";

/// oxomp in a new folder, as packages lay it out, and sources of programs.
struct Installed {
    folder: TempDir,
}

impl Installed {
    fn new() -> Self {
        let installed = Self { folder: TempDir::new().expect("a temporary folder") };
        let built = std::env::var_os("OXOMP_LIB").map(PathBuf::from);
        let built = built.expect("OXOMP_LIB is not set: run `cargo xtask test`");
        let cmake = installed.path("lib/cmake/oxomp");
        let pkg_config = installed.path("lib/pkgconfig");
        for folder in [&cmake, &pkg_config] {
            fs::create_dir_all(folder).expect("a new folder");
        }
        for entry in fs::read_dir(&built).expect("the built libraries") {
            let path = entry.expect("a library").path();
            let name = path.file_name().expect("a name");
            symlink(&path, installed.path("lib").join(name)).expect("a link");
        }
        symlink(built.with_file_name("include"), installed.path("include")).expect("a link");
        let packaging = root().join("packaging");
        for entry in fs::read_dir(packaging.join("cmake")).expect("packaging/cmake") {
            let path = entry.expect("a file").path();
            fill(&path, &cmake.join(path.file_name().expect("a name")));
        }
        fill(&packaging.join("oxomp.pc.in"), &pkg_config.join("oxomp.pc"));
        for (name, text) in [("app.c", C), ("app.cpp", C), ("app.f90", FORTRAN)] {
            fs::write(installed.path(name), text).expect("a new file");
        }
        installed
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Configures and builds `project`, in `build`.
    fn build(&self, project: &str, compilers: [Program; 3], option: String) {
        fs::write(self.path("CMakeLists.txt"), with_version(project)).expect("a new file");
        let mut configure = Program::Cmake.command();
        configure.args(["-S", ".", "-B", "build", &option]).current_dir(self.folder.path());
        for (variable, compiler) in ["CC", "CXX", "FC"].into_iter().zip(compilers) {
            configure.env(variable, compiler.text());
        }
        succeed(&mut configure);
        let mut build = Program::Cmake.command();
        succeed(build.args(["--build", "build"]).current_dir(self.folder.path()));
    }

    /// Runs the program, and checks that it loads `library` of this folder.
    fn runs_with(&self, program: &Path, library: &str) {
        let mut run = Program::Timeout.command();
        succeed(run.arg("60").arg(program).env_remove("LD_LIBRARY_PATH"));
        let mut loader = Program::Env.command();
        loader.arg("LD_TRACE_LOADED_OBJECTS=1").arg(program).env_remove("LD_LIBRARY_PATH");
        let loaded = String::from_utf8_lossy(&succeed(&mut loader).stdout).into_owned();
        let of_library = |line: &&str| line.trim_start().starts_with(library);
        let line = loaded
            .lines()
            .find(of_library)
            .unwrap_or_else(|| panic!("{} does not link {library}:\n{loaded}", program.display()));
        let path = line.split_whitespace().nth(2).expect("the library's path");
        let path = fs::canonicalize(Path::new(path).parent().expect("a folder")).expect("a path");
        let lib = fs::canonicalize(self.path("lib")).expect("a path");
        assert_eq!(path, lib, "{}:\n{loaded}", program.display());
    }
}

/// Copies a file of `packaging/` to where packages have it.
fn fill(from: &Path, to: &Path) {
    let text = fs::read_to_string(from).expect("a template");
    fs::write(to, with_version(&text)).expect("a new file");
}

fn with_version(text: &str) -> String {
    text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, said.concat());
    output
}

#[test]
fn pkg_config_names_the_folders_wherever_they_lie() {
    if is_emulated() || !has_all(&[Program::PkgConfig.into(), Program::Clang.into()]) {
        return;
    }
    let installed = Installed::new();
    let mut query = Program::PkgConfig.command();
    query.args(["--cflags", "--libs", "oxomp >= 0.1"]);
    query.env("PKG_CONFIG_PATH", installed.path("lib/pkgconfig"));
    let flags = String::from_utf8(succeed(&mut query).stdout).expect("text");
    for (compiler, library) in [(Program::Gcc, "libgomp.so.1"), (Program::Clang, "libomp.so.5")] {
        let program = installed.path("app");
        let mut compile = compiler.command();
        compile.arg(installed.path("app.c")).args(flags.split_whitespace());
        succeed(compile.arg("-o").arg(&program));
        installed.runs_with(&program, library);
    }
}

/// Programs of `compilers` link `library`.
fn check_cmake(compilers: [Program; 3], library: &str) {
    let programs = compilers.into_iter().chain([Program::Cmake, Program::Make]);
    let needed: Vec<_> = programs.map(Into::into).collect();
    if is_emulated() || !has_all(&needed) {
        return;
    }
    let installed = Installed::new();
    let package = installed.path("lib/cmake/oxomp");
    installed.build(PROJECT, compilers, format!("-Doxomp_DIR={}", package.display()));
    for target in ["own", "module"] {
        for language in ["C", "CXX", "Fortran"] {
            let program = installed.path("build").join(format!("{target}_{language}"));
            installed.runs_with(&program, library);
        }
    }
}

#[test]
fn cmake_builds_programs_of_gcc() {
    check_cmake([Program::Gcc, Program::Gxx, Program::Gfortran], "libgomp.so.1");
}

#[test]
fn cmake_builds_programs_of_llvm() {
    check_cmake([Program::Clang, Program::Clangxx, Program::Flang], "libomp.so.5");
}

#[test]
fn cmake_takes_oxomp_for_a_project_that_does_not_know_it() {
    if is_emulated() || !has_all(&[Program::Cmake.into(), Program::Make.into()]) {
        return;
    }
    let installed = Installed::new();
    fs::write(installed.path("app.c"), C.replace("#include <ompt.h>\n", "")).expect("a new file");
    let cache = installed.path("lib/cmake/oxomp/oxompOpenMP.cmake");
    let compilers = [Program::Gcc, Program::Gxx, Program::Gfortran];
    installed.build(STRANGER, compilers, format!("-C{}", cache.display()));
    installed.runs_with(&installed.path("build/app"), "libgomp.so.1");
}
