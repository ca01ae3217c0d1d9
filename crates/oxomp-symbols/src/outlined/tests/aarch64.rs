use oxomp_arch::read::Machine;

use super::{Code, Function, code, function};

/// Asks the code of functions that begin at these addresses and consist of these instructions.
fn ask<T>(all: &[(u64, &str, &[u32])], question: impl FnOnce(&Code<'_>) -> T) -> T {
    let size = |code: &[u32]| 4 * code.len() as u64;
    let functions = all.iter().map(|(at, name, code)| function(*at, size(code), name));
    let functions: Vec<Function> = functions.collect();
    let bytes = |function: &Function| {
        let (.., code) = all.iter().find(|(at, ..)| *at == function.address)?;
        Some(code.iter().flat_map(|word| word.to_le_bytes()).collect())
    };
    question(&code(Machine::Aarch64, &functions, &bytes))
}

const BODY: &[u32] = &[0xd65f_03c0];

/// A function of gcc -O2: a region, and another one in a loop.
const REGIONS: &[u32] = &[
    0xa9bb_7bfd, // ba0: stp  x29, x30, [sp, #-80]!
    0x9000_0004, // ba4: adrp x4, 0
    0x5280_0003, // ba8: mov  w3, #0
    0x9100_03fd, // bac: mov  x29, sp
    0x5280_0002, // bb0: mov  w2, #0
    0xd280_0001, // bb4: mov  x1, #0
    0xb900_3fe0, // bb8: str  w0, [sp, #60]
    0x9129_c080, // bbc: add  x0, x4, #0xa70
    0x97ff_ff1c, // bc0: bl   830
    0xb940_3fe0, // bc4: ldr  w0, [sp, #60]
    0x7100_001f, // bc8: cmp  w0, #0
    0x5400_02ad, // bcc: b.le c20
    0xa901_53f3, // bd0: stp  x19, x20, [sp, #16]
    0x9000_0014, // bd4: adrp x20, 0
    0x9129_8294, // bd8: add  x20, x20, #0xa60
    0xa902_5bf5, // bdc: stp  x21, x22, [sp, #32]
    0x9100_f3f6, // be0: add  x22, sp, #0x3c
    0x9101_23f5, // be4: add  x21, sp, #0x48
    0x5280_0013, // be8: mov  w19, #0
    0xd503_201f, // bec: nop
    0xaa14_03e0, // bf0: mov  x0, x20
    0xaa15_03e1, // bf4: mov  x1, x21
    0x5280_0003, // bf8: mov  w3, #0
    0x5280_0002, // bfc: mov  w2, #0
    0xf900_27f6, // c00: str  x22, [sp, #72]
    0x97ff_ff0b, // c04: bl   830
    0xb940_3fe0, // c08: ldr  w0, [sp, #60]
];

#[test]
fn an_argument_of_a_page_and_an_offset_is_found_also_in_a_register_that_a_loop_keeps() {
    let all: &[(u64, &str, &[u32])] =
        &[(0xa60, "two._omp_fn.1", BODY), (0xa70, "two._omp_fn.0", BODY), (0xba0, "two", REGIONS)];
    let found = |address| ask(all, |code| code.outlined_at(address));
    assert_eq!(found(0xbc4), Some(0xa70));
    assert_eq!(found(0xc08), Some(0xa60));
    assert_eq!(found(0xbd0), None, "no call is there");
}

#[test]
fn regions_that_share_a_call_are_both_named() {
    // Of clang -O2.
    let all: &[(u64, &str, &[u32])] = &[
        (
            0xd60,
            "shared",
            &[
                0x3400_00c0, // d60: cbz  w0, d78
                0xf000_00e0, // d64: adrp x0, 1f000
                0x9134_0000, // d68: add  x0, x0, #0xd00
                0x9000_0002, // d6c: adrp x2, 0
                0x9136_8042, // d70: add  x2, x2, #0xda0
                0x1400_0005, // d74: b    d88
                0xf000_00e0, // d78: adrp x0, 1f000
                0x9134_6000, // d7c: add  x0, x0, #0xd18
                0x9000_0002, // d80: adrp x2, 0
                0x9136_b042, // d84: add  x2, x2, #0xdac
                0x2a1f_03e1, // d88: mov  w1, wzr
                0x97ff_ff49, // d8c: bl   ab0
            ],
        ),
        (0xda0, "shared.omp_outlined", BODY),
        (0xdac, "shared.omp_outlined.1", BODY),
    ];
    let names = ask(all, |code| code.names_at(0xd90));
    assert_eq!(names.as_deref(), Some("shared.omp_outlined or shared.omp_outlined.1"));
    assert_eq!(ask(all, |code| code.outlined_at(0xd90)), None);
}

#[test]
fn one_of_two_arguments_is_not_taken_for_the_calls() {
    // As of clang -O2 -fno-plt, but with a register less.
    let all: &[(u64, &str, &[u32])] = &[
        (
            0xccc,
            "shared",
            &[
                0x9000_0008, // ccc: adrp x8, 0
                0x9134_3108, // cd0: add  x8, x8, #0xd0c
                0x7100_001f, // cd4: cmp  w0, #0
                0x9000_0002, // cd8: adrp x2, 0
                0x9134_8042, // cdc: add  x2, x2, #0xd20
                0x9a88_0042, // ce0: csel x2, x2, x8, eq
                0x2a1f_03e1, // ce4: mov  w1, wzr
                0x97ff_ff46, // ce8: bl   a00
            ],
        ),
        (0xd0c, "shared.omp_outlined", BODY),
        (0xd20, "shared.omp_outlined.1", BODY),
    ];
    assert_eq!(ask(all, |code| code.outlined_at(0xcec)), None);
}

#[test]
fn a_called_function_that_jumps_to_the_runtime_has_the_construct() {
    // Of gcc -O2, without and with -fno-plt.
    let jumps: &[u32] = &[
        0x9000_0000, // c30: adrp x0, 0
        0x5280_0003, // c34: mov  w3, #0
        0x912a_0000, // c38: add  x0, x0, #0xa80
        0x5280_0002, // c3c: mov  w2, #0
        0xd280_0001, // c40: mov  x1, #0
        0x17ff_fefb, // c44: b    830
    ];
    let through_pointer: &[u32] = &[
        0xd503_245f, // c60: bti  c
        0xf000_00f0, // c64: adrp x16, 1f000
        0xf947_f210, // c68: ldr  x16, [x16, #4064]
        0x9000_0000, // c6c: adrp x0, 0
        0x5280_0003, // c70: mov  w3, #0
        0x9129_4000, // c74: add  x0, x0, #0xa50
        0x5280_0002, // c78: mov  w2, #0
        0xd280_0001, // c7c: mov  x1, #0
        0xd61f_0200, // c80: br   x16
    ];
    let all: &[(u64, &str, &[u32])] = &[
        (0xa50, "other._omp_fn.0", BODY),
        (0xa80, "tail._omp_fn.0", BODY),
        // bl c30; bl c60
        (0x85c, "main", &[0x9400_00f5, 0x9400_0100, 0xd65f_03c0]),
        (0xc30, "tail", jumps),
        (0xc60, "other", through_pointer),
    ];
    let mut all = all.to_vec();
    all.sort_by_key(|(at, ..)| *at);
    assert_eq!(ask(&all, |code| code.outlined_at(0x860)), Some(0xa80));
    assert_eq!(ask(&all, |code| code.outlined_at(0x864)), Some(0xa50));
    assert_eq!(ask(&all, |code| code.outlined_at_end_of(0xc30)), Some(0xa80));
}
