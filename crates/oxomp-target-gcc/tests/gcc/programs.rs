//! gcc's and gfortran's programs on the test plug-in: oxomp computes what libgomp computes, with as
//! many kernels.

use crate::support::{Bench, Outcome, Runtime};

const PROGRAMS: [&str; 6] =
    ["maps.c", "tasks.c", "declared.c", "routines.c", "choices.c", "arrays.f90"];

/// Whether the device was asked for something beyond its memory.
fn is_clean(outcome: &Outcome) -> bool {
    !outcome.log.contains("refused")
}

/// Runs a program on both runtimes, which must compute the same. Returns both outcomes.
fn compare(
    bench: &Bench,
    source: &str,
    options: &[&str],
    variables: &[(&str, &str)],
) -> [Outcome; 2] {
    let program = bench.compile(source, options);
    let both = [Runtime::Libgomp, Runtime::Oxomp]
        .map(|runtime| bench.run(&program, runtime, &[], variables));
    let [libgomp, oxomp] = &both;
    let place = format!("{source} {options:?} {variables:?}");
    assert!(libgomp.succeeded, "{place}: {libgomp:?}");
    assert!(oxomp.succeeded, "{place}: {}\n{}", oxomp.text, oxomp.messages);
    assert_eq!(libgomp.text, oxomp.text, "{place}");
    assert_eq!(oxomp.messages, "", "{place}");
    assert!(is_clean(libgomp) && is_clean(oxomp), "{place}: {}", oxomp.log);
    for function in ["run", "init_device", "load_image", "fini_device"] {
        assert_eq!(libgomp.calls(function), oxomp.calls(function), "{place}: {function}");
    }
    both
}

#[test]
fn programs_compute_on_oxomp_what_they_compute_on_libgomp() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    for source in PROGRAMS {
        for options in [&["-O0"], &["-O2"]] {
            compare(&bench, source, options, &[]);
        }
    }
}

#[test]
fn a_device_may_run_kernels_on_a_thread_of_its_own() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    for source in PROGRAMS {
        compare(&bench, source, &["-O1"], &[("TEST_DEVICE_THREAD", "1")]);
    }
}

#[test]
fn a_device_may_be_slow() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let delays = "init_device=delay:30,load_image=delay:30,alloc=delay:3,host2dev=delay:2,\
                  dev2host=delay:2,run=delay:5,free=delay:1";
    for source in ["tasks.c", "maps.c"] {
        compare(&bench, source, &["-O1"], &[("TEST_DEVICE_FAULTS", delays)]);
    }
}

#[test]
fn no_memory_of_the_device_is_left_behind() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    for source in PROGRAMS {
        let [_, oxomp] = compare(&bench, source, &["-O1"], &[]);
        // The device keeps a block for the arguments of kernels.
        let kept = oxomp.calls("alloc") - oxomp.calls("free");
        assert!(kept <= 2, "{source}: {kept}");
    }
}

#[test]
fn the_host_executes_what_is_not_for_a_device() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let program = bench.compile("choices.c", &["-O1"]);
    for argument in ["0", "1", "2", "5"] {
        for policy in ["default", "disabled"] {
            let variables = [("OMP_TARGET_OFFLOAD", policy)];
            let [libgomp, oxomp] = [Runtime::Libgomp, Runtime::Oxomp]
                .map(|runtime| bench.run(&program, runtime, &[argument], &variables));
            assert_eq!(libgomp.text, oxomp.text, "{argument} {policy}: {}", oxomp.messages);
            assert_eq!(libgomp.calls("run"), oxomp.calls("run"), "{argument} {policy}");
        }
    }
    let mandatory = [("OMP_TARGET_OFFLOAD", "mandatory")];
    assert!(bench.run(&program, Runtime::Oxomp, &["0"], &mandatory).succeeded);
    let refused = bench.run(&program, Runtime::Oxomp, &["5"], &mandatory);
    assert!(!refused.succeeded);
    assert!(refused.messages.contains("device 5 is not available"), "{}", refused.messages);
}

#[test]
fn several_devices_have_their_numbers() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let program = bench.compile("choices.c", &["-O1"]);
    for argument in ["0", "1", "2"] {
        let variables = [("TEST_DEVICES", "3")];
        let [libgomp, oxomp] = [Runtime::Libgomp, Runtime::Oxomp]
            .map(|runtime| bench.run(&program, runtime, &[argument], &variables));
        assert_eq!(libgomp.text, oxomp.text, "{argument}: {}", oxomp.messages);
        let of = |outcome: &Outcome| outcome.log.matches("run 1").count();
        assert_eq!(of(&libgomp), of(&oxomp), "{argument}");
    }
}

#[test]
fn a_device_that_cannot_run_a_kernel_leaves_it_to_the_host() {
    let Some(bench) = Bench::new(true, &["-DWITH_ASYNC"]) else { return };
    let program = bench.compile("choices.c", &["-O1"]);
    let variables = [("TEST_DEVICE_FAULTS", "can_run=fail")];
    let [libgomp, oxomp] = [Runtime::Libgomp, Runtime::Oxomp]
        .map(|runtime| bench.run(&program, runtime, &[], &variables));
    assert!(oxomp.succeeded, "{oxomp:?}");
    assert_eq!(libgomp.text, oxomp.text);
    assert!(oxomp.text.starts_with("if: host"), "{}", oxomp.text);
    assert_eq!(oxomp.calls("run"), 0);
    // libgomp begins kernels of nowait regions and is told of their ends.
    compare(&bench, "tasks.c", &["-O1"], &[]);
}

#[test]
fn a_copy_that_fails_is_told_by_the_routines_result() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let program = bench.compile("routines.c", &["-O1"]);
    for faults in ["dev2dev=fail", "host2dev=fail@2"] {
        let variables = [("TEST_DEVICE_FAULTS", faults)];
        let oxomp = bench.run(&program, Runtime::Oxomp, &[], &variables);
        assert!(oxomp.succeeded || oxomp.messages.contains("fails"), "{faults}: {oxomp:?}");
        assert_eq!(oxomp.text.lines().filter(|it| it.starts_with("copy: ")).count(), 3);
        assert!(oxomp.text.contains("copy: 22\n") || oxomp.text.contains("copy: 1\n"), "{oxomp:?}");
    }
}
