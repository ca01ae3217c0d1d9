//! What tools and the profile see of gcc's programs on devices: the events that clang's have.

use std::path::PathBuf;

use crate::support::{Bench, Outcome, Runtime};

/// The recorder that is a tool of the tests.
fn recorder() -> PathBuf {
    let recorder = std::env::var_os("OXOMP_RECORDER").map(PathBuf::from);
    recorder.expect("OXOMP_RECORDER is not set: run `cargo xtask test`")
}

/// The events of devices, in their order: each as its name and the values of `keys`.
fn events(log: &str, keys: &[&str]) -> Vec<String> {
    let of_device = |line: &&str| line.contains(" target") || line.contains(" device_");
    let event = |line: &str| {
        let mut words = line.split(' ').skip(2);
        let mut text = words.next().unwrap_or_default().to_owned();
        for word in words {
            if let Some((key, value)) = word.split_once('=')
                && keys.contains(&key)
            {
                text.push(' ');
                text.push_str(value);
            }
        }
        text
    };
    log.lines().filter(|line| !line.starts_with(['#', '+'])).filter(of_device).map(event).collect()
}

fn record(bench: &Bench, variables: &[(&str, &str)]) -> (Outcome, String) {
    let program = bench.compile("events.c", &["-O1"]);
    let log = bench.file("events");
    let (tool, place) = (recorder().display().to_string(), log.display().to_string());
    let mut all = vec![("OMP_TOOL_LIBRARIES", &*tool), ("OXOMP_RECORD", &*place)];
    all.extend(variables);
    let outcome = bench.run(&program, Runtime::Oxomp, &[], &all);
    (outcome, std::fs::read_to_string(log).unwrap_or_default())
}

#[test]
fn a_tool_sees_constructs_mappings_operations_and_kernels() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let (outcome, log) = record(&bench, &[]);
    assert!(outcome.succeeded, "{}", outcome.messages);
    assert_eq!(outcome.text, "3 7 8\n");
    let keys = ["kind", "endpoint", "device", "bytes", "teams"];
    let seen = events(&log, &keys);
    let expected = include_str!("events.txt");
    let expected: Vec<_> = expected.lines().collect();
    assert_eq!(seen, expected, "{log}");
}

#[test]
fn a_device_that_is_not_used_has_no_events() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let (outcome, log) = record(&bench, &[("OMP_TARGET_OFFLOAD", "disabled")]);
    assert!(outcome.succeeded, "{}", outcome.messages);
    let on_host = events(&log, &["device"]);
    assert!(on_host.iter().all(|it| !it.starts_with("device_")), "{log}");
    assert!(on_host.iter().all(|it| !it.starts_with("target_emi") || it.ends_with(" 0")), "{log}");
}

#[test]
fn the_place_of_a_construct_is_in_the_programs_code() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let (_, log) = record(&bench, &[]);
    let lines = log.lines().filter(|line| !line.starts_with(['#', '+']));
    let places: Vec<_> = lines.filter(|line| line.contains(" target_")).collect();
    assert!(places.len() > 20, "{log}");
    for line in places.iter().filter(|line| !line.contains(" target_submit")) {
        assert!(line.contains("codeptr=events.c"), "{line}");
    }
}

#[test]
fn the_profile_has_the_constructs_kernels_and_transfers() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let program = bench.compile("profiled.c", &["-O1"]);
    let command = std::env::var_os("OXOMP_BIN").map(PathBuf::from);
    let command = command.expect("OXOMP_BIN is not set: run `cargo xtask test`");
    let report = bench.profile(&command, &program);
    for words in [
        &["target ", "profiled.c:15", " 5 "][..],
        &["to device", "profiled.c:15", "10 ", "41.9 MB"][..],
        &["from device", "profiled.c:15", " 5 ", "21.0 MB"][..],
    ] {
        let is_it = |line: &str| words.iter().all(|word| line.contains(word));
        assert!(report.lines().any(is_it), "{words:?}: {report}");
    }
}
