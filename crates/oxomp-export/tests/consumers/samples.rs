//! The outputs of samples, as others read them.

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::CallNode;
use oxomp_export::{Extent, collapsed, pprof, speedscope};
use serde_json::Value;

use super::recordings::Recording;
use super::tools::Tools;
use super::{PRODUCER, node, with_samples};

/// `outer_one`, which calls `inner_one` in a region: on the first thread a sample of the former and
/// two of the latter, on the second one of the latter, and one whose thread nobody knows.
fn with_stacks(recording: &Recording) -> Analysis {
    let mut analysis = with_samples(recording);
    analysis.calls.nodes[0].total = 5;
    analysis.calls.nodes[1] = CallNode { region: true, ..node(Some(0), "inner; one", 4, 4) };
    analysis.calls.samples[3].thread = analysis.model.threads[1].number;
    analysis
}

#[test]
fn collapsed_stacks_are_lines_of_thread_path_and_count() {
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let analysis = with_stacks(&recording);
    let lines = |extent| {
        let mut bytes = Vec::new();
        let remark = collapsed::write(&analysis, extent, &mut bytes).unwrap();
        (String::from_utf8(bytes).unwrap(), remark)
    };
    let (text, remark) = lines(Extent::default());
    let expected = "\
thread 0 (initial);outer_one 1
thread 0 (initial);outer_one;inner, one [omp] 2
thread 1;outer_one;inner, one [omp] 1
thread unknown;outer_one;inner, one [omp] 1
";
    assert_eq!((text.as_str(), remark), (expected, None));
    // The first two samples only.
    let begin = analysis.model.threads[0].begin;
    let window = (begin, begin + 250_000);
    let (text, remark) = lines(Extent { window, ..Extent::default() });
    assert_eq!(text, "thread 0 (initial);outer_one;inner, one [omp] 2\n");
    assert_eq!(remark.as_deref(), Some("1 sample of unknown times left out"));
    let (text, remark) = lines(Extent { window: (0, 1), ..Extent::default() });
    assert_eq!(text, "");
    assert!(remark.unwrap().contains("no sample lies in the window"));
}

/// The file of speedscope of `analysis`, valid by the schema of speedscope itself.
fn scope(analysis: &Analysis, extent: Extent, tools: &Tools, recording: &Recording) -> Value {
    let mut bytes = Vec::new();
    speedscope::write(analysis, PRODUCER, extent, &mut bytes).unwrap();
    let file = recording.beside("run.speedscope.json", &bytes);
    tools.script("validate_json.py", &[&tools.speedscope_schema(), &file]).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn a_file_of_speedscope_has_all_threads_and_each() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let analysis = with_stacks(&recording);
    let read = scope(&analysis, Extent::default(), &tools, &recording);
    let frames = serde_json::json!([
        { "name": "outer_one", "file": "known.c", "line": 7 },
        { "name": "inner; one [omp]", "file": "known.c", "line": 7 },
    ]);
    assert_eq!(read["shared"]["frames"], frames);
    let profiles: Vec<_> = read["profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!((&one["type"], &one["unit"]), (&"sampled".into(), &"nanoseconds".into()));
            let weights = one["weights"].as_array().unwrap().iter().flat_map(Value::as_u64);
            assert_eq!(one["endValue"].as_u64(), Some(weights.sum()));
            (one["name"].as_str().unwrap(), one["samples"].to_string(), one["weights"].to_string())
        })
        .collect();
    let expected = [
        ("all threads", "[[0],[0,1]]", "[100000,400000]"),
        // In the order of their times.
        ("thread 0 (initial)", "[[0,1],[0,1],[0]]", "[100000,100000,100000]"),
        ("thread 1", "[[0,1]]", "[100000]"),
        ("thread unknown", "[[0,1]]", "[100000]"),
    ];
    let expected =
        expected.map(|(name, samples, weights)| (name, samples.to_owned(), weights.to_owned()));
    assert_eq!(profiles, expected);
    // Where one by one they are too many, they are summed, and a remark says so.
    let small = Extent { budget: 10, ..Extent::default() };
    let summed = scope(&analysis, small, &tools, &recording);
    assert_eq!(summed["profiles"][1]["samples"].to_string(), "[[0],[0,1]]");
    assert_eq!(summed["profiles"][1]["weights"].to_string(), "[100000,200000]");
    let remark = speedscope::write(&analysis, PRODUCER, small, &mut Vec::new()).unwrap();
    assert!(remark.unwrap().contains("exceed --budget"));
    let nothing = Extent { window: (0, 1), ..Extent::default() };
    let nothing = scope(&analysis, nothing, &tools, &recording);
    assert_eq!(nothing["profiles"].as_array().unwrap().len(), 1);
}

