//! Debian's compiler for nvptx, from its packages, in a folder of the tests. It is not installed:
//! once it is, gcc makes images of every program on the machine that has target constructs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::skip;

/// The packages: the compiler, and the assembler and linker for its code.
const PACKAGES: [&str; 2] = ["gcc-12-offload-nvptx", "nvptx-tools"];

/// Where gcc looks for its parts, below the folder.
fn parts() -> String {
    format!("usr/lib/gcc/{}-linux-gnu/12", std::env::consts::ARCH)
}

/// The compiler.
pub(crate) struct OffloadCompiler(PathBuf);

impl OffloadCompiler {
    /// The compiler, fetched by the first test that needs it; `None`, after a message, if that
    /// fails.
    pub(crate) fn find() -> Option<Self> {
        // Debian has it for some processors only: then its lists, which need no network, lack it.
        let mut is_listed = Program::AptGet.command();
        if run(is_listed.args(["--print-uris", "download"]).args(PACKAGES)).is_err() {
            eprintln!("skipped: {} is not among the packages for this machine", PACKAGES[0]);
            return None;
        }
        let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gcc-offload");
        fs::create_dir_all(&home).expect("the folder of the tests");
        let lock = File::create(home.join("lock")).expect("a file in the folder");
        // Other tests wait: it is fetched once.
        lock.lock().expect("a file that is locked");
        let folder = home.join("debian");
        if !folder.exists()
            && let Err(why) = fetch(&home, &folder)
        {
            skip(&format!("{} is not to be had: {why}", PACKAGES[0]));
            return None;
        }
        Some(Self(folder))
    }

    /// Lets the command of gcc or gfortran use the compiler.
    pub(crate) fn serve<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let programs = self.0.join("usr/bin").display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{programs}:{path}"))
            .arg(format!("-B{}/", self.0.join(parts()).display()))
            .arg("-foffload=nvptx-none")
    }
}

/// Fetches the packages into `home`, and puts their files below `folder`.
fn fetch(home: &Path, folder: &Path) -> Result<(), String> {
    let part = home.join("part");
    let _ = fs::remove_dir_all(&part);
    fs::create_dir_all(&part).map_err(|error| error.to_string())?;
    run(Program::AptGet.command().arg("download").args(PACKAGES).current_dir(&part))?;
    let files = fs::read_dir(&part).map_err(|error| error.to_string())?;
    for file in files.flatten().filter(|file| file.path().extension().is_some()) {
        run(Program::DpkgDeb.command().arg("-x").arg(file.path()).arg(part.join("debian")))?;
    }
    if !part.join("debian").join(parts()).join("accel/nvptx-none/mkoffload").exists() {
        return Err("the package is for another version of gcc".to_owned());
    }
    fs::rename(part.join("debian"), folder).map_err(|error| error.to_string())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
