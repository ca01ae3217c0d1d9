//! Machine code of each processor, as compilers make it around constructs.

use oxomp_arch::read::Machine;

use super::{Code, Function, name_at};

mod aarch64;
mod x86_64;

fn function(address: u64, size: u64, symbol: &str) -> Function {
    Function { address, size, symbol: symbol.to_owned() }
}

/// The code of these functions.
fn code<'a>(
    machine: Machine,
    functions: &'a [Function],
    bytes: &'a dyn Fn(&Function) -> Option<Vec<u8>>,
) -> Code<'a> {
    Code { functions, bytes, machine, calls: machine.calls().expect("they are known") }
}

#[test]
fn copies_of_an_outlined_function_have_one_name() {
    let functions = [
        function(0x1000, 0x10, "main"),
        function(0x2000, 0x80, "main._omp_fn.0"),
        function(0x2100, 0x80, "main._omp_fn.1.constprop.0"),
        function(0x2200, 0x80, "main.omp_outlined_debug__.5"),
    ];
    let name_at = |address| name_at(&functions, address);
    assert_eq!(name_at(0x1004), None);
    assert_eq!(name_at(0x2004), Some("main._omp_fn.0"));
    assert_eq!(name_at(0x2104), Some("main._omp_fn.1"));
    assert_eq!(name_at(0x2080), None, "between functions");
}
