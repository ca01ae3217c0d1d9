//! Programs with a planted fault, in tests/profiler/plants, and what their comments demand of a
//! profile.
//!
//! | comment | meaning |
//! |---|---|
//! | `//#Says:TEXT` | the first advice contains the text |
//! | a line that ends with ` PLANT` | the first advice names one of these lines |
//! | `//#NoLine[COMPILER, RUNTIME]` | the runtime tells no address there: no line is demanded |
//! | `//#Repair:TEXT` | what `-DREPAIRED` (a script: `REPAIRED=1`) changes, in a few words |
//! | `//#RepairedWith:NAME=VALUE` | a variable that the repaired program needs besides |
//! | `//#Advises:TEXT` | `oxomp advise` predicts a change like the repair, named by the text |
//!
//! `Says` and `Advises` may be of the programs of one compiler, `//#Says[gcc]:TEXT`, and `Says` of
//! those on one runtime: `//#Says[gcc, libomp]:TEXT`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A program with one fault.
#[derive(Debug, Clone)]
pub struct Plant {
    /// The file's name without its ending.
    pub name: String,
    /// The source file.
    pub path: PathBuf,
    /// The fault, in the words of the file's first comment.
    pub fault: String,
    /// The repair, in a few words.
    pub repair: String,
    /// A variable that the repair needs beside the changed source.
    pub variable: Option<(String, String)>,
    text: String,
}

impl Plant {
    /// Every program of the folder below `workspace`, by name.
    ///
    /// # Errors
    ///
    /// If the folder or a file cannot be read.
    pub fn all(workspace: &Path) -> io::Result<Vec<Self>> {
        let mut plants = Vec::new();
        for file in fs::read_dir(workspace.join("tests/profiler/plants"))? {
            let path = file?.path();
            let text = fs::read_to_string(&path)?;
            plants.extend(Self::read(&path, text));
        }
        plants.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(plants)
    }

    /// The program of a file; `None` if the file is only a part of one.
    fn read(path: &Path, text: String) -> Option<Self> {
        let repair = values(&text, "Repair", None).next()?.to_owned();
        let comment = text.lines().take_while(|line| !line.contains("//#")).collect::<Vec<_>>();
        let fault = comment.join(" ").replace(['/', '*', '"', '!'], " ");
        let variable = values(&text, "RepairedWith", None).find_map(|it| it.split_once('='));
        Some(Self {
            name: path.file_stem()?.to_str()?.to_owned(),
            path: path.to_owned(),
            fault: fault.split_whitespace().collect::<Vec<_>>().join(" "),
            repair,
            variable: variable.map(|(name, value)| (name.to_owned(), value.to_owned())),
            text,
        })
    }

    /// The file's name.
    #[must_use]
    pub fn file(&self) -> &str {
        self.path.file_name().and_then(OsStr::to_str).unwrap_or_default()
    }

    /// The file's ending.
    #[must_use]
    pub fn ending(&self) -> &str {
        self.path.extension().and_then(OsStr::to_str).unwrap_or_default()
    }

    /// Whether Python runs the program, with a library that is compiled.
    #[must_use]
    pub fn is_script(&self) -> bool {
        self.ending() == "py"
    }

    /// What the first advice contains if `compiler`, `gcc` or `clang`, built the program and it
    /// runs on `runtime`.
    pub fn says<'a>(&'a self, compiler: &str, runtime: &str) -> impl Iterator<Item = &'a str> {
        let on_runtime = values_of(&self.text, format!("//#Says[{compiler}, {runtime}]:"));
        values(&self.text, "Says", Some(compiler)).chain(on_runtime)
    }

    /// What the change contains that `oxomp advise` puts first, if it predicts the repair.
    pub fn advises<'a>(&'a self, compiler: &str) -> impl Iterator<Item = &'a str> {
        values(&self.text, "Advises", Some(compiler))
    }

    /// The places of the fault, as `file.c:12`; empty if none is marked.
    #[must_use]
    pub fn places(&self) -> Vec<String> {
        self.lines().map(|number| format!("{}:{number}", self.file())).collect()
    }

    /// The lines of the fault, from 1.
    fn lines(&self) -> impl Iterator<Item = u32> {
        let lines = self.text.lines().zip(1..).filter(|(line, _)| line.ends_with(" PLANT"));
        lines.map(|(_, number)| number)
    }

    /// Whether `advice` names a line of the fault: as a place, or as that of a directive whose code
    /// has another line.
    fn is_named_in(&self, advice: &str) -> bool {
        let file = format!("{}:", self.file());
        self.places().iter().any(|place| advice.contains(place))
            || advice.contains(&file)
                && self.lines().any(|line| advice.contains(&format!("(line {line}: omp")))
    }

    /// Whether `runtime` tells no address of the construct in programs of `compiler`.
    #[must_use]
    pub fn has_no_line(&self, compiler: &str, runtime: &str) -> bool {
        let title = format!("{compiler}, {runtime}");
        let told = self.text.lines().filter_map(|line| line.split_once("//#NoLine["));
        let mut told = told.filter_map(|(_, rest)| rest.split_once(']'));
        told.any(|(name, _)| name == title)
    }

    /// Judges the first advice on the program as `compiler` built it, run on `runtime`.
    ///
    /// # Errors
    ///
    /// What the advice lacks, or that it names none of the places.
    pub fn judge(&self, advice: &str, compiler: &str, runtime: &str) -> Result<(), String> {
        let is_said = |part: &str| part.split('|').any(|either| advice.contains(either));
        if let Some(part) = self.says(compiler, runtime).find(|part| !is_said(part)) {
            return Err(format!("`{part}` is not in `{advice}`"));
        }
        let places = self.places();
        let is_named = self.is_named_in(advice);
        if places.is_empty() || is_named || self.has_no_line(compiler, runtime) {
            return Ok(());
        }
        Err(format!("none of {places:?} is in `{advice}`"))
    }
}

