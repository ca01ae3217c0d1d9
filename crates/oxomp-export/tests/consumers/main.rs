//! What we write, as its consumers read it: recordings of programs, opened by a validator of JSON
//! Schema, Python's csv, Perfetto's definitions (or its trace_processor), the Firefox Profiler,
//! `otf2-print`, a decoder of pprof's profiles, and the Python module with pandas, pyarrow and
//! Hatchet.

mod archives;
mod chrome;
mod numbers;
mod python;
mod recordings;
mod samples;
mod timelines;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::{CallNode, Sample};
use oxomp_analysis::ranks::{Brief, Job, JobTarget, MpiShare};
use oxomp_analysis::summary::{HotCode, HotStretch, Sampled, TargetKind};
use oxomp_export::csv::job_tables;
use oxomp_export::json::JobFacts;
use oxomp_export::{Extent, csv, firefox, json, perfetto};
use oxomp_scale::{Measured, Scale};
use oxomp_trace::Rank;
use serde_json::Value;

use recordings::{Recording, analysis_of};
use tools::Tools;

const PRODUCER: &str = "the tests";

/// Programs of all kinds of constructs.
const PROGRAMS: [&str; 6] = [
    "tests/profiler/imbalance.c",
    "tests/profiler/critical.c",
    "tests/profiler/tasks_tree.c",
    "tests/profiler/nested.c",
    "tests/profiler/loop_few.c",
    "tests/profiler/barriers.c",
];

const KILLED: &str = "crates/oxomp-export/tests/consumers/killed.c";

fn document(analysis: &Analysis) -> Value {
    let mut bytes = Vec::new();
    json::write(analysis, PRODUCER, &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// Validates the document of `analysis`, and returns it.
fn valid_document(analysis: &Analysis, tools: &Tools, recording: &Recording) -> Value {
    let document = document(analysis);
    validate(&document, tools, recording).unwrap();
    document
}

fn validate(document: &Value, tools: &Tools, recording: &Recording) -> Result<(), String> {
    validate_by(json::SCHEMA, document, tools, recording)
}

fn validate_by(
    schema: &str,
    document: &Value,
    tools: &Tools,
    recording: &Recording,
) -> Result<(), String> {
    let schema = recording.beside("schema.json", schema.as_bytes());
    let document = recording.beside("run.json", document.to_string().as_bytes());
    tools.script("validate_json.py", &[&schema, &document]).map(drop)
}

/// What Perfetto reads from the trace of `analysis`.
fn trace(analysis: &Analysis, extent: Extent, tools: &Tools, recording: &Recording) -> Value {
    let mut bytes = Vec::new();
    perfetto::write(analysis, PRODUCER, extent, &mut bytes).unwrap();
    let file = recording.beside("run.pftrace", &bytes);
    let shell = Tools::trace_processor();
    let words: Vec<&Path> =
        [Some(file.as_path()), shell.as_deref()].into_iter().flatten().collect();
    tools.script("perfetto_sums.py", &words).unwrap()
}

/// What the Firefox Profiler reads from the profile of `analysis`: its threads.
fn profile(analysis: &Analysis, tools: &Tools, recording: &Recording) -> Vec<Value> {
    let mut bytes = Vec::new();
    firefox::write(analysis, PRODUCER, Extent::default(), &mut bytes).unwrap();
    let file = recording.beside("run.firefox.json", &bytes);
    let [node, client] = tools.firefox();
    let session = recording.folder.path().join("session");
    let words: [&Path; 4] = [&node, &client, &file, &session];
    let threads = tools.script("firefox_sums.py", &words).unwrap();
    threads.as_array().unwrap().clone()
}

fn tables(analysis: &Analysis, tools: &Tools, recording: &Recording) -> Value {
    let folder = recording.folder.path().join("tables");
    fs::create_dir_all(&folder).unwrap();
    for table in csv::tables(analysis) {
        let mut bytes = Vec::new();
        table.write(analysis, &mut bytes).unwrap();
        fs::write(folder.join(table.file), bytes).unwrap();
    }
    tools.script("read_csv.py", &[&folder]).unwrap()
}

fn sum(rows: &Value, key: &str) -> u64 {
    rows.as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum()
}

#[test]
fn documents_follow_their_schema_and_have_the_numbers() {
    let Some(tools) = Tools::find() else { return };
    for program in PROGRAMS {
        let Some(recording) = Recording::of(program) else { return };
        let analysis = recording.analysis();
        let document = valid_document(&analysis, &tools, &recording);
        let calls: u64 = analysis.summary.regions.iter().map(|region| region.calls).sum();
        assert!(calls > 0, "{program}");
        assert_eq!(sum(&document["regions"], "calls"), calls, "{program}");
        assert_eq!(document["quality"]["complete"], true, "{program}");
        let place = &document["regions"][0]["place"];
        let file = place["file"].as_str().unwrap();
        assert!(file.ends_with(program) && place["line"].as_u64() > Some(1), "{place}");
        if program.contains("tasks") {
            let bins = &document["tasks"][0]["histogram"];
            assert_eq!(sum(bins, "count"), document["tasks"][0]["count"].as_u64().unwrap());
        }
    }
}

#[test]
fn the_schema_refuses_what_does_not_follow_it() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of(PROGRAMS[0]) else { return };
    let document = valid_document(&recording.analysis(), &tools, &recording);
    for (path, value) in [
        ("/run/wall_ns", Value::from("1 s")),
        ("/regions/0/gain/total_ns", Value::Null),
        ("/threads", Value::Null),
        ("/quality/complete", Value::from(1)),
    ] {
        let mut broken = document.clone();
        *broken.pointer_mut(path).unwrap() = value;
        assert!(validate(&broken, &tools, &recording).is_err(), "{path}");
    }
}

/// The file cut in the middle, with a damaged chunk, and with nothing but its start.
fn accidents(recording: &Recording) -> Vec<PathBuf> {
    let whole = fs::read(&recording.file).unwrap();
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle..middle + 4096].fill(0xa5);
    vec![
        recording.beside("cut.oxp", &whole[..middle]),
        recording.beside("damaged.oxp", &damaged),
        recording.beside("begun.oxp", &whole[..4096]),
    ]
}

