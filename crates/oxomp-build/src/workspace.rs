//! The Cargo workspace as `cargo metadata` describes it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command;

/// Paths and package graph of the workspace.
#[derive(Debug)]
pub struct Workspace {
    /// The repository root.
    pub root: PathBuf,
    /// Where Cargo builds: `target/`, or what `CARGO_TARGET_DIR` says.
    pub target: PathBuf,
    metadata: Value,
}

/// The kind of a dependency, by its section of Cargo.toml.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyKind {
    /// `[dependencies]`
    Normal,
    /// `[build-dependencies]`
    Build,
    /// `[dev-dependencies]`
    Dev,
}

/// One line of a dependency section of one of our Cargo.toml files.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The package depended upon.
    pub name: String,
    /// The section it stands in.
    pub kind: DependencyKind,
}

/// The packages of `cargo xtask`.
pub const OWN: [&str; 2] = [env!("CARGO_PKG_NAME"), "xtask"];

/// Cdylibs without a test harness: their tests are the programs that load them.
const UNTESTED: [&str; 3] = ["libomp", "oxomp-probe", "oxomp-recorder"];

/// A package of this workspace.
#[derive(Clone, Debug)]
pub struct Member {
    /// The package's name.
    pub name: String,
    /// Its Cargo.toml.
    pub manifest: PathBuf,
    /// The dependencies that its Cargo.toml lists.
    pub dependencies: Vec<Dependency>,
}

/// A package from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct External {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, as an expression of SPDX; empty if its Cargo.toml has none.
    pub licence: String,
    /// Where Cargo has unpacked it.
    pub folder: PathBuf,
}

impl Member {
    /// The folder of its sources.
    pub fn source(&self) -> PathBuf {
        self.manifest.with_file_name("src")
    }
}

impl Workspace {
    /// Asks Cargo for the packages. The rest of this module needs no network once Cargo.lock's
    /// crates are fetched.
    pub fn load() -> Result<Self> {
        let root = root();
        let host = host_triple()?;
        let text = command::capture(
            cargo()
                .current_dir(root)
                .args(["metadata", "--format-version=1", "--filter-platform"])
                .arg(host),
        )?;
        let metadata: Value = serde_json::from_str(&text).context("cargo metadata is not JSON")?;
        let target = metadata["target_directory"].as_str().context("cargo metadata: no target")?;
        Ok(Self { root: root.to_path_buf(), target: PathBuf::from(target), metadata })
    }

    /// The version of the workspace's packages.
    pub fn version(&self) -> String {
        let own = self.packages().find(|package| package["name"] == env!("CARGO_PKG_NAME"));
        own.map_or_else(String::new, |package| text(&package["version"]))
    }

    /// Where Cargo puts what it builds: [`Self::target`], or a folder below for the processor that
    /// `CARGO_BUILD_TARGET` names.
    pub fn built(&self) -> PathBuf {
        match std::env::var_os("CARGO_BUILD_TARGET") {
            Some(processor) => self.target.join(processor),
            None => self.target.clone(),
        }
    }

    /// The packages of this workspace, by name.
    pub fn members(&self) -> Vec<Member> {
        let ours = self.metadata["workspace_members"].as_array().map_or(&[][..], Vec::as_slice);
        let mut members: Vec<Member> = self
            .packages()
            .filter(|package| ours.contains(&package["id"]))
            .map(|package| Member {
                name: text(&package["name"]),
                manifest: PathBuf::from(text(&package["manifest_path"])),
                dependencies: package["dependencies"]
                    .as_array()
                    .map_or_else(Vec::new, |list| list.iter().map(dependency).collect()),
            })
            .collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        members
    }

    /// The names of the packages with tests of the usual kind, but for [`OWN`]: those ask for
    /// features of other packages that the product does without, so a command of Cargo for all of
    /// them would build much of the product once more.
    pub fn tested(&self) -> Vec<String> {
        let names = self.members().into_iter().map(|member| member.name);
        names
            .filter(|name| !OWN.contains(&name.as_str()) && !UNTESTED.contains(&name.as_str()))
            .collect()
    }

    /// Whether the workspace has a package of this name.
    pub fn has_member(&self, name: &str) -> bool {
        self.members().iter().any(|member| member.name == name)
    }

    /// The names of the packages from elsewhere that end in `root`'s binary.
    pub fn third_party(&self, root: &str) -> Vec<String> {
        self.externals(root).into_iter().map(|external| external.name).collect()
    }

    /// The packages from elsewhere that end in `root`'s binary: normal dependencies, transitively,
    /// by name.
    pub fn externals(&self, root: &str) -> Vec<External> {
        let nodes = self.metadata["resolve"]["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        let package = |id: &str| self.packages().find(|package| package["id"] == id);
        let mut pending: Vec<String> = self
            .packages()
            .filter(|package| package["name"] == root && package["source"].is_null())
            .map(|package| text(&package["id"]))
            .collect();
        let mut seen = pending.clone();
        while let Some(id) = pending.pop() {
            let Some(node) = nodes.iter().find(|node| node["id"] == id.as_str()) else { continue };
            for edge in node["deps"].as_array().map_or(&[][..], Vec::as_slice) {
                let kinds = edge["dep_kinds"].as_array().map_or(&[][..], Vec::as_slice);
                let target = text(&edge["pkg"]);
                if kinds.iter().any(|kind| kind["kind"].is_null()) && !seen.contains(&target) {
                    seen.push(target.clone());
                    pending.push(target);
                }
            }
        }
        let mut externals: Vec<External> = seen
            .iter()
            .filter_map(|id| package(id))
            .filter(|package| !package["source"].is_null() && !is_proc_macro(package))
            .map(|package| External {
                name: text(&package["name"]),
                version: text(&package["version"]),
                licence: text(&package["license"]),
                folder: Path::new(&text(&package["manifest_path"])).with_file_name(""),
            })
            .collect();
        externals.sort();
        externals
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        self.metadata["packages"].as_array().map_or(&[][..], Vec::as_slice).iter()
    }
}

/// The repository's root, in which this crate was built.
pub fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).expect("the crate lies in `crates/` of the root")
}

/// A `cargo` command, the one that runs us if there is one.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The arguments by which Cargo selects the packages of these names.
pub fn packages_of(names: &[impl AsRef<str>]) -> impl Iterator<Item = &str> {
    names.iter().flat_map(|name| ["-p", name.as_ref()])
}

fn host_triple() -> Result<String> {
    let text = command::capture(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("`rustc -vV` names no host")?.to_owned())
}

fn dependency(entry: &Value) -> Dependency {
    let kind = match entry["kind"].as_str() {
        Some("dev") => DependencyKind::Dev,
        Some("build") => DependencyKind::Build,
        _ => DependencyKind::Normal,
    };
    Dependency { name: text(&entry["name"]), kind }
}

fn is_proc_macro(package: &Value) -> bool {
    package["targets"].as_array().is_some_and(|targets| {
        targets.iter().any(|target| {
            target["kind"]
                .as_array()
                .is_some_and(|kinds| kinds.iter().any(|kind| kind == "proc-macro"))
        })
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
