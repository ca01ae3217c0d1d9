//! Addresses of compiled programs, looked up in every form a binary comes in.

use std::path::{Path, PathBuf};
use std::process::Command;

use oxomp_arch::read::Machine;
use oxomp_prerequisites::Program as Tool;
use oxomp_symbols::{Place, Site, SiteModule, Symbols, Variable};
use tempfile::TempDir;

/// Line of the call of `here` inside the parallel region of [`SOURCE`].
const LINE_IN_REGION: u32 = 20;

/// Prints addresses relative to the load bias: those to which calls return, one in `main`'s region
/// and one in `relax`, and that of `bias`.
const SOURCE: &str = r#"#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdint.h>
static uintptr_t bias;
static int main_program(struct dl_phdr_info *info, size_t size, void *data) {
  bias = info->dlpi_addr;
  return 1;
}
__attribute__((noinline)) uintptr_t here(void) {
  return (uintptr_t)__builtin_return_address(0) - bias;
}
__attribute__((noinline)) uintptr_t relax(void) { return here() + 0; }
int main(void) {
  dl_iterate_phdr(main_program, 0);
  uintptr_t in_region = 0;
  #pragma omp parallel num_threads(1)
  {
    /* the next line is the one asked for */
    in_region = here();
    __asm__ volatile("" ::: "memory");
  }
  printf("%zu %zu %zu\n", (size_t)in_region, (size_t)relax(), (size_t)((uintptr_t)&bias - bias));
  return 0;
}
"#;

struct Program {
    folder: TempDir,
    path: PathBuf,
}

impl Program {
    fn build(compiler: Tool, language: &str, flags: &[&str]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let source = folder.path().join(format!("work.{language}"));
        std::fs::write(&source, SOURCE).expect("the source is written");
        let path = folder.path().join("app");
        run(compiler
            .command()
            .args(["-fopenmp", "-O1", "-fno-optimize-sibling-calls"])
            .args(flags)
            .arg(&source)
            .arg("-o")
            .arg(&path));
        Self { folder, path }
    }

    /// The offsets of the call in the region and of the call in `relax`.
    fn offsets(&self) -> (u64, u64) {
        let [region, relax, _] = self.numbers();
        (region, relax)
    }

    /// What the program prints.
    fn numbers(&self) -> [u64; 3] {
        let output = run(&mut Command::new(&self.path));
        let numbers = output.split_whitespace().map(|word| word.parse().expect("a number"));
        numbers.collect::<Vec<u64>>().try_into().expect("three numbers")
    }

    fn place(&self, offset: u64) -> Place {
        place_in(&self.path, offset, Vec::new())
    }
}

fn place_in(path: &Path, offset: u64, build_id: Vec<u8>) -> Place {
    Symbols::new().place(&site_in(path, offset, build_id))
}

fn site_in(path: &Path, offset: u64, build_id: Vec<u8>) -> Site {
    let shown = path.to_string_lossy().into_owned();
    let module = SiteModule { path: shown, file: path.to_owned(), build_id, offset };
    Site { codeptr: offset, module: Some(module) }
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

fn assert_has_lines(program: &Program, file: &str) {
    let (region, relax) = program.offsets();
    let place = program.place(region);
    assert_eq!(place.short(), format!("{file}:{LINE_IN_REGION}"), "{place:?}");
    assert_eq!(place.function.as_deref(), Some("main"), "{place:?}");
    let place = program.place(relax);
    assert_eq!(place.short(), format!("{file}:13"), "{place:?}");
    assert_eq!(place.function.as_deref(), Some("relax"), "{place:?}");
}

#[test]
fn debug_information_of_gcc_gives_lines_and_the_users_function() {
    assert_has_lines(&Program::build(Tool::Gcc, "c", &["-g"]), "work.c");
}

#[test]
fn debug_information_of_clang_gives_lines_and_the_users_function() {
    assert_has_lines(&Program::build(Tool::Clang, "c", &["-g"]), "work.c");
}

#[test]
fn cpp_functions_are_demangled() {
    assert_has_lines(&Program::build(Tool::Gxx, "cc", &["-g"]), "work.cc");
}

#[test]
fn a_file_without_a_build_id_counts_if_it_is_for_the_machine_that_was_meant() {
    let program = Program::build(Tool::Gcc, "c", &["-g"]);
    let (_, relax) = program.offsets();
    let other = Machine::ALL.into_iter().find(|machine| *machine != Machine::OWN);
    for (machine, is_named) in [(Some(Machine::OWN), true), (other, false), (None, false)] {
        let mut symbols = Symbols::new();
        symbols.expect_code_of(machine);
        let place = symbols.place(&site_in(&program.path, relax, Vec::new()));
        assert_eq!(place.function.as_deref() == Some("relax"), is_named, "{machine:?}: {place:?}");
    }
}

#[test]
fn a_variable_is_known_by_any_of_its_bytes() {
    let program = Program::build(Tool::Gcc, "c", &[]);
    let [_, relax, bias] = program.numbers();
    let variable = |offset| Symbols::new().variable(&site_in(&program.path, offset, Vec::new()));
    let known = Some(Variable { name: "bias".to_owned(), begin: Some(bias) });
    assert_eq!([variable(bias), variable(bias + 7)], [known.clone(), known]);
    assert_eq!(variable(relax), None, "code");
}

#[test]
fn a_program_at_a_fixed_address_is_looked_up_as_well() {
    assert_has_lines(&Program::build(Tool::Gcc, "c", &["-g", "-no-pie"]), "work.c");
}

#[test]
fn without_debug_information_the_symbol_table_names_the_function() {
    let program = Program::build(Tool::Gcc, "c", &[]);
    let (region, relax) = program.offsets();
    let place = program.place(region);
    assert_eq!(place.function.as_deref(), Some("main"), "{place:?}");
    assert_eq!(place.short(), format!("app+{region:#x}"));
    assert_eq!(program.place(relax).function.as_deref(), Some("relax"));
}

#[test]
fn a_stripped_program_gives_its_dynamic_symbols_and_else_the_nearest_one() {
    let program = Program::build(Tool::Gcc, "c", &["-rdynamic", "-s"]);
    let (region, relax) = program.offsets();
    assert_eq!(program.place(relax).function.as_deref(), Some("relax"));
    // The outlined function is local, so its name is gone.
    let place = program.place(region);
    assert_eq!(place.function, None, "{place:?}");
    assert!(place.behind.is_some(), "{place:?}");
    assert_eq!(place.short(), format!("app+{region:#x}"));
}

#[test]
fn separate_debug_information_is_found_by_its_link() {
    let program = Program::build(Tool::Gcc, "c", &["-g"]);
    let debug = program.folder.path().join("app.debug");
    run(Tool::Objcopy.command().arg("--only-keep-debug").arg(&program.path).arg(&debug));
    run(Tool::Strip.command().arg(&program.path));
    let link = format!("--add-gnu-debuglink={}", debug.display());
    run(Tool::Objcopy.command().arg(link).arg(&program.path));
    assert_has_lines(&program, "work.c");
}

#[test]
fn a_file_of_another_build_is_not_asked() {
    let program = Program::build(Tool::Gcc, "c", &["-g"]);
    let (region, _) = program.offsets();
    let place = place_in(&program.path, region, vec![1, 2, 3]);
    assert_eq!(place.line, None);
    assert_eq!(place.short(), format!("app+{region:#x}"));
}
