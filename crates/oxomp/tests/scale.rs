//! `oxomp scale` of a program with known regions that scale and that do not, with the command, the
//! runtime and the collector as `cargo xtask dist` puts them. Times are not judged: the machine may
//! be busy.

use std::fs;
use std::path::Path;

use oxomp_prerequisites::Program;
use tempfile::TempDir;

#[test]
fn a_program_of_known_regions_is_scaled() {
    let folder = TempDir::new().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler/scaling.c");
    let compiled = Program::Gcc
        .command()
        .args(["-O2", "-g", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(folder.path().join("scaling"))
        .arg(&source)
        .output()
        .expect("a compiler");
    assert!(compiled.status.success(), "{compiled:#?}");
    let oxomp = std::env::var_os("OXOMP_BIN")
        .expect("OXOMP_BIN names the command to test: run `cargo xtask test`");
    let words = ["scale", "-o", "runs", "--threads", "1,2,4", "--repeat", "1", "--json", "s.json"];
    let mut command = std::process::Command::new(oxomp);
    command.args(words).args(["--html", "s.html", "--", "./scaling"]).current_dir(folder.path());
    for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES", "OXOMP_HOME"] {
        command.env_remove(name);
    }
    let output = command.env_remove("OMP_NUM_THREADS").output().expect("the command");
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    let ran = String::from_utf8_lossy(&output.stdout);
    assert_eq!(ran, "sum 192\n".repeat(3));

    let json = fs::read_to_string(folder.path().join("s.json")).expect("the document");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let source = fs::read_to_string(&source).expect("the program");
    let lines: Vec<u64> = (1..)
        .zip(source.lines())
        .filter(|(_, line)| line.contains("omp parallel"))
        .map(|(number, _)| number)
        .collect();
    let regions = json["regions"].as_array().expect("regions");
    assert_eq!(regions.len(), 3, "{regions:#?}");
    let region = |position: usize| {
        let at = |one: &&serde_json::Value| one["line"] == lines[position];
        regions.iter().find(at).unwrap_or_else(|| panic!("{lines:?} in {regions:#?}"))
    };
    let teams = |position: usize| {
        let points = region(position)["points"].as_array().expect("points").iter();
        points.map(|point| point["most_team"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((teams(0), teams(1), teams(2)), (vec![1, 2, 4], vec![1, 2, 4], vec![2, 2, 2]));
    assert_eq!(region(2)["own_team"], 2);
    assert_eq!(region(1)["own_team"], serde_json::Value::Null);
    // The waits for the critical are the region's that has it.
    let lost_to_locks = |position: usize| {
        let parts = region(position)["points"][2]["lost"].as_array().expect("parts").clone();
        parts
            .iter()
            .any(|part| part["part"] == "locks & criticals" && part["wall_ns"].as_f64() > Some(1e6))
    };
    assert!(lost_to_locks(1) && !lost_to_locks(0) && !lost_to_locks(2), "{regions:#?}");
    // The parts of each run sum to what it takes beyond the ideal.
    let points = json["points"].as_array().expect("points");
    for point in points {
        let lost: f64 = point["lost"]
            .as_array()
            .unwrap()
            .iter()
            .map(|loss| loss["wall_ns"].as_f64().unwrap())
            .sum();
        let of = |point: &serde_json::Value, name: &str| point[name].as_f64().unwrap();
        let ideal = of(&points[0], "wall_ns") / of(point, "ideal_speed_up");
        assert!((of(point, "wall_ns") - ideal - lost).abs() < 1e3, "{point:#?}");
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let fixed = format!("(scaling.c:{}) has teams of 2 threads whatever the number", lines[2]);
    // Lines are filled.
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&fixed), "{said}");
    let page = fs::read_to_string(folder.path().join("s.html")).expect("the page");
    assert!(page.contains("teams do not grow") && page.contains("locks &amp; criticals"), "{page}");
}
