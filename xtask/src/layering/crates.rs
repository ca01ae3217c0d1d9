//! The arrows between crates, and how many crates of others the runtime may contain.

use std::collections::BTreeSet;

use oxomp_build::workspace::{DependencyKind, Member, Workspace};

use super::breach::{Breach, line_of};

/// Every crate of ours with those it may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("oxomp-sys", &[]),
    ("oxomp-ompd-layout", &[]),
    ("oxomp-protocol", &[]),
    ("oxomp-arch", &["oxomp-sys"]),
    ("oxomp-base", &["oxomp-sys", "oxomp-ompd-layout", "oxomp-protocol", "oxomp-arch"]),
    (
        "oxomp-core",
        &["oxomp-sys", "oxomp-ompd-layout", "oxomp-protocol", "oxomp-arch", "oxomp-base"],
    ),
    ("oxomp-argument", &["oxomp-sys"]),
    ("oxomp-abi", &["oxomp-sys", "oxomp-argument", "oxomp-arch", "oxomp-base", "oxomp-core"]),
    ("libomp", &["oxomp-abi"]),
    ("oxomp-debuggee", &["oxomp-sys", "oxomp-ompd-layout"]),
    ("libompd", &["oxomp-sys", "oxomp-ompd-layout", "oxomp-debuggee"]),
    (
        "oxomp-explain",
        &[
            "oxomp-sys",
            "oxomp-arch",
            "oxomp-ompd-layout",
            "oxomp-debuggee",
            "oxomp-inspect",
            "oxomp-symbols",
            "oxomp-text",
        ],
    ),
    ("oxomp-target", &["oxomp-arch", "oxomp-protocol", "oxomp-sys"]),
    ("oxomp-target-host", &["oxomp-arch", "oxomp-sys", "oxomp-target"]),
    ("oxomp-target-gcc", &["oxomp-protocol", "oxomp-sys", "oxomp-target"]),
    ("oxomp-target-cuda", &["oxomp-sys", "oxomp-target"]),
    (
        "libomptarget",
        &[
            "oxomp-sys",
            "oxomp-argument",
            "oxomp-target",
            "oxomp-target-host",
            "oxomp-target-gcc",
            "oxomp-target-cuda",
        ],
    ),
    ("ompt", &["ompt-macros", "oxomp-sys"]),
    ("ompt-macros", &[]),
    ("oxomp-trace", &[]),
    ("oxomp-collect", &["ompt", "oxomp-arch", "oxomp-sys", "oxomp-trace"]),
    ("oxomp-recorder", &["ompt"]),
    ("oxomp-mpi", &["oxomp-sys"]),
    ("oxomp-multiplex", &["ompt"]),
    ("oxomp-event-order", &["oxomp-sys"]),
    ("oxomp-probe", &["oxomp-arch", "oxomp-event-order", "oxomp-sys"]),
    ("oxomp-symbols", &["oxomp-arch"]),
    ("oxomp-ptrace", &["oxomp-arch"]),
    ("oxomp-inspect", &["oxomp-arch", "oxomp-ompd-layout", "oxomp-symbols", "oxomp-ptrace"]),
    ("oxomp-text", &[]),
    ("oxomp-analysis", &["oxomp-arch", "oxomp-symbols", "oxomp-text", "oxomp-trace"]),
    ("oxomp-export", &["oxomp-analysis", "oxomp-scale", "oxomp-trace"]),
    ("oxomp-html", &["oxomp-analysis", "oxomp-scale", "oxomp-trace"]),
    ("oxomp-compare", &["oxomp-analysis", "oxomp-text", "oxomp-trace"]),
    ("oxomp-scale", &["oxomp-analysis", "oxomp-compare", "oxomp-text"]),
    ("oxomp-replay", &["oxomp-analysis", "oxomp-text"]),
    (
        "oxomp",
        &[
            "oxomp-analysis",
            "oxomp-arch",
            "oxomp-compare",
            "oxomp-explain",
            "oxomp-export",
            "oxomp-html",
            "oxomp-inspect",
            "oxomp-replay",
            "oxomp-scale",
            "oxomp-sys",
            "oxomp-text",
            "oxomp-trace",
        ],
    ),
    ("oxomp-prerequisites", &[]),
    (
        "oxomp-testing",
        &[
            "oxomp-sys",
            "oxomp-arch",
            "oxomp-ompd-layout",
            "oxomp-debuggee",
            "oxomp-event-order",
            "oxomp-prerequisites",
        ],
    ),
    ("oxomp-build", &["oxomp-prerequisites"]),
    ("xtask", &["oxomp-build", "oxomp-sys", "oxomp-prerequisites", "oxomp-testing"]),
];

/// The crates that any crate may use in its tests.
const FOR_TESTS: [&str; 2] = ["oxomp-prerequisites", "oxomp-testing"];

