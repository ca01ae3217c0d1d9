//! The pictures of the book: pages of recordings as a browser shows them.
//!
//! The programs are recorded on the machine that draws, so two runs differ in their figures. A
//! picture is drawn anew when the page for browsers, or the text beside the picture, has changed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_build::dist;
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{Prerequisite, Program};

use super::image::Image;
use super::place::SOURCES;
use crate::packages;

/// The folder of the pictures, below that of the sources.
pub(super) const FOLDER: &str = "pictures";

/// The variable that names a command which has been built, as for the tests.
const COMMAND: &str = "OXOMP_BIN";

/// A picture.
struct Picture {
    /// Its name, without `.png`.
    name: &'static str,
    /// The program that is recorded, below `examples/`.
    source: &'static str,
    /// Options of `oxomp profile`.
    options: &'static [&'static str],
    /// How `sed` repairs the program's fault, as the page of the fault says it, which [`problems`]
    /// checks. The picture shows the repaired program below the other one.
    repair: Option<&'static str>,
    /// The sections of the page that it shows, by their ids; [`HEAD`] for what stands above them.
    sections: &'static [&'static str],
}

impl Picture {
    /// The timelines of a program of `examples/faults` with its fault and without.
    const fn of_fault(name: &'static str, source: &'static str, repair: &'static str) -> Self {
        Self { name, source, options: &[], repair: Some(repair), sections: TIMELINE }
    }
}

/// What stands above the sections of a page.
const HEAD: &str = "head";

/// The sections that a reader sees first.
const FIRST: &[&str] = &[HEAD, "verdict", "budget", "timeline"];

/// The timeline alone.
const TIMELINE: &[&str] = &["timeline"];

/// All pictures.
const PICTURES: &[Picture] = &[
    Picture { name: "page", source: "solver.c", options: &[], repair: None, sections: FIRST },
    Picture {
        name: "over-time",
        source: "drift.c",
        options: &["--slices=200ms"],
        repair: None,
        sections: &["slices"],
    },
    Picture::of_fault(
        "imbalance",
        "faults/imbalance.c",
        "s/reduction(+ : sum)/& schedule(dynamic, 100)/",
    ),
    Picture::of_fault(
        "serial",
        "faults/serial.c",
        "/double sum = 0/a #pragma omp parallel for reduction(+ : sum)",
    ),
    Picture::of_fault(
        "locks",
        "faults/locks.c",
        "s/parallel for/& reduction(+ : counts)/; /omp critical/d",
    ),
    Picture::of_fault("chunks", "faults/chunks.c", "s/schedule(dynamic)/schedule(static)/"),
];

/// The window of the browser: as wide as a picture, and higher than one. What is empty below the
/// sections is cut off.
const WINDOW: &str = "1200,2400";

/// The files in the folder of pictures that are not drawn here, the pictures that it lacks, and
/// repairs that the page of the fault does not have.
pub(super) fn problems(root: &Path) -> Result<Vec<String>> {
    let folder = root.join(SOURCES).join(FOLDER);
    let mut present = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        present.push(entry?.file_name().to_string_lossy().into_owned());
    }
    let drawn: Vec<String> = PICTURES.iter().map(|it| format!("{}.png", it.name)).collect();
    let unknown = present.iter().filter(|name| !drawn.contains(name));
    let missing = drawn.iter().filter(|name| !present.contains(name));
    let unknown = unknown.map(|name| format!("{SOURCES}/{FOLDER}/{name}: nothing draws it"));
    let missing = missing.map(|name| format!("{SOURCES}/{FOLDER}/{name}: is not drawn"));
    let mut problems: Vec<String> = unknown.chain(missing).collect();
    for Picture { name, repair, .. } in PICTURES {
        let Some(repair) = repair else { continue };
        let page = format!("{SOURCES}/faults/{name}.md");
        let text = fs::read_to_string(root.join(&page)).with_context(|| page.clone())?;
        if !text.contains(&format!("$ sed '{repair}' ")) {
            problems.push(format!("{page}: the picture is of another repair: sed '{repair}'"));
        }
    }
    Ok(problems)
}

/// Draws all pictures, each from a recording of its own.
pub(super) fn draw(workspace: &Workspace) -> Result<()> {
    let needed = [Program::Gcc, Program::Gxx, Program::Gfortran, Program::Chromium, Program::Sed];
    packages::ensure(true, &needed.map(Prerequisite::from), |_| true)?;
    let oxomp = match env::var_os(COMMAND) {
        Some(command) => std::path::absolute(command)?,
        None => {
            let folder = workspace.target.join("pictures");
            dist::build_for_profiles(workspace, folder)?.command()
        }
    };
    let folder = workspace.root.join(SOURCES).join(FOLDER);
    fs::create_dir_all(&folder)?;
    for picture in PICTURES {
        let source = workspace.root.join("examples").join(picture.source);
        let scratch = tempfile::tempdir()?;
        let mut image = photograph(&source, picture, &oxomp, scratch.path())?;
        if let Some(repair) = picture.repair {
            let repaired = scratch.path().join(source.file_name().context("a file's name")?);
            let mut sed = Program::Sed.command();
            fs::write(&repaired, command::capture(sed.arg(repair).arg(&source))?)?;
            image.append(photograph(&repaired, picture, &oxomp, scratch.path())?)?;
        }
        let place = folder.join(picture.name).with_extension("png");
        image.write(&place)?;
        println!("{}", place.display());
    }
    Ok(())
}

