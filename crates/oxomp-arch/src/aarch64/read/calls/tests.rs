use std::vec::Vec;

use super::super::instruction::Instruction;
use super::{CALLS, Calls, Target};

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A function of gcc -O2 at 0xba0: a region, and another one in a loop.
const OF_GCC: [u32; 26] = [
    0xa9bb_7bfd, // stp  x29, x30, [sp, #-80]!
    0x9000_0004, // adrp x4, 0
    0x5280_0003, // mov  w3, #0
    0x9100_03fd, // mov  x29, sp
    0x5280_0002, // mov  w2, #0
    0xd280_0001, // mov  x1, #0
    0xb900_3fe0, // str  w0, [sp, #60]
    0x9129_c080, // add  x0, x4, #0xa70
    0x97ff_ff1c, // bl   830
    0xb940_3fe0, // ldr  w0, [sp, #60]
    0x7100_001f, // cmp  w0, #0
    0x5400_02ad, // b.le c20
    0xa901_53f3, // stp  x19, x20, [sp, #16]
    0x9000_0014, // adrp x20, 0
    0x9129_8294, // add  x20, x20, #0xa60
    0xa902_5bf5, // stp  x21, x22, [sp, #32]
    0x9100_f3f6, // add  x22, sp, #0x3c
    0x9101_23f5, // add  x21, sp, #0x48
    0x5280_0013, // mov  w19, #0
    0xd503_201f, // nop
    0xaa14_03e0, // mov  x0, x20
    0xaa15_03e1, // mov  x1, x21
    0x5280_0003, // mov  w3, #0
    0x5280_0002, // mov  w2, #0
    0xf900_27f6, // str  x22, [sp, #72]
    0x97ff_ff0b, // bl   830
];

/// A function of clang -O2 at 0xd58, from its first condition on: two regions share a call.
const OF_CLANG: [u32; 15] = [
    0x3400_00c0, // cbz  w0, d78
    0xf000_00e0, // adrp x0, 1f000
    0x9134_0000, // add  x0, x0, #0xd00
    0x9000_0002, // adrp x2, 0
    0x9136_8042, // add  x2, x2, #0xda0
    0x1400_0005, // b    d88
    0xf000_00e0, // adrp x0, 1f000
    0x9134_6000, // add  x0, x0, #0xd18
    0x9000_0002, // adrp x2, 0
    0x9136_b042, // add  x2, x2, #0xdac
    0x2a1f_03e1, // mov  w1, wzr
    0x97ff_ff49, // bl   ab0
    0xb000_0000, // adrp x0, 1000
    0x9109_7400, // add  x0, x0, #0x25d
    0x17ff_ff42, // b    aa0
];

#[test]
fn an_address_is_made_by_two_instructions_perhaps_apart() {
    let code = bytes(&OF_GCC);
    let into = |at, register| CALLS.address_into(&code, at, 0xba0, register);
    assert_eq!(into(0x1c, 0), Some(0xa70), "by another register");
    assert_eq!(into(0x1c, 4), None);
    assert_eq!(into(0x38, 20), Some(0xa60));
    assert_eq!(into(0x34, 20), None, "a page alone");
    assert_eq!(into(0x44, 21), None, "of the stack");
    assert_eq!(into(0x1d, 0), None, "no instruction begins there");
    assert_eq!(CALLS.copied_into(&code, 0x50, 0), Some(20));
    assert_eq!(CALLS.copied_into(&code, 0x50, 1), None);
    let code = bytes(&OF_CLANG);
    assert_eq!(CALLS.address_into(&code, 0x08, 0xd60, 0), Some(0x1fd00));
    assert_eq!(CALLS.address_into(&code, 0x24, 0xd60, 2), Some(0xdac));
}

