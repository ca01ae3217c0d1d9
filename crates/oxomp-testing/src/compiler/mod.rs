//! Compiling a test program, once per compiler and set of flags.
//!
//! Executables are kept in the cache folder, so a second run of the tests compiles nothing.

pub mod kept;

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use oxomp_prerequisites::Program;

use self::kept::{Kept, compile, identity};

/// A family of compilers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// GCC: calls `GOMP_*`, linked with libgomp.
    Gcc,
    /// LLVM: calls `__kmpc_*`, linked with libomp.
    Clang,
}

impl Family {
    /// The family of that name.
    ///
    /// # Errors
    ///
    /// An unknown name.
    pub fn parse(name: &str) -> Result<Self, String> {
        match name {
            "gcc" => Ok(Self::Gcc),
            "clang" => Ok(Self::Clang),
            other => Err(format!("{other} is no compiler: give gcc or clang")),
        }
    }

    /// The name used in directives and trial names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gcc => "gcc",
            Self::Clang => "clang",
        }
    }

    /// The compiler of `source`.
    pub(crate) fn program(self, source: &Path) -> Program {
        match (self, Language::of(source)) {
            (Self::Gcc, Language::C) => Program::Gcc,
            (Self::Gcc, Language::CPlusPlus) => Program::Gxx,
            (Self::Gcc, Language::Fortran) => Program::Gfortran,
            (Self::Clang, Language::C) => Program::Clang,
            (Self::Clang, Language::CPlusPlus) => Program::Clangxx,
            (Self::Clang, Language::Fortran) => Program::Flang,
        }
    }
}

/// The language of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    CPlusPlus,
    Fortran,
}

impl Language {
    /// The language that a file's name says.
    fn of(source: &Path) -> Self {
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("cpp") => Self::CPlusPlus,
            Some("f90") => Self::Fortran,
            _ => Self::C,
        }
    }
}

/// Everything that determines an executable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The program's main source.
    pub source: PathBuf,
    /// The compiler, which also links.
    pub compiler: Family,
    /// The optimisation level, a flag.
    pub level: String,
    /// Further flags.
    pub flags: Vec<String>,
    /// Further sources of the same folder.
    pub parts: Vec<PartRecipe>,
}

impl Recipe {
    /// The compilers that it takes.
    #[must_use]
    pub fn programs(&self) -> Vec<Program> {
        let parts = self.parts.iter().map(|part| part.compiler.program(&part.source));
        std::iter::once(self.compiler.program(&self.source)).chain(parts).collect()
    }
}

/// A part of a program that another compiler may compile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PartRecipe {
    compiler: Family,
    source: PathBuf,
    flags: Vec<String>,
}

impl PartRecipe {
    /// The part of the program `main` that lies beside it in `file`, with further flags.
    #[must_use]
    pub fn new(main: &Path, compiler: Family, file: &str, flags: Vec<String>) -> Self {
        Self { compiler, source: main.with_file_name(file), flags }
    }
}

/// The compiled programs of a run.
#[derive(Debug)]
pub struct Executables {
    folder: PathBuf,
    include: PathBuf,
    /// A hash of what every program depends on: the shared headers and the compilers.
    basis: u64,
    made: Mutex<HashMap<Recipe, Slot>>,
}

type Slot = Arc<OnceLock<Result<PathBuf, String>>>;

impl Executables {
    /// Executables kept in `folder`. The compilers' search path includes `include`, whose files
    /// count as a part of every source.
    ///
    /// # Errors
    ///
    /// A folder that cannot be made or read.
    pub fn new(folder: PathBuf, include: PathBuf) -> Result<Self, String> {
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut basis = DefaultHasher::new();
        let mut paths: Vec<PathBuf> = fs::read_dir(&include)
            .map_err(|error| format!("{}: {error}", include.display()))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.is_file())
            .collect();
        paths.sort();
        for path in paths {
            read(&path)?.hash(&mut basis);
        }
        for family in [Family::Gcc, Family::Clang] {
            let compiler = family.program(Path::new("any.c"));
            identity(compiler).hash(&mut basis);
        }
        Ok(Self { folder, include, basis: basis.finish(), made: Mutex::default() })
    }

    /// The executable of a recipe, compiled if the cache lacks it.
    ///
    /// # Errors
    ///
    /// The compiler's command and what it said.
    pub fn get(&self, recipe: &Recipe) -> Result<PathBuf, String> {
        let slot = {
            let mut made = self.made.lock().unwrap_or_else(|poison| poison.into_inner());
            Arc::clone(made.entry(recipe.clone()).or_default())
        };
        slot.get_or_init(|| self.make(recipe)).clone()
    }

    fn make(&self, recipe: &Recipe) -> Result<PathBuf, String> {
        self.kept(recipe)?.made(|executable| self.make_at(recipe, executable))
    }

    fn make_at(&self, recipe: &Recipe, executable: &Path) -> Result<(), String> {
        let scratch = tempfile::tempdir_in(&self.folder);
        let scratch = scratch.map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let mut objects = Vec::new();
        for (index, part) in recipe.parts.iter().enumerate() {
            let object = scratch.path().join(format!("{index}.o"));
            let level = &recipe.level;
            let mut command = self.command(part.compiler, &part.source, level, &part.flags);
            compile(command.arg("-c").arg("-o").arg(&object).arg(&part.source))?;
            objects.push(object);
        }
        let mut command = self.command_of(recipe);
        if Language::of(&recipe.source) == Language::Fortran {
            // Where it describes the program's modules; nothing reads that later.
            command.arg("-J").arg(scratch.path());
        }
        compile(command.arg("-o").arg(executable).arg(&recipe.source).args(objects))
    }

    fn command_of(&self, recipe: &Recipe) -> Command {
        self.command(recipe.compiler, &recipe.source, &recipe.level, &recipe.flags)
    }

    fn command(&self, compiler: Family, source: &Path, level: &str, flags: &[String]) -> Command {
        let mut command = compiler.program(source).command();
        command.args(["-fopenmp", "-g", "-fno-omit-frame-pointer", "-Werror", "-pthread"]);
        if compiler == Family::Gcc {
            // No code for devices, whether the machine has gcc's compilers for them or not.
            command.arg("-foffload=disable");
        }
        match (compiler, Language::of(source)) {
            (Family::Clang, Language::Fortran) => {}
            (Family::Gcc, Language::Fortran) => {
                command.args(["-Wall", "-Wextra"]);
            }
            _ => {
                command.args(["-Wall", "-Wextra", "-Wno-unknown-pragmas"]);
            }
        }
        command.arg(level).arg("-I").arg(&self.include).args(flags);
        command
    }

    fn kept(&self, recipe: &Recipe) -> Result<Kept, String> {
        let name = recipe.source.file_stem().unwrap_or_default().to_string_lossy();
        let stem = format!("{name}-{}", recipe.compiler.name());
        let kept = Kept::new(&self.folder, stem).of(recipe).of(&self.basis);
        let mut kept = kept.of(&format!("{:?}", self.command_of(recipe)));
        let parts = recipe.parts.iter().map(|part| &part.source);
        for source in std::iter::once(&recipe.source).chain(parts) {
            kept = kept.of_file(source)?;
        }
        Ok(kept)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