/// The values of the directives `name` that hold for every compiler, and of those for `compiler`.
fn values<'a>(text: &'a str, name: &str, compiler: Option<&str>) -> impl Iterator<Item = &'a str> {
    let own = compiler.map(|compiler| values_of(text, format!("//#{name}[{compiler}]:")));
    values_of(text, format!("//#{name}:")).chain(own.into_iter().flatten())
}

/// What stands behind `mark` in the lines that have it.
fn values_of(text: &str, mark: String) -> impl Iterator<Item = &str> {
    text.lines().filter_map(move |line| Some(line.split_once(&mark)?.1))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Plant;

    fn plant(text: &str) -> Plant {
        Plant::read(Path::new("plants/a.c"), text.to_owned()).expect("a program")
    }

    #[test]
    fn comments_of_each_language_tell_fault_and_repair() {
        for text in [
            "/* A fault\n * here. */\n//#Says:x\n//#Repair:less\n",
            "! A fault\n! here.\n!//#Repair:less\n!//#RepairedWith:OMP_X=1\nprogram x\n",
            "\"\"\"A fault here.\"\"\"\n#//#Repair:less\n",
        ] {
            let plant = plant(text);
            assert_eq!((plant.fault.as_str(), plant.repair.as_str()), ("A fault here.", "less"));
            let variable = text.contains("OMP_X").then(|| ("OMP_X".to_owned(), "1".to_owned()));
            assert_eq!(plant.variable, variable);
        }
        assert!(Plant::read(Path::new("burn.h"), "/* No program. */\n".to_owned()).is_none());
    }

    #[test]
    fn an_advice_has_to_say_what_is_demanded_and_where() {
        let plant = plant(
            "//#Repair:less\n//#Says:split\n//#Says[gcc]:static\n//#NoLine[gcc, libomp]: why\n\
             work(); // PLANT\n",
        );
        assert_eq!(plant.judge("a.c:5 static: split it", "gcc", "oxomp"), Ok(()));
        assert_eq!(plant.judge("a.c:5 split it", "clang", "oxomp"), Ok(()));
        let missing = "`static` is not in `a.c:5 split it`".to_owned();
        assert_eq!(plant.judge("a.c:5 split it", "gcc", "oxomp"), Err(missing));
        let on_runtime = self::plant("//#Repair:less\n//#Says[gcc, libomp]:hidden\n");
        assert!(on_runtime.judge("seen", "gcc", "libomp").is_err());
        assert_eq!(on_runtime.judge("seen", "gcc", "oxomp"), Ok(()));
        let nowhere = "none of [\"a.c:5\"] is in `a.c:9 split it`".to_owned();
        assert_eq!(plant.judge("a.c:9 split it", "clang", "oxomp"), Err(nowhere));
        assert_eq!(plant.judge("static: split it", "gcc", "libomp"), Ok(()), "there is no line");
    }

    /// A program that demands nothing would be advised rightly whatever is said.
    #[test]
    fn every_plant_demands_something_of_its_first_advice() {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let plants = Plant::all(&workspace).expect("the folder");
        assert!(plants.len() > 30, "{} plants", plants.len());
        for plant in plants {
            for (compiler, runtime) in
                [("gcc", "oxomp"), ("gcc", "libomp"), ("gcc", "libiomp5"), ("clang", "oxomp")]
            {
                let is_judged = plant.judge("", compiler, runtime).is_err();
                let nothing_is_told = plant.has_no_line(compiler, runtime);
                assert!(is_judged || nothing_is_told, "{}: {compiler}, {runtime}", plant.name);
            }
        }
    }
}