#[test]
fn damaged_and_killed_recordings_give_documents_that_say_so() {
    let Some(tools) = Tools::find() else { return };
    let Some(killed) = Recording::of(KILLED) else { return };
    let analysis = killed.analysis();
    let document = valid_document(&analysis, &tools, &killed);
    assert_eq!(document["run"]["truncated"], true);
    assert_eq!(document["quality"]["complete"], false);
    let read = trace(&analysis, Extent::default(), &tools, &killed);
    assert_eq!(read["slices"]["parallel"][0], 3);
    let Some(recording) = Recording::of("tests/profiler/tasks_tree.c") else { return };
    let mut incomplete = 0;
    for file in accidents(&recording) {
        let Ok(_) = oxomp_trace::Profile::open(&file) else { continue };
        let analysis = analysis_of(&file);
        let document = valid_document(&analysis, &tools, &recording);
        incomplete += u32::from(document["quality"]["complete"] == false);
        trace(&analysis, Extent::default(), &tools, &recording);
        tables(&analysis, &tools, &recording);
    }
    assert!(incomplete > 0, "no accident was noticed");
}

#[test]
fn tables_are_read_as_they_were_meant() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let mut analysis = recording.analysis();
    let hostile = "f<\"a\", b>\r\n\x1b[31m;=SUM(1,2)\u{1f980}";
    let shown = "f<\"a\", b>\u{fffd}\u{fffd}\u{fffd}[31m;=SUM(1,2)\u{1f980}";
    for place in &mut analysis.places {
        place.function = Some(hostile.to_owned());
    }
    analysis.calls.period_ns = 1000;
    analysis.calls.nodes = vec![node(None, hostile, 0, 3), node(Some(0), "inner", 3, 3)];
    let read = tables(&analysis, &tools, &recording);
    let regions = read["regions.csv"].as_array().unwrap();
    assert_eq!(regions.len(), analysis.summary.regions.len());
    for (row, region) in regions.iter().zip(&analysis.summary.regions) {
        assert_eq!(row["function"], shown);
        assert_eq!(row["wall_ns"], region.wall_ns.to_string());
        assert_eq!(row["gain_ns"], region.gain.total_ns().to_string());
    }
    let locks = &read["locks.csv"];
    assert_eq!(locks[0]["kind"], "critical");
    assert_eq!(locks[0]["wait_ns"], analysis.summary.mutexes[0].wait_ns.to_string());
    assert_eq!(read["samples.csv"][0]["callers"], shown);
    assert_eq!(read["samples.csv"][0]["own_ns"], "3000");
    let names: Vec<_> = read.as_object().unwrap().keys().collect();
    assert_eq!(names.len(), 20, "{names:?}");
}