#[test]
fn a_page_that_was_overwritten_is_none() {
    // adrp x4, 0; X; add x0, x4, #0xa70
    let with = |between| {
        let code = bytes(&[0x9000_0004, between, 0x9129_c080]);
        CALLS.address_into(&code, 8, 0xba0, 0)
    };
    for harmless in [0xd503_201f, 0xf900_27e4, 0xa901_13e4, 0x7100_009f, 0xfc40_8424] {
        assert_eq!(with(harmless), Some(0xa70), "{harmless:#x}: nop, stores, cmp, ldr d4");
    }
    // bl; mov x4, x20; add x4, x4, #1; ldr x4, [x1]; ldp x1, x4, [sp]; ldadd x1, x4, [x3];
    // str x0, [x4], #8; stp x0, x1, [x4, #-16]!
    for overwritten in [
        0x97ff_ff1c,
        0xaa14_03e4,
        0x9100_0484,
        0xf940_0024,
        0xa940_13e1,
        0xf821_0064,
        0xf800_8480,
        0xa9bf_0480,
    ] {
        assert_eq!(with(overwritten), None, "{overwritten:#x}");
    }
    // A called function preserves x20.
    let code = bytes(&[0x9000_0014, 0x97ff_ff1c, 0x9129_8294]);
    assert_eq!(CALLS.address_into(&code, 8, 0xba0, 20), Some(0xa60));
}

#[test]
fn a_near_address_and_a_constant_take_fewer_or_more() {
    // adr x0, .-0x1ac, in the tiny code model.
    let code = bytes(&[0x10ff_f2a0]);
    assert_eq!(CALLS.address_into(&code, 0, 0xc2c, 0), Some(0xa80));
    // mov x0, #0x2100; movk x0, #1, lsl #16; movk x0, #0xffff, lsl #32; movk x0, #0x2000
    let code = bytes(&[0xd284_2000, 0xf2a0_0020, 0xf2df_ffe0, 0xf284_0000]);
    let into = |at| CALLS.address_into(&code, at, 0, 0);
    assert_eq!([0, 4].map(into), [Some(0x2100), Some(0x1_2100)]);
    assert_eq!([8, 12].map(into), [Some(0xffff_0001_2100), Some(0xffff_0001_2000)]);
    assert_eq!(CALLS.address_into(&code[4..], 0, 0, 0), None, "the rest is not known");
}

#[test]
fn a_call_names_a_function_or_a_pointer_to_it() {
    let code = bytes(&OF_GCC);
    assert_eq!(CALLS.called(&code, 0x24, 0xba0), Some(0x830));
    assert_eq!(CALLS.called(&code, 0x20, 0xba0), None);
    assert_eq!(CALLS.begin_of_call(&code, 0x24), Some(0x20));
    assert_eq!(CALLS.begin_of_call(&code, 0x20), None);
    assert_eq!(CALLS.callee(&code[..0x24], 0xbc4), Some(Target::Function(0x830)));
    assert_eq!(CALLS.callee(&code[..0x20], 0xbc0), None);
    // Of gcc -fno-plt: adrp x4, 1f000; ldr x4, [x4, #4064]; mov w3, #0; mov w2, #0; mov x1, #0;
    // adrp x0, 0; add x0, x0, #0xab0; blr x4
    let code = bytes(&[
        0xf000_00e4,
        0xf947_f084,
        0x5280_0003,
        0x5280_0002,
        0xd280_0001,
        0x9000_0000,
        0x912a_c000,
        0xd63f_0080,
    ]);
    assert_eq!(CALLS.callee(&code, 0xd00), Some(Target::Through(0x1ffe0)));
    assert_eq!(CALLS.callee(&code[8..], 0xd00), None, "the pointer is not known");
}

#[test]
fn a_jump_leaves_a_function_or_not() {
    let code = bytes(&OF_CLANG);
    let function = 0xd60..0xd60 + code.len() as u64;
    assert_eq!(CALLS.jump_at_end(&code, 0xd60), Some(0xaa0));
    assert_eq!(CALLS.jump_within(&code, 0x14), Some(0x28));
    assert_eq!(CALLS.jump_within(&code, 0x38), None, "before the function");
    let leaves = |at| CALLS.leaves(&code, at, function.clone());
    assert_eq!([0, 0x14, 0x2c, 0x38].map(leaves), [false, false, false, true]);
    // Of clang -fno-plt: adrp x1, 1f000; ldr x1, [x1, #4024]; adrp x0, 1000; add x0, x0, #0x12f;
    // ldp x29, x30, [sp], #16; br x1
    let code =
        bytes(&[0xf000_00e1, 0xf947_dc21, 0xb000_0000, 0x9104_bc00, 0xa8c1_7bfd, 0xd61f_0020]);
    assert!(CALLS.leaves(&code, 0x14, 0xcf4..0xd0c));
    assert!(!CALLS.leaves(&code[8..], 0x0c, 0xcf4..0xd0c), "as that of a table");
}