/// Records the program `source`, and has the browser draw what `picture` shows of it.
fn photograph(source: &Path, picture: &Picture, oxomp: &Path, scratch: &Path) -> Result<Image> {
    let page = record(source, picture.options, oxomp, scratch)?;
    let shown = scratch.join("shown.html");
    fs::write(&shown, with_sections(&fs::read_to_string(&page)?, picture.sections)?)?;
    let whole = scratch.join("whole.png");
    draw_page(&shown, &whole, scratch)?;
    Image::read(&whole)
}

/// Compiles and records a program in `scratch`, and returns the page of the recording.
fn record(source: &Path, options: &[&str], oxomp: &Path, scratch: &Path) -> Result<PathBuf> {
    let name = source.file_stem().context("a program's name")?;
    let compiler = match source.extension().and_then(|extension| extension.to_str()) {
        Some("c") => Program::Gcc,
        Some("cpp") => Program::Gxx,
        Some("f90") => Program::Gfortran,
        _ => bail!("{}: no compiler is known for it", source.display()),
    };
    let mut compile = compiler.command();
    compile.current_dir(scratch).args(["-g", "-O2", "-fopenmp"]).arg(source);
    command::run(compile.arg("-o").arg(name).arg("-lm"))?;
    let mut profile = before_others(oxomp);
    let recording = scratch.join("recording");
    if recording.exists() {
        fs::remove_dir_all(&recording)?;
    }
    profile.current_dir(scratch).env("OMP_NUM_THREADS", "2");
    profile.args(["profile", "-o", "recording"]).args(options).arg("--");
    profile.arg(Path::new(".").join(name)).stdout(Stdio::null()).stderr(Stdio::null());
    command::run(&mut profile)?;
    let mut report = Command::new(oxomp);
    report.current_dir(scratch).args(["report", "--html=page.html", "recording"]);
    command::run(&mut report)?;
    Ok(scratch.join("page.html"))
}

/// A command that runs `program` before the other programs of the machine, where that is allowed.
fn before_others(program: &Path) -> Command {
    let first = || {
        let mut chrt = Program::Chrt.command();
        chrt.args(["-r", "1"]);
        chrt
    };
    match first().arg(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status()
    {
        Ok(status) if status.success() => {
            let mut chrt = first();
            chrt.arg(program);
            chrt
        }
        _ => Command::new(program),
    }
}

/// The page with these sections only, in the light scheme.
fn with_sections(page: &str, sections: &[&str]) -> Result<String> {
    let mut text = page.replacen("<html", "<html data-theme=\"light\"", 1);
    if !sections.contains(&HEAD) {
        for element in ["<header", "<nav"] {
            text = text.replacen(element, &format!("{element} hidden"), 1);
        }
    }
    let ids = text.split("<section id=\"").skip(1).map(|rest| rest.split('"').next());
    let ids: Vec<String> = ids.flatten().map(str::to_owned).collect();
    for wanted in sections.iter().filter(|wanted| **wanted != HEAD) {
        if !ids.iter().any(|id| id == wanted) {
            bail!("the page has no section {wanted}, but {}", ids.join(", "));
        }
    }
    for id in ids.iter().filter(|id| !sections.contains(&id.as_str())) {
        let element = format!("<section id=\"{id}\"");
        text = text.replacen(&element, &format!("{element} hidden"), 1);
    }
    // The script would show it at the end of the page.
    Ok(text.replacen("<footer", "<footer hidden", 1))
}

/// Has the browser draw the page `from` as it is in a window.
fn draw_page(from: &Path, to: &Path, scratch: &Path) -> Result<()> {
    let mut browser = Program::Timeout.command();
    browser.args(["120", Program::Chromium.text(), "--headless", "--no-sandbox", "--disable-gpu"]);
    browser.args(["--hide-scrollbars", "--force-device-scale-factor=1"]);
    browser.arg(format!("--window-size={WINDOW}")).arg("--virtual-time-budget=5000");
    browser.arg(format!("--user-data-dir={}", scratch.join("browser").display()));
    browser.arg(format!("--screenshot={}", to.display()));
    browser.arg(format!("file://{}", from.display())).stderr(Stdio::null());
    command::run(&mut browser)
}

#[cfg(test)]
mod tests {
    use super::{HEAD, with_sections};

    const PAGE: &str = "<html><header>h</header><nav>n</nav><main><section id=\"a\">a</section>\
                        <section id=\"b\" c=\"d\">b</section></main><footer>f</footer></html>";

    #[test]
    fn the_other_sections_are_hidden() {
        let page = with_sections(PAGE, &["b"]).expect("the section");
        for part in ["<header hidden", "<nav hidden", "id=\"a\" hidden>a", "<footer hidden"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.contains("<section id=\"b\" c=\"d\">b") && page.contains("\"light\""));
        let page = with_sections(PAGE, &[HEAD, "a"]).expect("the section");
        assert!(
            page.contains("<header>h")
                && page.contains("\"b\" hidden c")
                && page.contains("\"a\">")
        );
        assert!(with_sections(PAGE, &["e"]).is_err());
    }
}