#[test]
fn the_values_of_tasks_reach_documents_and_tables() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/tasks_tree.c") else { return };
    let analysis = recording.analysis();
    let document = valid_document(&analysis, &tools, &recording);
    let rows = &tables(&analysis, &tools, &recording)["tasks.csv"];
    for (position, tasks) in analysis.summary.tasks.iter().enumerate() {
        let (row, value) = (&rows[position], &document["tasks"][position]);
        assert_eq!(value["creating_ns"].as_u64(), tasks.creating_ns);
        assert_eq!(value["waits_ns"], tasks.waits_ns);
        assert_eq!(row["creating_ns"], value["creating_ns"].to_string().replace("null", ""));
        assert_eq!(row["waits_ns"], value["waits_ns"].to_string());
    }
    assert!(analysis.summary.tasks.iter().any(|tasks| tasks.creating_ns > Some(0)));
    let tasking = analysis.summary.regions.iter().find_map(|region| region.tasking).unwrap();
    let regions = document["regions"].as_array().unwrap();
    let shown = regions.iter().map(|region| &region["tasking"]["parallelism"]);
    let shown: Vec<f64> =
        shown.flat_map(|tenths| tenths.as_array()).flatten().filter_map(Value::as_f64).collect();
    for (shown, expected) in shown.iter().zip(tasking.parallelism) {
        // Decimals round.
        assert!((shown - expected).abs() < 1e-9, "{shown} {expected}");
    }
    assert!(shown.len() >= 10);
}

#[test]
fn target_constructs_are_in_every_output() {
    let Some(tools) = Tools::find() else { return };
    let source = "tests/profiler/offload/copies.c";
    let Some(recording) = Recording::offloading(source) else { return };
    let analysis = recording.analysis();
    let document = valid_document(&analysis, &tools, &recording);
    let offload = &document["offload"];
    assert_eq!(sum(&offload["constructs"], "kernels"), 20, "{offload}");
    assert_eq!(sum(&offload["transfers"], "bytes"), 40 << 23, "{offload}");
    assert_eq!(offload["repeated"][0]["variable"], "grid", "{offload}");
    let read = tables(&analysis, &tools, &recording);
    let row = &read["target_constructs.csv"][0];
    let file = row["file"].as_str().unwrap();
    assert!(file.ends_with(source) && row["calls"] == "20", "{row}");
    assert_eq!(read["transfers.csv"].as_array().unwrap().len(), 2, "{read}");
    assert_eq!(read["repeated_transfers.csv"][0]["count"], "19", "{read}");
    let categories = &trace(&analysis, Extent::default(), &tools, &recording)["slices"];
    assert_eq!(categories["target"][0], 20, "{categories}");
    assert_eq!(categories["kernel"][0], 20, "{categories}");
    let threads = profile(&analysis, &tools, &recording);
    assert_eq!(threads[0]["markers"]["target"][0], 20, "{threads:?}");
    assert_eq!(threads[0]["markers"]["kernel"][0], 20, "{threads:?}");
}

#[test]
fn only_programs_with_devices_have_them_in_outputs() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of(PROGRAMS[0]) else { return };
    let analysis = recording.analysis();
    assert!(document(&analysis).get("offload").is_none());
    assert!(tables(&analysis, &tools, &recording).get("transfers.csv").is_none());
}