#[test]
fn calls_and_loads_of_pointers_hide_an_argument() {
    let hides = |word| CALLS.hides(&bytes(&[word]), 0, &[0, 0, 2]);
    // bl; blraaz x3; blraa x3, x4; ldur x0; ldr x0, [sp, #8]; ldp x1, x2; ldp x2, x1, [sp], #16;
    // ldr x2, [x3, x4]; ldr x0 of a literal; csel x2
    for word in [
        0x97ff_ff1c,
        0xd63f_087f,
        0xd73f_0864,
        0xf85f_83a0,
        0xf940_07e0,
        0xa940_0be1,
        0xa8c1_07e2,
        0xf864_6862,
        0x5800_0000,
        0x9a88_0122,
    ] {
        assert!(hides(word), "{word:#x}");
    }
    // nop; ldr w0; ldr x3; str x0, [x1], #8; stp x0, x1; csel w2; braaz x3; cmp x0, #1; ldr d0
    for word in [
        0xd503_201f,
        0xb940_0be0,
        0xf940_07e3,
        0xf800_8420,
        0xa9bf_07e0,
        0x1a88_0122,
        0xd61f_087f,
        0xf100_041f,
        0xfc40_8420,
    ] {
        assert!(!hides(word), "{word:#x}");
    }
    assert!(!CALLS.hides(&[0; 8], 2, &[0]));
}

#[test]
fn an_entry_of_a_linkage_table_jumps_through_a_pointer() {
    // adrp x16, 20000; ldr x17, [x16, #8]; add x16, x16, #8; br x17
    let entry = [0x9000_0110, 0xf940_0611, 0x9100_2210, 0xd61f_0220];
    assert_eq!(CALLS.linked(&bytes(&entry[..3]), 0x7b0), Some(0x20008));
    assert_eq!(CALLS.linked(&bytes(&[0xd503_245f, entry[0], entry[1]]), 0x7b0), Some(0x20008));
    assert_eq!(CALLS.linked(&bytes(&entry[1..]), 0x7b0), None);
    assert_eq!(CALLS.linked(&bytes(&OF_CLANG[..3]), 0xd60), None);
}

#[test]
fn any_kind_of_call_may_end_the_code() {
    // bl; blr x4; blraaz x3
    for word in [0x97ff_ff1c, 0xd63f_0080, 0xd63f_087f] {
        assert!(CALLS.may_end_with_call(&bytes(&[word])), "{word:#x}");
    }
    // b; br x17; ret; nop
    for word in [0x1400_0005, 0xd61f_0220, 0xd65f_03c0, 0xd503_201f] {
        assert!(!CALLS.may_end_with_call(&bytes(&[word])), "{word:#x}");
    }
    assert!(!CALLS.may_end_with_call(&[]));
}

#[test]
fn a_function_has_a_frame_between_the_instructions_that_make_and_remove_it() {
    // ret; paciasp; stp x29, x30, [sp, #-80]!; mov x29, sp; bl; ldp x29, x30, [sp], #80; autiasp;
    // retaa
    let code = bytes(&[
        0xd65f_03c0,
        0xd503_233f,
        0xa9bb_7bfd,
        0x9100_03fd,
        0x97ff_ff1c,
        0xa8c5_7bfd,
        0xd503_23bf,
        0xd65f_0bff,
    ]);
    let has_frame = |count: usize| CALLS.has_frame(&code[..4 * count]);
    assert_eq!([0, 1, 2].map(has_frame), [false; 3]);
    assert_eq!([3, 4, 5].map(has_frame), [true; 3]);
    assert_eq!([6, 7, 8].map(has_frame), [false; 3]);
    // sub sp, sp, #32; stp x29, x30, [sp, #16]; stp x19, x20, [sp]
    assert!(CALLS.has_frame(&bytes(&[0xd100_83ff, 0xa901_7bfd, 0xa900_53f3])));
}

#[test]
fn a_comparison_under_a_condition_writes_no_register() {
    // ccmp x0, #1, #2, eq; adds x2, x0, #1
    let may_write = |word: u32| Instruction::at(&word.to_le_bytes(), 0).unwrap().may_write(2);
    assert!(!may_write(0xfa41_0802));
    assert!(may_write(0xb100_0402));
}
