//! What a stage holds beside programs, libraries and headers: manual pages and completions, which
//! the command itself writes, files for pkg-config and CMake, and documents.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_build::dist;
use oxomp_build::workspace::Workspace;

use super::release::Release;

/// The shells, and the file of each that has the completions.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/oxomp"),
    ("zsh", "share/zsh/site-functions/_oxomp"),
    ("fish", "share/fish/vendor_completions.d/oxomp.fish"),
];

/// The documents that a stage holds. The repository's README is for those who build.
const DOCUMENTS: [&str; 4] =
    ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "packaging/python/README.md"];

/// The templates of `packaging/`, and their places. `@VERSION@` in them becomes the version.
const TEMPLATES: [(&str, &str); 5] = [
    ("oxomp.pc.in", "lib/pkgconfig/oxomp.pc"),
    ("cmake/oxompConfig.cmake", "lib/cmake/oxomp/oxompConfig.cmake"),
    ("cmake/oxompConfigVersion.cmake", "lib/cmake/oxomp/oxompConfigVersion.cmake"),
    ("cmake/oxompFolders.cmake", "lib/cmake/oxomp/oxompFolders.cmake"),
    ("cmake/oxompOpenMP.cmake", "lib/cmake/oxomp/oxompOpenMP.cmake"),
];

/// Fills the stage.
pub(super) fn fill(workspace: &Workspace, release: &Release, stage: &Path) -> Result<()> {
    // The command of the stage may be another processor's.
    let own = dist::unoptimised_command(workspace)?;
    let man = stage.join("share/man/man1");
    fs::create_dir_all(&man)?;
    command::capture(Command::new(&own).args(["generate", "man"]).arg(&man))?;
    for (shell, place) in COMPLETIONS {
        let text = command::capture(Command::new(&own).args(["generate", shell]))?;
        write(&stage.join(place), &text)?;
    }
    for (template, place) in TEMPLATES {
        let path = workspace.root.join("packaging").join(template);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        write(&stage.join(place), &text.replace("@VERSION@", &release.version))?;
    }
    for document in DOCUMENTS {
        let path = workspace.root.join(document);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let name = path.file_name().context("a document has a name")?;
        write(&stage.join("share/doc/oxomp").join(name), &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    fs::write(path, text).with_context(|| path.display().to_string())
}
