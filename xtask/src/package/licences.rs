//! What a stage is made of, and under which licences: a list of its crates in SPDX's form, beside
//! the texts of [`notices`].

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_build::dist;
use oxomp_build::workspace::{External, Workspace};
use serde_json::{Value, json};

use super::architecture::Architecture;
use super::notices;
use super::release::Release;

/// The folder of a stage that has the documents.
const FOLDER: &str = "share/doc/oxomp";

/// Writes `oxomp.spdx.json` and `THIRD-PARTY.txt`. `unwinder` is the licence of the unwinder that
/// the linker adds.
pub(super) fn write(
    workspace: &Workspace,
    architecture: Architecture,
    release: &Release,
    unwinder: &Path,
    stage: &Path,
) -> Result<()> {
    let crates: BTreeSet<External> =
        dist::packaged().flat_map(|root| workspace.externals(root)).collect();
    let folder = stage.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let list = list(&crates, architecture, release, &version_of_rust()?)?;
    fs::write(folder.join("oxomp.spdx.json"), list)?;
    let notices = notices::text(&crates, &workspace.root, unwinder)?;
    fs::write(folder.join("THIRD-PARTY.txt"), notices)?;
    Ok(())
}

fn version_of_rust() -> Result<String> {
    let text = command::capture(Command::new("rustc").arg("--version"))?;
    text.split_whitespace().nth(1).map(str::to_owned).context("`rustc --version` has no version")
}

fn list(
    crates: &BTreeSet<External>,
    architecture: Architecture,
    release: &Release,
    rust: &str,
) -> Result<String> {
    let own = package("oxomp", &release.version, "MIT OR Apache-2.0", None);
    let rust = package("rust-std", rust, "MIT OR Apache-2.0", None);
    let unwinder = package("llvm-libunwind", "", "Apache-2.0 WITH LLVM-exception", None);
    let mut packages = vec![own, rust, unwinder];
    for External { name, version, licence, .. } in crates {
        if licence.is_empty() {
            bail!("the crate {name} {version} names no licence");
        }
        let purl = format!("pkg:cargo/{name}@{version}");
        // A slash between licences is the older form of OR.
        packages.push(package(name, version, &licence.replace('/', " OR "), Some(&purl)));
    }
    let relationships: Vec<Value> = packages
        .iter()
        .enumerate()
        .map(|(index, package)| {
            let (from, kind) =
                if index == 0 { ("DOCUMENT", "DESCRIBES") } else { ("oxomp", "CONTAINS") };
            json!({
                "spdxElementId": format!("SPDXRef-{from}"),
                "relationshipType": kind,
                "relatedSpdxElement": package["SPDXID"],
            })
        })
        .collect();
    let name = release.name(architecture.name());
    let list = json!({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": format!("urn:oxomp:spdx:{name}"),
        "creationInfo": {
            "created": release.time()?,
            "creators": ["Tool: cargo xtask package"],
        },
        "packages": packages,
        "relationships": relationships,
    });
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

fn package(name: &str, version: &str, licence: &str, purl: Option<&str>) -> Value {
    let id = match purl {
        Some(_) => format!("SPDXRef-crate-{name}-{version}").replace(['_', '+'], "-"),
        None => format!("SPDXRef-{name}"),
    };
    let mut package = json!({
        "name": name,
        "SPDXID": id,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": false,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    });
    if !version.is_empty() {
        package["versionInfo"] = version.into();
    }
    if let Some(purl) = purl {
        package["externalRefs"] = json!([{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": purl,
        }]);
    }
    package
}
