//! The pictures of the book: pages of recordings as a browser shows them.
//!
//! The programs are recorded on the machine that draws, so two runs differ in their figures. A
//! picture is drawn anew when the page for browsers, or the text beside the picture, has changed.

use std::env;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_build::dist;
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{Prerequisite, Program};

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
    /// The sections of the page that it shows, by their ids; [`HEAD`] for what stands above them.
    sections: &'static [&'static str],
}

/// What stands above the sections of a page.
const HEAD: &str = "head";

/// The sections that a reader sees first.
const FIRST: &[&str] = &[HEAD, "verdict", "budget", "timeline"];

/// The timeline alone.
const TIMELINE: &[&str] = &["timeline"];

/// All pictures.
const PICTURES: &[Picture] = &[
    Picture { name: "page", source: "solver.c", sections: FIRST },
    Picture { name: "timeline", source: "solver.c", sections: TIMELINE },
    Picture { name: "image", source: "afternoon/image.cpp", sections: FIRST },
];

/// The window of the browser: as wide as a picture, and higher than one. What is empty below the
/// sections is cut off.
const WINDOW: &str = "1200,2400";

/// The files in the folder of pictures that are not drawn here, and the pictures that it lacks.
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
    Ok(unknown.chain(missing).collect())
}

/// Draws all pictures, each from a recording of its own.
pub(super) fn draw(workspace: &Workspace) -> Result<()> {
    let needed = [Program::Gcc, Program::Gxx, Program::Gfortran, Program::Chromium];
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
        let scratch = tempfile::tempdir()?;
        let page = record(workspace, picture, &oxomp, scratch.path())?;
        let shown = scratch.path().join("shown.html");
        fs::write(&shown, with_sections(&fs::read_to_string(&page)?, picture.sections)?)?;
        let whole = scratch.path().join("whole.png");
        photograph(&shown, &whole, scratch.path())?;
        let place = folder.join(picture.name).with_extension("png");
        cut(&whole, &place)?;
        println!("{}", place.display());
    }
    Ok(())
}

/// Compiles and records a program in `scratch`, and returns the page of the recording.
fn record(
    workspace: &Workspace,
    picture: &Picture,
    oxomp: &Path,
    scratch: &Path,
) -> Result<PathBuf> {
    let source = workspace.root.join("examples").join(picture.source);
    let name = source.file_stem().context("a program's name")?;
    let compiler = match source.extension().and_then(|extension| extension.to_str()) {
        Some("c") => Program::Gcc,
        Some("cpp") => Program::Gxx,
        Some("f90") => Program::Gfortran,
        _ => bail!("{}: no compiler is known for it", source.display()),
    };
    let mut compile = compiler.command();
    compile.current_dir(scratch).args(["-g", "-O2", "-fopenmp"]).arg(&source);
    command::run(compile.arg("-o").arg(name).arg("-lm"))?;
    let mut profile = before_others(oxomp);
    profile.current_dir(scratch).args(["profile", "-o", "recording", "--"]);
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
fn photograph(from: &Path, to: &Path, scratch: &Path) -> Result<()> {
    let mut browser = Program::Timeout.command();
    browser.args(["120", Program::Chromium.text(), "--headless", "--no-sandbox", "--disable-gpu"]);
    browser.args(["--hide-scrollbars", "--force-device-scale-factor=1"]);
    browser.arg(format!("--window-size={WINDOW}")).arg("--virtual-time-budget=5000");
    browser.arg(format!("--user-data-dir={}", scratch.join("browser").display()));
    browser.arg(format!("--screenshot={}", to.display()));
    browser.arg(format!("file://{}", from.display())).stderr(Stdio::null());
    command::run(&mut browser)
}

/// Writes the picture `from` to `to` without the rows at its end that are all of one colour.
fn cut(from: &Path, to: &Path) -> Result<()> {
    let read = File::open(from).with_context(|| from.display().to_string())?;
    let mut reader = png::Decoder::new(BufReader::new(read)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().context("a picture that is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    let rows = rows_with_content(&pixels[..info.buffer_size()], info.line_size);
    let rows = u32::try_from(rows).unwrap_or(info.height);
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(to)?), info.width, rows);
    encoder.set_color(info.color_type);
    encoder.set_depth(info.bit_depth);
    encoder.set_compression(png::Compression::High);
    let kept = info.line_size * usize::try_from(rows)?;
    encoder.write_header()?.write_image_data(&pixels[..kept])?;
    Ok(())
}

/// How many rows of `pixels` remain without those at the end that are like the last one, but for
/// some as a margin.
fn rows_with_content(pixels: &[u8], row_bytes: usize) -> usize {
    const MARGIN: usize = 16;
    let rows: Vec<&[u8]> = pixels.chunks_exact(row_bytes).collect();
    let Some(last) = rows.last() else { return 0 };
    let empty = rows.iter().rev().take_while(|row| *row == last).count();
    (rows.len() - empty + MARGIN).min(rows.len())
}

#[cfg(test)]
mod tests {
    use super::{HEAD, rows_with_content, with_sections};

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

    #[test]
    fn empty_rows_are_cut_off() {
        let pixels: Vec<u8> = (0..100).flat_map(|row| [u8::from(row == 50), 7]).collect();
        assert_eq!(rows_with_content(&pixels, 2), 67);
        assert_eq!(rows_with_content(&pixels[..104], 2), 52);
        assert_eq!(rows_with_content(&[], 2), 0);
    }
}
