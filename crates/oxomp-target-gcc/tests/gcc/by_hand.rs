//! A program that registers an image by hand: versions and types that are not for the plug-in, and
//! what follows when a function of the plug-in fails or lies.

use std::path::PathBuf;

use crate::support::{Bench, Outcome, Runtime};

fn bench() -> Option<(Bench, PathBuf)> {
    let bench = Bench::new(false, &[])?;
    let program = bench.compile_plain("by_hand.c", &["-O1"]);
    Some((bench, program))
}

fn faulty((bench, program): &(Bench, PathBuf), faults: &str) -> Outcome {
    bench.run(program, Runtime::Oxomp, &[], &[("TEST_DEVICE_FAULTS", faults)])
}

#[test]
fn calls_by_hand_do_what_libgomp_does() {
    let Some((bench, program)) = bench() else { return };
    let [libgomp, oxomp] =
        [Runtime::Libgomp, Runtime::Oxomp].map(|runtime| bench.run(&program, runtime, &[], &[]));
    assert!(libgomp.succeeded && oxomp.succeeded, "{}", oxomp.messages);
    assert_eq!(libgomp.text, oxomp.text);
    assert_eq!(oxomp.calls("unload_image"), 1);
    assert!(oxomp.log.contains("run 0 0 teams 4 threads 8"), "{}", oxomp.log);
    assert_eq!(oxomp.messages, "");
}

#[test]
fn images_for_others_are_left_to_the_host() {
    let Some((bench, program)) = bench() else { return };
    for arguments in [["0x10001", "8"], ["0x10001", "6"], ["0x20003", "5"]] {
        let oxomp = bench.run(&program, Runtime::Oxomp, &arguments, &[]);
        assert!(oxomp.succeeded, "{arguments:?}: {}", oxomp.messages);
        assert!(oxomp.text.starts_with("devices: 0\n"), "{arguments:?}: {}", oxomp.text);
        assert_eq!(oxomp.text.matches("target: 106").count(), 2, "{arguments:?}");
        assert_eq!(oxomp.log, "", "{arguments:?}");
        let told = oxomp.messages.contains("needs version 2 of libgomp's interface");
        assert_eq!(told, arguments[0] == "0x20003", "{arguments:?}: {}", oxomp.messages);
    }
}

#[test]
fn a_plug_in_that_cannot_be_driven_is_refused_with_a_reason() {
    let Some(it) = bench() else { return };
    let cases = [
        ("version=lie", "it has version 99"),
        ("get_caps=lie", "does not support OpenMP"),
        ("get_type=lie", "devices of type 77"),
        ("get_num_devices=lie", "it tells of -7 devices"),
    ];
    for (faults, why) in cases {
        let oxomp = faulty(&it, faults);
        assert!(oxomp.succeeded && oxomp.messages.contains(why), "{faults}: {oxomp:?}");
        assert!(oxomp.text.starts_with("devices: 0\n"), "{faults}: {}", oxomp.text);
        assert_eq!(oxomp.messages.lines().count(), 1, "{faults}: {}", oxomp.messages);
    }
    let none = faulty(&it, "get_num_devices=fail");
    assert!(none.succeeded && none.text.starts_with("devices: 0\n"), "{none:?}");
    let renamed = faulty(&it, "get_name=lie");
    assert!(renamed.succeeded && renamed.text.starts_with("devices: 1\n"), "{renamed:?}");
}

#[test]
fn a_device_that_fails_ends_the_program_with_a_message() {
    let Some(it) = bench() else { return };
    let cases = [
        ("init_device=fail", "it cannot be initialized"),
        ("init_device=lie", "it cannot load the image"),
        ("load_image=fail", "it cannot load the image"),
        ("load_image=lie", "of its image has"),
        ("alloc=fail", "the device has no memory"),
        ("alloc=fail@2", "no memory"),
        ("alloc=lie", "the device has no memory"),
        ("host2dev=fail@1", "it does not take its number"),
        ("host2dev=fail@3", "a copy to the device"),
        ("dev2host=fail", "a copy from the device"),
        ("run=fatal", "the test device ends in run, 50% of 1.5 done"),
        ("alloc=fatal", "the test device ends in alloc, 50% of 1.5 done"),
    ];
    for (faults, why) in cases {
        let oxomp = faulty(&it, faults);
        assert!(!oxomp.succeeded, "{faults}: {oxomp:?}");
        assert!(oxomp.messages.contains(why), "{faults}: {}", oxomp.messages);
    }
}

#[test]
fn a_device_that_cannot_give_back_is_told_of() {
    let Some(it) = bench() else { return };
    for (faults, why) in
        [("free=fail", "cannot free its memory"), ("unload_image=fail", "cannot unload an image")]
    {
        let oxomp = faulty(&it, faults);
        assert!(oxomp.succeeded && oxomp.messages.contains(why), "{faults}: {oxomp:?}");
    }
    assert!(faulty(&it, "fini_device=fail").succeeded);
    for faults in ["fini_device=lie", "free=lie", "unload_image=lie"] {
        let oxomp = faulty(&it, faults);
        assert!(oxomp.succeeded && oxomp.messages.is_empty(), "{faults}: {oxomp:?}");
    }
}

#[test]
fn what_a_lying_device_computes_is_its_own_affair() {
    let Some(it) = bench() else { return };
    let right = faulty(&it, "").text;
    for faults in ["run=lie", "dev2host=lie"] {
        let oxomp = faulty(&it, faults);
        assert!(oxomp.succeeded, "{faults}: {oxomp:?}");
        assert_ne!(oxomp.text, right, "{faults}");
    }
}

#[test]
fn without_a_plug_in_nothing_is_loaded() {
    let Some((_kept, program)) = bench() else { return };
    let other = Bench::new(false, &[]).expect("as above");
    std::fs::remove_file(other.plugin()).expect("the plug-in");
    std::fs::write(other.plugin(), "no library").expect("the folder");
    let oxomp = other.run(&program, Runtime::Oxomp, &[], &[("LD_DEBUG", "files")]);
    assert!(oxomp.succeeded && oxomp.text.starts_with("devices: 0\n"), "{oxomp:?}");
    let loads = |line: &&str| line.contains("libomptarget") && line.contains("loaded");
    let loaded: Vec<_> = oxomp.messages.lines().filter(loads).collect();
    assert!(loaded.is_empty(), "the offload library is not needed: {loaded:?}");
}
