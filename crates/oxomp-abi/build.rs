//! Turns `exports.tsv`, the one table of exported symbols, into the macro `versions!`.
//!
//! `versions!(name)` is the assembly that binds the function `__oxomp_name` to every version node
//! at which LLVM's or GCC's runtime exports `name`. A name that no runtime exports does not
//! compile.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const TABLE: &str = "exports.tsv";

fn main() {
    println!("cargo::rerun-if-changed={TABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    let table = fs::read_to_string(TABLE).unwrap_or_else(|error| panic!("{TABLE}: {error}"));
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("versions.rs"), versions_macro(&table))
        .unwrap_or_else(|error| panic!("{out}/versions.rs: {error}"));
}

fn versions_macro(table: &str) -> String {
    let mut seen = BTreeSet::new();
    let mut text = String::from("macro_rules! versions {\n");
    for (index, line) in table.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[symbol, _kind, _tier, libomp, _libgomp, nodes] = &fields[..] else {
            panic!("{TABLE}:{}: six columns expected", index + 1);
        };
        assert!(seen.insert(symbol), "{TABLE}:{}: {symbol} is listed twice", index + 1);
        let is_default = libomp != "-" || !is_of_libomptarget(symbol);
        writeln!(text, "    ({symbol}) => {{ \"{}\" }};", bindings(symbol, nodes, is_default))
            .expect("a String takes all text");
    }
    text.push_str("}\n");
    text
}

/// Whether LLVM's libomptarget has the routine. If LLVM's libomp lacks such a routine, `VERSION` is
/// not the routine's default node: the linker, which looks into libomp first, would make programs
/// that offload ask for `omp_target_alloc@VERSION`, which no library of LLVM's has.
fn is_of_libomptarget(symbol: &str) -> bool {
    symbol.starts_with("omp_target_") || symbol == "omp_get_mapped_ptr"
}

/// One `.symver` for LLVM's version and one for each compatibility node, as the text of a string
/// literal. `remove` takes the helper name `__oxomp_v_*` out of the symbol table.
fn bindings(symbol: &str, nodes: &str, is_default: bool) -> String {
    let (alias, at) = (format!("__oxomp_v_{symbol}"), if is_default { "@@" } else { "@" });
    let mut text = format!(".symver {alias}, {symbol}{at}VERSION, remove\\n");
    for node in nodes.split(' ').filter(|node| *node != "-") {
        text.push_str(&format!(".symver {alias}, {symbol}@{node}\\n"));
    }
    text
}
