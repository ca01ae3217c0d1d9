//! Programs and libraries of Debian that were built by gcc and gfortran: FFTW, GraphicsMagick, xtb,
//! Elk.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, Program};

use crate::answers::compare;
use crate::place;
use crate::session::{Served, Session, finished};

#[test]
fn transforms_by_fftw_have_the_answers_of_its_own_runtime() {
    if !has_all(&[File::FftwHeader.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("transforms");
    finished(
        Program::Gcc
            .command()
            .args(["-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-o"])
            .arg(&program)
            .arg(place::workspace().join("tests/real/transforms.c"))
            .args(["-lfftw3_omp", "-lfftw3", "-lm"]),
    );
    Session::new(program, Served::Library).has_the_same_answers(&["libfftw3_omp"]);
}

#[test]
fn images_of_graphicsmagick_are_the_same_to_the_byte() {
    let Some(magick) = place::installed(Program::GraphicsMagick) else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("source.ppm");
    fs::write(&source, picture(400, 300)).expect("the folder is writable");
    for words in [
        "-blur 0x3",
        "-resize 53%",
        "-sharpen 0x2",
        "-median 2",
        "-rotate 17",
        "-modulate 110,80,120",
        "-despeckle",
        "-swirl 60",
        "-equalize",
        "-edge 2",
    ] {
        let image = |name: &str| {
            let made = folder.path().join(name);
            let session = Session::new(&magick, Served::Library).argument("convert");
            let session = words.split(' ').fold(session.argument(&source), Session::argument);
            (session.argument(&made), made)
        };
        let (session, theirs) = image("theirs.ppm");
        session.alone();
        let (session, ours) = image("ours.ppm");
        session.on_ours(&["libGraphicsMagick"]);
        assert!(same_bytes(&theirs, &ours), "`gm convert {words}` made another image");
    }
}

fn same_bytes(theirs: &Path, ours: &Path) -> bool {
    let bytes = |path: &Path| fs::read(path).expect("the program made an image");
    bytes(theirs) == bytes(ours)
}

/// A picture of smooth shades with noise on them, as a PPM file.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = format!("P6\n{width} {height}\n255\n").into_bytes();
    let mut noise = 1u32;
    for row in 0..height {
        for column in 0..width {
            for shade in [row * 255 / height, column * 255 / width, (row ^ column) & 255] {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                bytes.push(((shade + (noise >> 26)) / 2 + 40).min(255) as u8);
            }
        }
    }
    bytes
}

#[test]
fn energies_by_xtb_have_the_answers_of_its_own_runtime() {
    let needed = (place::installed(Program::Xtb), place::openblas());
    let (Some(program), Some(openblas)) = needed else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |name: &str, run: fn(&Session) -> String| {
        // A run would begin with what another one left behind.
        let folder = folder.path().join(name);
        fs::create_dir(&folder).expect("the folder is writable");
        fs::write(folder.join("ice.xyz"), molecules(4, 4, 3)).expect("the folder is writable");
        let session = Session::new(&program, Served::Library).within(&folder);
        let words = ["ice.xyz", "--gfn", "2", "--grad"];
        let session = words.into_iter().fold(session, Session::argument);
        energies(&run(&session.libraries(openblas)))
    };
    let theirs = run("theirs", |session| session.alone().stdout);
    let ours = run("ours", |session| session.on_ours(&["bin/xtb", "openblas"]).stdout);
    assert_eq!(theirs.lines().count(), 3, "{theirs}");
    compare(&theirs, &ours).unwrap_or_else(|reason| panic!("{reason}"));
}

/// The lines of xtb's summary; the others have times, and digits from before the convergence.
fn energies(text: &str) -> String {
    const SUMS: [&str; 3] = ["| TOTAL ENERGY ", "| GRADIENT NORM ", "| HOMO-LUMO GAP "];
    let lines = text.lines().map(str::trim_start);
    let sums = lines.filter(|line| SUMS.iter().any(|beginning| line.starts_with(beginning)));
    sums.flat_map(|line| [line, "\n"]).collect()
}

/// Aluminium, as Elk wants to be told of it: its lattice, and a grid of points that is not too
/// fine.
const ALUMINIUM: &str = "\
tasks
  0

avec
  1.0  1.0  0.0
  1.0  0.0  1.0
  0.0  1.0  1.0

scale
  3.8267

atoms
  1
  'Al.in'
  1
  0.0  0.0  0.0    0.0  0.0  0.0

sppath
  '/usr/share/elk-lapw/species/'

ngridk
  4  4  4

vkloff
  0.5  0.5  0.5
";

#[test]
fn a_ground_state_by_elk_has_the_answers_of_its_own_runtime() {
    let needed = (place::installed(Program::Elk), place::openblas());
    let (Some(program), Some(openblas)) = needed else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |name: &str, run: fn(&Session)| {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).expect("the folder is writable");
        fs::write(folder.join("elk.in"), ALUMINIUM).expect("the folder is writable");
        run(&Session::new(&program, Served::Library).within(&folder).libraries(openblas));
        ["TOTENERGY.OUT", "EFERMI.OUT"]
            .map(|file| fs::read_to_string(folder.join(file)).expect("Elk has written it"))
            .concat()
    };
    let theirs = run("theirs", |session| drop(session.alone()));
    let ours = run("ours", |session| drop(session.on_ours(&["bin/elk-lapw"])));
    assert!(theirs.lines().count() > 10, "{theirs}");
    compare(&theirs, &ours).unwrap_or_else(|reason| panic!("{reason}"));
}

/// Molecules of water on a grid, as an XYZ file (Angstrom).
fn molecules(columns: u32, rows: u32, layers: u32) -> String {
    let mut text = format!("{}\n\n", 3 * columns * rows * layers);
    for number in 0..columns * rows * layers {
        let column = number % columns;
        let row = number / columns % rows;
        let layer = number / columns / rows;
        let [x, y, z] = [column, row, layer].map(|place| 3.1 * f64::from(place));
        let side = if number % 2 == 0 { 0.76 } else { -0.76 };
        let lift = 0.02 * f64::from(number % 5);
        let atoms =
            [("O", x, y, z), ("H", x + side, y + 0.59, z), ("H", x - side, y + 0.59, z + lift)];
        for (element, x, y, z) in atoms {
            writeln!(text, "{element} {x:.4} {y:.4} {z:.4}").expect("a string grows");
        }
    }
    text
}