/// The crates that may use clap: the command line's parser goes no deeper.
const CLAP_USERS: [&str; 3] = ["oxomp", "oxomp-build", "xtask"];

/// How many crates of others libomp.so may contain.
const RUNTIME_BUDGET: usize = 4;

/// Checks the dependency sections of each Cargo.toml of ours.
pub fn check(members: &[Member]) -> Vec<Breach> {
    let ours = |name: &str| members.iter().any(|member| member.name == name);
    let mut breaches = Vec::new();
    for member in members {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == member.name) else {
            breaches.push(Breach {
                file: member.manifest.clone(),
                line: line_of(&member.manifest, "name"),
                rule: format!("`{}` has no line in the table of crates", member.name),
            });
            continue;
        };
        for dependency in &member.dependencies {
            let name = dependency.name.as_str();
            let for_tests = dependency.kind == DependencyKind::Dev && FOR_TESTS.contains(&name);
            let rule = if ours(name) && !allowed.contains(&name) && !for_tests {
                let list =
                    if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
                format!("`{}` may depend on {list}, not on `{name}`", member.name)
            } else if name == "clap" && !CLAP_USERS.contains(&member.name.as_str()) {
                format!("`{}` may not use clap: it stops at the command line", member.name)
            } else {
                continue;
            };
            let line = line_of(&member.manifest, name);
            breaches.push(Breach { file: member.manifest.clone(), line, rule });
        }
    }
    breaches
}

/// The crates of ours that `name` may depend on, directly or by others.
pub fn below(name: &str) -> BTreeSet<&'static str> {
    let direct = |name: &str| {
        let line = ARROWS.iter().find(|(of, _)| *of == name);
        line.into_iter().flat_map(|(_, used)| used.iter().copied())
    };
    let mut found: BTreeSet<&'static str> = direct(name).collect();
    let mut pending: Vec<&'static str> = found.iter().copied().collect();
    while let Some(user) = pending.pop() {
        pending.extend(direct(user).filter(|used| found.insert(*used)));
    }
    found
}

/// Checks that the runtime links at most as many foreign crates as the budget allows.
pub fn check_budget(workspace: &Workspace) -> Option<Breach> {
    let inside = workspace.third_party("libomp");
    (inside.len() > RUNTIME_BUDGET).then(|| Breach {
        file: workspace.root.join("crates/libomp/Cargo.toml"),
        line: 1,
        rule: format!(
            "libomp contains {} crates of others, {RUNTIME_BUDGET} are allowed: {}",
            inside.len(),
            inside.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{DependencyKind, Member, check};
    use oxomp_build::workspace::Dependency;

    fn member(name: &str, dependencies: &[(&str, DependencyKind)]) -> Member {
        Member {
            name: name.to_owned(),
            manifest: PathBuf::from(format!("/crates/{name}/Cargo.toml")),
            dependencies: dependencies
                .iter()
                .map(|(name, kind)| Dependency { name: (*name).to_owned(), kind: *kind })
                .collect(),
        }
    }

    #[test]
    fn arrows_as_drawn_pass() {
        let members = [
            member("oxomp-sys", &[("libc", DependencyKind::Normal)]),
            member("oxomp-core", &[("oxomp-sys", DependencyKind::Normal)]),
            member("oxomp-testing", &[]),
            member("oxomp-trace", &[("oxomp-testing", DependencyKind::Dev)]),
        ];
        assert_eq!(check(&members), []);
    }

    #[test]
    fn an_arrow_upwards_is_named() {
        let members = [
            member("oxomp-core", &[("oxomp-abi", DependencyKind::Normal)]),
            member("oxomp-abi", &[]),
        ];
        let breaches = check(&members);
        assert_eq!(breaches.len(), 1);
        assert!(breaches[0].rule.contains("not on `oxomp-abi`"), "{}", breaches[0]);
        assert!(breaches[0].file.ends_with("oxomp-core/Cargo.toml"));
    }

    #[test]
    fn the_tools_do_not_import_the_runtime_even_for_tests() {
        let members =
            [member("ompt", &[("oxomp-core", DependencyKind::Dev)]), member("oxomp-core", &[])];
        assert_eq!(check(&members).len(), 1);
    }

    #[test]
    fn clap_stops_at_the_command_line() {
        let members = [
            member("oxomp", &[("clap", DependencyKind::Normal)]),
            member("oxomp-analysis", &[("clap", DependencyKind::Normal)]),
        ];
        let breaches = check(&members);
        assert_eq!(breaches.len(), 1);
        assert!(breaches[0].rule.starts_with("`oxomp-analysis` may not use clap"));
    }

    #[test]
    fn a_crate_without_a_line_is_named() {
        assert!(check(&[member("oxomp-new", &[])])[0].rule.contains("no line in the table"));
    }
}