#[test]
fn a_profile_of_pprof_has_both_values_and_its_labels() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let analysis = with_stacks(&recording);
    let mut bytes = Vec::new();
    pprof::write(&analysis, PRODUCER, Extent::default(), &mut bytes).unwrap();
    let read = tools.pprof(&recording.beside("run.pb.gz", &bytes));
    let header = &analysis.summary.header;
    let types = serde_json::json!([["samples", "count"], ["cpu", "nanoseconds"]]);
    assert_eq!((&read["types"], &read["default"]), (&types, &"cpu".into()));
    assert_eq!(read["period"], serde_json::json!(["cpu", "nanoseconds", 100_000]));
    assert_eq!(read["begun"], header.started_unix_ns.to_string());
    assert_eq!((&read["duration"], &read["main"]), (&header.wall_ns.into(), &"program".into()));
    assert_eq!(read["comments"][0], "written by the tests");
    let (outer, inner) = ("outer_one", "inner; one [omp]");
    let samples: Vec<_> = read["samples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sample| {
            let frames = sample["frames"].as_array().unwrap();
            let names: Vec<_> = frames.iter().map(|it| it["name"].as_str().unwrap()).collect();
            assert!(
                frames.iter().all(|it| it["line"] == 7 && it["file"] == "known.c"),
                "{frames:?}"
            );
            assert!(frames.iter().all(|it| it["module"] == "known"), "{frames:?}");
            assert!(frames.iter().all(|it| it["symbolized"] == true), "{frames:?}");
            let labels = &sample["labels"];
            (
                names,
                sample["values"].to_string(),
                labels["thread"].as_str(),
                labels["region"].as_str(),
            )
        })
        .collect();
    let body = Some("inner; one");
    let expected = [
        (vec![outer], "[1,100000]".to_owned(), Some("thread 0 (initial)"), None),
        (vec![inner, outer], "[2,200000]".to_owned(), Some("thread 0 (initial)"), body),
        (vec![inner, outer], "[1,100000]".to_owned(), Some("thread 1"), body),
        (vec![inner, outer], "[1,100000]".to_owned(), Some("thread unknown"), body),
    ];
    assert_eq!(samples, expected);
}

#[test]
fn the_outputs_of_samples_agree_on_a_recording() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let analysis = recording.analysis();
    let samples: u64 = analysis.calls.nodes.iter().map(|node| node.own).sum();
    let time = samples * analysis.calls.period_ns;
    let mut text = Vec::new();
    collapsed::write(&analysis, Extent::default(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let counts = text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), samples);
    let read = scope(&analysis, Extent::default(), &tools, &recording);
    let profiles = read["profiles"].as_array().unwrap();
    let ends: Vec<u64> = profiles.iter().flat_map(|one| one["endValue"].as_u64()).collect();
    assert_eq!((ends[0], ends[1..].iter().sum()), (time, time));
    let mut bytes = Vec::new();
    pprof::write(&analysis, PRODUCER, Extent::default(), &mut bytes).unwrap();
    let read = tools.pprof(&recording.beside("run.pb.gz", &bytes));
    let values = read["samples"].as_array().unwrap().iter();
    assert_eq!(values.flat_map(|one| one["values"][1].as_u64()).sum::<u64>(), time);
    // The runtime and the collector are in none of them.
    for hidden in ["libomp", "oxomp_collect", "GOMP_parallel"] {
        assert!(!text.contains(hidden) && !read.to_string().contains(hidden), "{hidden}");
    }
}