#[test]
fn hot_code_reaches_documents_and_tables() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let mut analysis = recording.analysis();
    let code = |function: &str, samples| HotCode {
        function: function.to_owned(),
        module: Some("known".to_owned()),
        line: Some(("known.c".to_owned(), 7)),
        samples,
        serial: 1,
        ..HotCode::default()
    };
    let region = analysis.summary.regions[0].site;
    analysis.summary.sampled = Some(Sampled {
        taken: 9,
        incomplete: 2,
        lost: 3,
        period_ns: 1000,
        code: vec![code("solve", 8)],
        stretches: vec![HotStretch {
            after: region,
            samples: 1,
            code: vec![code("read\x1b", 1)],
            ..HotStretch::default()
        }],
    });
    let document = valid_document(&analysis, &tools, &recording);
    let sampled = &document["sampled"];
    assert_eq!((&sampled["taken"], &sampled["incomplete"]), (&9.into(), &2.into()));
    assert_eq!(sampled["code"][0]["function"], "solve");
    assert_eq!(sampled["serial"][0]["after"]["id"], document["regions"][0]["place"]["id"]);
    assert_eq!(sampled["serial"][0]["before"], Value::Null);
    let rows = &tables(&analysis, &tools, &recording)["hot_code.csv"];
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["part"], &rows[0]["ns"]), (&"run".into(), &"8000".into()));
    assert_eq!(
        (&rows[1]["part"], &rows[1]["function"]),
        (&"serial stretch".into(), &"read\u{fffd}".into())
    );
    assert_eq!(rows[1]["after"], document["regions"][0]["place"]["label"]);
    analysis.summary.sampled = None;
    assert_eq!(valid_document(&analysis, &tools, &recording)["sampled"], Value::Null);
}

#[test]
fn a_scale_has_a_document_of_its_own() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let analysis = recording.analysis();
    let run = |threads| Measured::of(threads, &analysis.summary, &analysis.places);
    let scale = Scale::of(vec![run(1), run(2), run(4)], 2).unwrap();
    let mut bytes = Vec::new();
    json::write_scale(&scale, PRODUCER, &mut bytes).unwrap();
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    validate_by(json::SCALE_SCHEMA, &document, &tools, &recording).unwrap();
    assert!(validate(&document, &tools, &recording).is_err(), "it is no document of a process");
    assert_eq!((&document["document"], &document["judged"]), (&"scale".into(), &1.into()));
    assert_eq!(document["points"][2]["beyond_processors"], true);
    // The same run thrice: nothing became faster, and half of the time is beyond the ideal.
    let point = &document["points"][1];
    let wall = analysis.summary.header.recorded_ns as f64;
    let lost: Vec<f64> = point["lost"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["wall_ns"].as_f64().unwrap())
        .collect();
    assert!((lost.iter().sum::<f64>() - wall / 2.0).abs() < 1e3, "{point}");
    let regions = document["regions"].as_array().unwrap();
    assert_eq!(regions.len(), analysis.summary.regions.len());
    assert!(regions.iter().all(|region| region["line"].is_u64()), "{regions:#?}");
}

