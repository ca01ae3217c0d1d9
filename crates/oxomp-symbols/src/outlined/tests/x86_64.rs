use oxomp_arch::read::Machine;

use super::{Function, code, function};

/// What is found in a function of these bytes at 0x1000, whose call returns to its end; bodies of
/// constructs lie at 0x2000 and 0x2100, and a function that jumps at 0x3000.
fn found(main: &[u8], jumps: &[u8]) -> Option<u64> {
    let functions = [
        function(0x1000, main.len() as u64 + 1, "main"),
        function(0x2000, 0x80, "main._omp_fn.0"),
        function(0x2100, 0x80, "main._omp_fn.1"),
        function(0x3000, jumps.len() as u64, "jumps"),
    ];
    let bytes = |function: &Function| {
        let own = if function.symbol == "main" { main } else { jumps };
        let mut bytes = own.to_vec();
        bytes.resize(function.size as usize, 0x90);
        Some(bytes)
    };
    code(Machine::X86_64, &functions, &bytes).outlined_at(0x1000 + main.len() as u64)
}

/// What [`found`] looks for, as the names of several.
fn names(main: &[u8]) -> Option<String> {
    let functions = [
        function(0x1000, main.len() as u64 + 1, "main"),
        function(0x2000, 0x80, "main._omp_fn.0"),
        function(0x2100, 0x80, "main._omp_fn.1"),
    ];
    let bytes = |function: &Function| {
        let mut bytes = main.to_vec();
        bytes.resize(function.size as usize, 0x90);
        Some(bytes)
    };
    code(Machine::X86_64, &functions, &bytes).names_at(0x1000 + main.len() as u64)
}

/// `lea target(%rip), register` at `at`.
fn lea(at: u32, prefix: u8, operands: u8, target: u32) -> Vec<u8> {
    let mut code = vec![prefix, 0x8d, operands];
    code.extend(target.wrapping_sub(at + 7).to_le_bytes());
    code
}

#[test]
fn the_nearest_first_argument_is_the_calls() {
    let mut code = lea(0x1000, 0x48, 0x3d, 0x2000);
    code.extend(lea(0x1007, 0x48, 0x3d, 0x2100));
    code.extend([0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), Some(0x2100));
}

#[test]
fn an_address_that_was_kept_in_a_register_is_followed() {
    let mut code = lea(0x1000, 0x4c, 0x25, 0x2000);
    code.extend(lea(0x1007, 0x48, 0x1d, 0x2100));
    code.extend([0x4c, 0x89, 0xe7, 0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), Some(0x2000), "mov %r12, %rdi");
    code.extend(lea(0x1016, 0x4c, 0x25, 0x2100));
    code.extend([0x90, 0x4c, 0x89, 0xe7, 0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), None, "one of two");
}

#[test]
fn without_optimisation_each_call_has_its_argument_just_before() {
    let mut code = lea(0x1000, 0x48, 0x05, 0x2000);
    code.extend([0x48, 0x89, 0xc7, 0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), Some(0x2000), "lea, mov %rax, %rdi");
    code.extend(lea(0x100f, 0x48, 0x05, 0x2100));
    code.extend([0x48, 0x89, 0xc7, 0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), Some(0x2100));
}

#[test]
fn a_call_that_two_constructs_share_is_neithers() {
    // lea 0x2000, %rdi; jmp to the call; lea 0x2100, %rdi; call
    let mut code = lea(0x1000, 0x48, 0x3d, 0x2000);
    code.extend([0xeb, 0x07]);
    code.extend(lea(0x1009, 0x48, 0x3d, 0x2100));
    code.extend([0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), None);
    assert_eq!(names(&code).as_deref(), Some("main._omp_fn.0 or main._omp_fn.1"));
    // A jump over the call shares nothing.
    code[8] = 0x0c;
    assert_eq!(found(&code, &[]), Some(0x2100));
    assert_eq!(names(&code), None);
}

#[test]
fn an_argument_that_comes_from_memory_is_unknown() {
    let mut code = lea(0x1000, 0x48, 0x3d, 0x2000);
    code.extend([0xe8, 0, 0x10, 0, 0]);
    code.extend([0x48, 0x8b, 0x7c, 0x24, 0x08, 0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), None, "mov 8(%rsp), %rdi");
}

#[test]
fn clangs_outlined_functions_are_the_third_argument() {
    let functions = [function(0x1000, 0x20, "main"), function(0x2000, 0x80, "main.omp_outlined")];
    let mut main = lea(0x1000, 0x48, 0x15, 0x2000);
    main.extend([0xe8, 0, 0x10, 0, 0]);
    let end = 0x1000 + main.len() as u64;
    main.resize(0x20, 0x90);
    let bytes = |_: &Function| Some(main.clone());
    assert_eq!(code(Machine::X86_64, &functions, &bytes).outlined_at(end), Some(0x2000));
}

#[test]
fn constants_are_addresses_too() {
    let code = [0xbf, 0x00, 0x21, 0, 0, 0xff, 0x15, 0, 0x10, 0, 0];
    assert_eq!(found(&code, &[]), Some(0x2100));
}

#[test]
fn other_functions_are_no_constructs() {
    let mut code = lea(0x1000, 0x48, 0x3d, 0x3000);
    code.extend([0xe8, 0, 0x10, 0, 0]);
    assert_eq!(found(&code, &[]), None);
}

#[test]
fn a_called_function_that_jumps_to_the_runtime_has_the_construct() {
    let call = [0xe8, 0xfb, 0x1f, 0, 0];
    let mut jumps = lea(0x3000, 0x48, 0x3d, 0x2100);
    jumps.extend([0xe9, 0, 0x10, 0, 0]);
    assert_eq!(found(&call, &jumps), Some(0x2100));
    jumps.extend(lea(0x300c, 0x48, 0x3d, 0x2000));
    jumps.extend([0xe9, 0, 0x10, 0, 0]);
    assert_eq!(found(&call, &jumps), None, "one of two");
}
