//! The Python module `oxomp`: the files of `packaging/python`, and those that are made of the
//! schemas of `oxomp report --json`.

mod document;
mod tables;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use oxomp_build::dist::Dist;
use oxomp_build::workspace::Workspace;
use serde_json::Value;

/// A schema, and what is made of it.
struct Made {
    /// The schema's name below `crates/oxomp-export/schema`.
    schema: &'static str,
    /// The module of the document's types, and the name of the type of all of it.
    document: (&'static str, &'static str),
    /// The module of the tables, and the name of its class.
    tables: (&'static str, &'static str),
}

const MADE: [Made; 2] = [
    Made {
        schema: "oxomp-report-1.schema.json",
        document: ("document", "Summary"),
        tables: ("run_tables", "RunTables"),
    },
    Made {
        schema: "oxomp-job-1.schema.json",
        document: ("job_document", "JobSummary"),
        tables: ("job_tables", "JobTables"),
    },
];

/// Writes the files that are made of the schemas into `module`, and returns their paths.
pub(crate) fn write_made(workspace: &Workspace, module: &Path) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    let mut write = |name: &str, text: String| -> Result<()> {
        let path = module.join(name).with_extension("py");
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        written.push(path);
        Ok(())
    };
    for made in MADE {
        let path = workspace.root.join("crates/oxomp-export/schema").join(made.schema);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let schema: Value = serde_json::from_str(&text).context(made.schema)?;
        let (document, root) = made.document;
        let (tables, class) = made.tables;
        write(document, document::module(&schema, root))?;
        write(tables, tables::module(&schema, document, class))?;
    }
    Ok(written)
}

/// Copies the module without its files that are made, programs and libraries, to `module`.
fn copy_sources(workspace: &Workspace, module: &Path) -> Result<()> {
    let from = workspace.root.join("packaging/python/oxomp");
    fs::create_dir_all(module)?;
    for entry in fs::read_dir(&from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        if path.is_file() {
            let name = path.file_name().context("a file has a name")?;
            fs::copy(&path, module.join(name)).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Puts the module together for tests, with the command and the libraries of `built`, in place of
/// what `folder` had. Python finds it there, with a version of its own, 0.
pub(crate) fn put_together(workspace: &Workspace, built: &Dist, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let module = folder.join("oxomp");
    copy_sources(workspace, &module)?;
    write_made(workspace, &module)?;
    let bin = built.command();
    let bin = bin.parent().context("the command has a folder")?;
    symlink(bin, module.join("bin"))?;
    symlink(built.lib(), module.join("lib"))?;
    let facts = folder.join("oxomp-0.dist-info");
    fs::create_dir(&facts)?;
    fs::write(facts.join("METADATA"), "Metadata-Version: 2.1\nName: oxomp\nVersion: 0\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use oxomp_build::dist::Dist;
    use oxomp_build::workspace::Workspace;
    use oxomp_prerequisites::Program;

    #[test]
    fn python_finds_the_module_and_the_module_the_command() {
        let workspace = Workspace::load().expect("the workspace");
        let folder = tempfile::tempdir().expect("a folder");
        let built = Dist { root: folder.path().join("dist") };
        for _again in 0..2 {
            super::put_together(&workspace, &built, &folder.path().join("python"))
                .expect("the module");
        }
        let program = "import oxomp\ntry: oxomp.read('run.oxp')\nexcept oxomp.Error as it: \
                       print(oxomp.__version__, it, end='')";
        let mut python = Program::Python.command();
        python.args(["-c", program]).env("PYTHONPATH", folder.path().join("python"));
        let output = python.output().expect("Python");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("0 cannot start ") && said.contains("bin/oxomp"), "{output:?}");
    }
}
