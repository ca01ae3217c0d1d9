//! The command line of `cargo xtask`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use oxomp_build::workspace::Workspace;
use xtask::{
    accuracy, applications, bench, book, columns, foreign, fuzz, layering, matrix, offload_cost,
    offload_tests, overhead, package, plants, release, soak, test,
};

const EXAMPLES: &str = "\
Examples:
  cargo xtask demo                    build what a profile needs, profile a real OpenMP program
  cargo xtask test                    install what the tests need (as root), build, run every test
  cargo xtask test dispatch           only the tests whose name contains `dispatch`
  cargo xtask dist                    put the command and the libraries into dist/
  cargo xtask bench                   compare constructs with the other runtimes of the machine
  cargo xtask overhead                what recording with `oxomp profile` costs
  cargo xtask accuracy                what the profiler measures and predicts, and what is so
  cargo xtask soak --minutes 60       the stress programs side by side, for an hour
  cargo xtask fuzz events             random programs against a model of the specification
  cargo xtask applications            larger programs of Debian, on libgomp and on oxomp
  cargo xtask offload-tests           LLVM's own offload tests, on our libraries or on LLVM's
  cargo xtask offload-cost            constructs on the host device, on our libraries and LLVM's
  cargo xtask plants                  programs with a fault: predicted gain, measured gain
  cargo xtask matrix                  write CONFORMANCE.md anew
  cargo xtask book                    write the book's generated pages, check it, build it
  cargo xtask package --all           what users install, tried on a machine that has nothing
  cargo xtask release 0.2.0           the next version: changelog, tag, packages";

#[derive(Parser, Debug)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The commands of the oxomp repository",
    after_help = EXAMPLES
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[command(flatten)]
    Build(oxomp_build::commands::Command),
    /// Install what the tests need, build, and run every test.
    #[command(after_help = test::EXAMPLES)]
    Test {
        /// Run only tests whose name contains this text.
        filter: Option<String>,
        /// Run only these parts, in this order.
        #[arg(long, value_enum, value_delimiter = ',')]
        only: Vec<test::Part>,
        /// Install nothing: name what is missing; tests that need it are skipped.
        #[arg(long)]
        no_install: bool,
        /// Build for this processor, and have an emulator execute the tests.
        #[arg(long, value_enum)]
        target: Option<foreign::Target>,
    },
    /// Install larger programs of Debian, and compare their answers on their own runtime and on
    /// oxomp.
    #[command(after_help = applications::EXAMPLES)]
    Applications(applications::Request),
    /// Measure what constructs cost, on oxomp and on the other OpenMP runtimes of the machine.
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Request),
    /// Write the generated pages of the book, check its links, and build it into target/book.
    #[command(after_help = book::EXAMPLES)]
    Book(book::Request),
    /// Measure how much longer programs take under `oxomp profile`.
    #[command(after_help = overhead::EXAMPLES)]
    Overhead(overhead::Request),
    /// Compare what the profiler measures and predicts with programs whose answers are known.
    #[command(after_help = accuracy::EXAMPLES)]
    Accuracy(accuracy::Request),
    /// Run everything at once for a long time, and large numbers of one thing: answers stay right,
    /// and memory does not grow.
    #[command(after_help = soak::EXAMPLES)]
    Soak(soak::Request),
    /// Check random programs against a model of the specification.
    #[command(subcommand)]
    Fuzz(fuzz::Request),
    /// Run LLVM's own offload tests for the host device on a libomptarget and a runtime.
    #[command(after_help = offload_tests::EXAMPLES)]
    OffloadTests(offload_tests::Request),
    /// Compare what constructs on the host device cost with LLVM's libomptarget.
    #[command(after_help = offload_cost::EXAMPLES)]
    OffloadCost(offload_cost::Request),
    /// Measure what the profiler's first advice wins in programs with a known fault.
    #[command(after_help = plants::EXAMPLES)]
    Plants(plants::Request),
    /// Check that comments and pages stay within 100 columns.
    Columns,
    /// Check that crates and files depend on each other only as ARCHITECTURE.md draws it.
    #[command(after_help = layering::EXAMPLES)]
    Layering(layering::Request),
    /// Make what users install, for x86_64 and aarch64, and try it on a machine that has nothing.
    #[command(after_help = package::EXAMPLES)]
    Package(package::Request),
    /// Give the next version to what is checked out: changelog, tag, packages.
    #[command(after_help = release::EXAMPLES)]
    Release(release::Request),
    /// Write CONFORMANCE.md: every symbol and event, implemented or absent, and its test.
    Matrix {
        /// Write nothing; fail when CONFORMANCE.md is not what would be written.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let workspace = Workspace::load()?;
    match arguments.command {
        Command::Build(command) => command.run(&workspace),
        Command::Test { filter, only, no_install, target } => {
            let selection = test::Selection { filter, only, install: !no_install };
            match target {
                Some(target) => test::run_for(&workspace, target, &selection),
                None => test::run(&workspace, &selection),
            }
        }
        Command::Applications(request) => applications::run(&workspace, &request),
        Command::Bench(request) => bench::run(&workspace, &request),
        Command::Book(request) => book::run(&workspace, &request),
        Command::Overhead(request) => overhead::run(&workspace, &request),
        Command::Accuracy(request) => accuracy::run(&workspace, &request),
        Command::Soak(request) => soak::run(&workspace, &request),
        Command::Fuzz(request) => fuzz::run(&workspace, &request),
        Command::OffloadTests(request) => offload_tests::run(&workspace, &request),
        Command::OffloadCost(request) => offload_cost::run(&workspace, &request),
        Command::Plants(request) => plants::run(&workspace, &request),
        Command::Columns => columns::run(&workspace),
        Command::Layering(request) => layering::run(&workspace, &request),
        Command::Package(request) => package::run(&workspace, &request),
        Command::Release(request) => release::run(&workspace, &request),
        Command::Matrix { check } => matrix::run(&workspace, check),
    }
}
