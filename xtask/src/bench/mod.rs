//! `cargo xtask bench`: the cost of constructs on oxomp and on the other runtimes of the machine.
//!
//! The benchmarks are C programs in `bench/`, whose README says how a figure comes about.

mod catalogue;
mod citations;
mod comments;
mod conditions;
mod figure;
mod instructions;
mod list;
mod neighbour;
mod notes;
mod plan;
mod processors;
mod runtimes;
mod session;
mod setting;
mod table;
mod toolchain;
mod trial;
pub mod verify;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;

use anyhow::{Context, Result, bail};
use clap::Args;
use oxomp_build::dist::{self, DistRequest, Profile};
use oxomp_build::workspace::Workspace;

use self::catalogue::Catalogue;
use self::figure::Cell;
use self::plan::{Block, Effort};
use self::runtimes::{Column, Named, OURS};
use self::session::{Bench, Results, key};

/// Shown under `cargo xtask bench --help`.
pub const EXAMPLES: &str = "\
It builds the runtime in release, compiles the programs of bench/ with gcc and clang-22, whichever
there are, and runs them on oxomp, on the compilers' own runtimes, and on Intel's if OXOMP_IOMP5
names it or `cargo xtask test` has fetched it. The runtimes take turns. A column `×` says how many
times as long as oxomp's the time beside it is; `~` marks figures that differ between rounds.

Examples:
  cargo xtask bench                              a small table, in about a minute
  cargo xtask bench --list                       all names, and which constants cite them
  cargo xtask bench barrier --threads 2          one benchmark: median, minimum, agreement
  cargo xtask bench tasks memory                 two families
  cargo xtask bench crowded                      with more threads than processors
  cargo xtask bench lock --runtime before=/tmp/lib   against an earlier build as well
  cargo xtask bench --markdown > table.md        the small table, for the book
  cargo xtask bench --instructions               instructions of constructs on one thread";

/// The arguments of `cargo xtask bench`.
#[derive(Args, Debug)]
pub struct Request {
    /// Benchmarks, families of them, or settings; without any, a small table.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Numbers of threads [default: 1, one for each processor, and two for each].
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Vec<u32>,
    /// One more runtime: a folder with libgomp.so.1, libomp.so.5 or libiomp5.so; may be repeated.
    #[arg(long = "runtime", value_name = "[NAME=]DIR")]
    runtimes: Vec<Named>,
    /// Fewer and shorter samples.
    #[arg(long)]
    quick: bool,
    /// Run nothing: print what there is.
    #[arg(long, conflicts_with_all = ["names", "threads", "runtimes", "quick"])]
    list: bool,
    /// Count instructions on one thread, by valgrind, instead of measuring times.
    #[arg(long, conflicts_with_all = ["threads", "quick", "list"])]
    instructions: bool,
    /// Print the tables as Markdown, for the page performance/constructs.md of the book.
    #[arg(long, conflicts_with_all = ["list", "instructions"])]
    markdown: bool,
}

/// Lists, or measures and prints.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let catalogue = Catalogue::read(&workspace.root)?;
    if request.list {
        let is_known = |name: &str| catalogue.find(name).is_some() || setting::find(name).is_some();
        let citations = citations::read(&workspace.root, is_known)?;
        print!("{}", list::page(&catalogue, &citations));
        return Ok(());
    }
    runtimes::check(&request.runtimes)?;
    let processors = processors::allowed()?;
    let count = u32::try_from(processors.len()).context("too many processors")?;
    let threads = if request.instructions { &[1] } else { &request.threads[..] };
    let blocks = plan::blocks(&catalogue, &request.names, threads, count)?;
    if request.instructions {
        let counted = instructions::counted_in(&blocks)?;
        let bench = prepared(workspace, request, &blocks, processors)?;
        return instructions::print(&bench, &counted);
    }
    let bench = prepared(workspace, request, &blocks, processors)?;
    if request.markdown {
        return measured(&bench, &blocks, table::markdown);
    }
    for column in &bench.columns {
        let (compiler, library) = (column.compiler.name(), column.library.display());
        println!("{compiler:<6} {:<10} {library}", column.runtime);
    }
    let is_small = request.names.is_empty();
    measured(&bench, &blocks, if is_small { table::small } else { table::full })
}

/// Builds the runtime and the programs that `blocks` need.
fn prepared(
    workspace: &Workspace,
    request: &Request,
    blocks: &[Block],
    processors: Vec<u32>,
) -> Result<Bench> {
    let compilers = toolchain::installed()?;
    let dist = dist::build(workspace, &DistRequest { profile: Profile::Release, out: None })?;
    let folder = workspace.target.join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let (mut columns, mut programs) = (Vec::new(), BTreeMap::new());
    for compiler in compilers {
        let (target, named) = (&workspace.target, &request.runtimes);
        columns.extend(runtimes::columns(compiler, &dist, target, named, &folder)?);
        for benchmark in blocks.iter().flat_map(|block| &block.benchmarks) {
            let family = &benchmark.family;
            if let Entry::Vacant(entry) = programs.entry(key(family, compiler)) {
                let root = &workspace.root;
                entry.insert(compiler.compile(root, family, &dist.lib(), &folder)?);
            }
        }
    }
    let effort = Effort::new(request.quick, request.names.is_empty());
    Ok(Bench { columns, programs, processors, effort })
}

/// The form of a table.
type Form = fn(&Results, &[Column], &[u32]) -> String;

/// Measures block by block and prints each when it is done. Fails if a program failed on oxomp.
fn measured(bench: &Bench, blocks: &[Block], print: Form) -> Result<()> {
    let mut all = Vec::new();
    for block in blocks {
        let results = bench.measure(block);
        print!("{}", print(&results, &bench.columns, &bench.processors));
        all.push(results);
    }
    let said = notes::text(&all, &bench.columns, &bench.processors);
    if !said.is_empty() {
        print!("\n{said}");
    }
    if has_failed(bench, &all) {
        bail!("a benchmark failed on {OURS}");
    }
    Ok(())
}

fn has_failed(bench: &Bench, all: &[Results]) -> bool {
    let cells = all.iter().flat_map(|results| &results.rows).flat_map(|(_, cells)| {
        cells.iter().zip(&bench.columns).filter(|(_, column)| column.runtime == OURS)
    });
    cells.into_iter().any(|(cell, _)| matches!(cell, Cell::Failed(_)))
}
