//! Running the tests with LLVM's runner.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_prerequisites::{File, Program};
use oxomp_testing::process::clear_environment;
use serde_json::Value;

use super::source::Tests;

/// The device: the host, as the tests name it.
const DEVICE: &str = "x86_64-pc-linux-gnu";

/// Devices for which some tests have commands too. The tests leave these out.
const OTHERS: [&str; 7] = [
    "aarch64-unknown-linux-gnu",
    "amdgcn-amd-amdhsa",
    "nvptx64-nvidia-cuda",
    "powerpc64le-ibm-linux-gnu",
    "powerpc64-ibm-linux-gnu",
    "s390x-ibm-linux-gnu",
    "x86_64-pc-linux-gnu-LTO",
];

/// A test that runs longer hangs: on a quiet machine it takes a second.
const SECONDS: &str = "60";

/// The result of one test.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The test's path below the folder of the tests.
    pub(super) test: String,
    /// LLVM's word for the result, as `PASS` or `UNSUPPORTED`.
    pub(super) code: String,
    /// What its commands printed.
    pub(super) output: String,
}

/// Runs the tests on what lies in `libraries`, `jobs` at once, in the order of their names: all, or
/// those whose path contains `only`. `folder` is scratch.
pub(super) fn run(
    tests: &Tests,
    folder: &Path,
    libraries: &Path,
    only: Option<&str>,
    jobs: usize,
) -> Result<Vec<Outcome>> {
    let site = folder.join("tests");
    fs::create_dir(&site)?;
    fs::write(site.join("lit.site.cfg"), configuration(tests, &site, libraries)?)?;
    let results = folder.join("results.json");
    let mut lit = std::process::Command::new(File::DebianPython.path());
    clear_environment(&mut lit);
    lit.arg(&tests.lit).args(["--quiet", "--no-progress-bar", "--timeout", SECONDS]);
    lit.args(["-j", &jobs.to_string()]).arg("-o").arg(&results);
    if let Some(only) = only {
        lit.arg("--filter").arg(regex_of(only));
    }
    lit.arg(&site).stdout(std::process::Stdio::null());
    command::announce(&lit);
    // lit's status says whether all tests passed; here the table decides that instead.
    lit.status().with_context(|| tests.lit.display().to_string())?;
    let text = fs::read_to_string(&results).context("the runner has written no results")?;
    let mut outcomes = outcomes(&serde_json::from_str(&text)?);
    outcomes.sort_by(|a, b| a.test.cmp(&b.test));
    Ok(outcomes)
}

/// What LLVM's build would tell the tests about compilers, libraries and the device.
fn configuration(tests: &Tests, site: &Path, libraries: &Path) -> Result<String> {
    let headers = command::capture(Program::Clang.command().arg("-print-resource-dir"))?;
    let headers = Path::new(headers.trim()).join("include");
    let tools = File::FileCheck.path().parent().context("FileCheck lies in a folder")?;
    let shown = |path: &Path| path.display().to_string();
    let texts = [
        ("bin_llvm_tools_dir", shown(tools)),
        ("test_c_compiler", Program::Clang.text().to_owned()),
        ("test_cxx_compiler", Program::Clangxx.text().to_owned()),
        ("test_fortran_compiler", Program::Flang.text().to_owned()),
        ("test_openmp_flags", "-fopenmp".to_owned()),
        ("test_extra_flags", String::new()),
        ("cuda_path", String::new()),
        ("cuda_libdir", String::new()),
        ("cuda_test_arch", String::new()),
        ("amdgpu_test_arch", String::new()),
        ("libomptarget_obj_root", shown(site)),
        ("library_dir", shown(libraries)),
        ("llvm_library_dir", shown(libraries)),
        ("llvm_library_intdir", shown(libraries)),
        ("llvm_lib_directory", shown(libraries)),
        ("omp_host_rtl_directory", shown(libraries)),
        ("omp_header_directory", shown(&headers)),
        ("operating_system", "Linux".to_owned()),
        ("libomptarget_current_target", DEVICE.to_owned()),
        ("libomptarget_filecheck", shown(File::FileCheck.path())),
        ("libomptarget_not", shown(File::Not.path())),
    ];
    let mut lines: Vec<String> =
        texts.iter().map(|(name, value)| format!("config.{name} = {value:?}")).collect();
    let devices: Vec<&str> = std::iter::once(DEVICE).chain(OTHERS).collect();
    lines.push(format!("config.libomptarget_all_targets = {devices:?}"));
    lines.push("config.test_compiler_features = ['clang']".to_owned());
    // Debian's build has OMPT, and no text for debugging.
    lines.push("config.has_libomptarget_ompt = True".to_owned());
    lines.push("config.libomptarget_debug = False".to_owned());
    lines.push("config.libomptarget_has_libc = False".to_owned());
    lines.push(format!("config.environment['LD_LIBRARY_PATH'] = {:?}", shown(libraries)));
    let main = shown(&tests.tests.join("lit.cfg"));
    lines.push(format!("lit_config.load_config(config, {main:?})\n"));
    Ok(lines.join("\n"))
}

/// A regular expression that finds `text` as it stands.
fn regex_of(text: &str) -> String {
    text.chars().flat_map(|c| [(!c.is_alphanumeric()).then_some('\\'), Some(c)]).flatten().collect()
}

/// The results of the runner's file, whose names are `SUITE :: DEVICE :: PATH`.
fn outcomes(results: &Value) -> Vec<Outcome> {
    let tests = results["tests"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    tests
        .iter()
        .map(|test| {
            let name = text(&test["name"]);
            let path = name.rsplit(" :: ").next().unwrap_or(&name).to_owned();
            Outcome { test: path, code: text(&test["code"]), output: text(&test["output"]) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{outcomes, regex_of};

    #[test]
    fn results_are_named_by_their_path() {
        let results = serde_json::json!({"tests": [
            {"name": "libomptarget :: x86 :: api/a.c", "code": "PASS", "output": ""},
        ]});
        let found = outcomes(&results);
        assert_eq!((found[0].test.as_str(), found[0].code.as_str()), ("api/a.c", "PASS"));
    }

    #[test]
    fn a_filter_is_plain_text() {
        assert_eq!(regex_of("a/b.c"), "a\\/b\\.c");
    }
}
