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
        let &[symbol, _kind, _tier, _libomp, _libgomp, nodes] = &fields[..] else {
            panic!("{TABLE}:{}: six columns expected", index + 1);
        };
        assert!(seen.insert(symbol), "{TABLE}:{}: {symbol} is listed twice", index + 1);
        writeln!(text, "    ({symbol}) => {{ \"{}\" }};", bindings(symbol, nodes))
            .expect("a String takes all text");
    }
    text.push_str("}\n");
    text
}

/// One `.symver` for the default version and one for each compatibility node, as the text of a
/// string literal. `remove` takes the helper name `__oxomp_v_*` out of the symbol table.
fn bindings(symbol: &str, nodes: &str) -> String {
    let alias = format!("__oxomp_v_{symbol}");
    let mut text = format!(".symver {alias}, {symbol}@@VERSION, remove\\n");
    for node in nodes.split(' ').filter(|node| *node != "-") {
        text.push_str(&format!(".symver {alias}, {symbol}@{node}\\n"));
    }
    text
}