#[test]
fn a_job_has_a_document_and_tables_of_its_own() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let analysis = recording.analysis();
    let process = |number: u32, outside_ns: u64| {
        let rank = Some(Rank { number, size: Some(4), job: "a".to_owned() });
        let by_call = [("MPI_Wait\x1b".to_owned(), 1)].into();
        let mpi = MpiShare {
            ns: outside_ns / 10,
            outside_in_mpi: 1,
            inside_in_mpi: 0,
            by_call,
            timed: None,
        };
        let target = JobTarget {
            place: None,
            kind: TargetKind::Update,
            processes: 1,
            calls: 2,
            unfinished: 0,
            time_ns: outside_ns,
            max_ns: outside_ns,
            slowest: 0,
            kernels: 0,
            kernel_ns: Some(0),
            to_bytes: 80,
            from_bytes: 0,
        };
        let targets = vec![target];
        Brief { rank, outside_ns, mpi: Some(mpi), targets, ..Brief::new(&analysis) }
    };
    let second = 1_000_000_000;
    let job = Job::new(vec![process(2, second), process(0, 0), process(1, 9 * second)]);
    let recordings = [0, 1, 2].map(|number| format!("rank-{number}.oxp"));
    let warnings = ["rank 2 was killed".to_owned()];
    let facts = JobFacts { warnings: &warnings, commands: &[], recordings: &recordings };
    let mut bytes = Vec::new();
    json::write_job(&job, facts, PRODUCER, &mut bytes).unwrap();
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    validate_by(json::JOB_SCHEMA, &document, &tools, &recording).unwrap();
    assert!(validate(&document, &tools, &recording).is_err(), "it is no document of a process");
    assert_eq!((&document["document"], &document["ranks"]), (&"job".into(), &4.into()));
    assert_eq!(document["missing_ranks"], serde_json::json!([3]));
    assert_eq!(
        (&document["between"]["slowest"], &document["between"]["fastest"]),
        (&1.into(), &0.into())
    );
    assert_eq!(document["processes"][2]["recording"], "rank-2.oxp");
    assert_eq!(document["mpi"][0]["most"], 1);
    let change = &document["advice"]["changes"][0];
    assert!(change["gain_ns"].as_u64() > Some(0), "{document}");
    assert_eq!(change["error_ns"].is_null(), document["bounds_hold"].as_bool().unwrap());
    let cost_ns = analysis.summary.quality.recording_ns();
    assert_eq!(document["recording_ns"], 3 * cost_ns);
    assert_eq!(document["processes"][0]["recording_ns"], cost_ns);
    let sum = |name: &str| sum(&document["processes"], name);
    assert_eq!(document["total_ns"].as_u64(), Some(sum("total_ns")));
    let calls: u64 = analysis.summary.regions.iter().map(|region| region.calls).sum();
    assert_eq!(self::sum(&document["regions"], "calls"), 3 * calls);

    let target = &document["target_constructs"][0];
    let numbers = ["calls", "to_bytes", "processes", "slowest"].map(|name| target[name].as_u64());
    assert_eq!(numbers, [Some(6), Some(240), Some(3), Some(1)], "{target}");

    let folder = recording.folder.path().join("job");
    fs::create_dir(&folder).unwrap();
    for table in job_tables(&job) {
        let mut file = fs::File::create(folder.join(table.file)).unwrap();
        table.write(&job, &recordings, &mut file).unwrap();
    }
    let read = tools.script("read_csv.py", &[&folder]).unwrap();
    let processes = read["processes.csv"].as_array().unwrap();
    assert_eq!(processes.len(), 3);
    for (row, value) in processes.iter().zip(document["processes"].as_array().unwrap()) {
        for (column, property) in
            [("rank", "/rank"), ("mpi_ns", "/mpi_ns"), ("useful_ns", "/classes/useful_ns")]
        {
            assert_eq!(row[column], value.pointer(property).unwrap().to_string(), "{column}");
        }
    }
    assert_eq!(read["regions.csv"][0]["wall_ns"], document["regions"][0]["wall_ns"].to_string());
    let row = &read["target_constructs.csv"][0];
    assert_eq!((&row["kind"], &row["to_bytes"]), (&"update".into(), &"240".into()));
    assert_eq!(row["time_ns"], target["time_ns"].to_string());
    assert_eq!(read["mpi.csv"][0]["function"], "MPI_Wait\u{fffd}");
}

fn node(caller: Option<u32>, function: &str, own: u64, total: u64) -> CallNode {
    CallNode {
        caller,
        function: function.to_owned(),
        line: Some(("known.c".to_owned(), 7)),
        module: Some("known".to_owned()),
        region: false,
        library: false,
        python: false,
        own,
        total,
    }
}

/// An analysis with three samples of a function and one of its caller.
fn with_samples(recording: &Recording) -> Analysis {
    let mut analysis = recording.analysis();
    let thread = analysis.model.threads[0].clone();
    analysis.calls.period_ns = 100_000;
    analysis.calls.nodes = vec![node(None, "outer_one", 1, 4), node(Some(0), "inner_one", 3, 3)];
    analysis.calls.samples = [1, 1, 0, 1]
        .into_iter()
        .zip(1..)
        .map(|(node, at)| Sample {
            thread: thread.number,
            time_ns: thread.begin + at * 100_000,
            node,
        })
        .collect();
    analysis
}

#[test]
fn samples_reach_the_consumers() {
    let Some(tools) = Tools::find() else { return };
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let analysis = with_samples(&recording);
    assert_eq!(trace(&analysis, Extent::default(), &tools, &recording)["samples"], 4);
    let threads = profile(&analysis, &tools, &recording);
    let functions = threads[0]["functions"].as_array().unwrap();
    let samples = |name: &str| {
        let found = functions.iter().find(|function| function["name"] == name);
        let found = found.unwrap_or_else(|| panic!("no {name} in {functions:?}"));
        (found["selfSamples"].as_u64(), found["totalSamples"].as_u64())
    };
    assert_eq!(samples("inner_one"), (Some(3), Some(3)));
    assert_eq!(samples("outer_one"), (Some(1), Some(4)));
    let document = valid_document(&analysis, &tools, &recording);
    assert_eq!(document["calls"]["nodes"][1]["own"], 3);
}
