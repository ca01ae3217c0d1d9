//! The modules of a crate, each in its file, from `lib.rs`, or `main.rs`, along the `mod`
//! declarations.
//!
//! Code that is compiled for tests only is left out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use proc_macro2::TokenTree;

use super::items::{Items, read_items};
use crate::tokens::parse;

/// The number of a file in [`Tree::files`].
pub type FileId = usize;
/// The number of a module in [`Tree::modules`]; 0 is the crate's root.
pub type ModuleId = usize;

/// A source file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path below the crate's `src`, such as `task/mod.rs`.
    pub name: String,
    /// How many lines it has.
    pub lines: usize,
    /// Whether it has items of its own: `lib.rs` and files that only declare and re-export use
    /// nothing.
    pub has_code: bool,
}

/// A module: a file's, or one inside a file.
#[derive(Debug)]
pub struct Module {
    /// The file it stands in.
    pub file: FileId,
    /// The module around it.
    pub parent: Option<ModuleId>,
    /// The modules inside.
    pub children: BTreeMap<String, ModuleId>,
    /// The module's items.
    pub items: Items,
    /// All its tokens.
    pub tokens: Vec<TokenTree>,
}

/// The modules of a crate.
#[derive(Debug, Default)]
pub struct Tree {
    /// The files, in the order in which they are declared.
    pub files: Vec<File>,
    /// The modules, parents before children.
    pub modules: Vec<Module>,
}

impl Tree {
    /// Reads the crate whose `src` folder is `source`.
    ///
    /// # Errors
    ///
    /// A file that is declared and missing, or that is not Rust.
    pub fn read(source: &Path) -> Result<Tree> {
        let mut tree = Tree::default();
        let library = source.join("lib.rs");
        let root = if library.exists() { library } else { source.join("main.rs") };
        tree.read_file(source, &root, source, None)?;
        Ok(tree)
    }

    /// Reads `path`, whose children lie in `folder`.
    fn read_file(
        &mut self,
        source: &Path,
        path: &Path,
        folder: &Path,
        parent: Option<ModuleId>,
    ) -> Result<ModuleId> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let tokens = parse(&text).with_context(|| path.display().to_string())?;
        let name = path.strip_prefix(source).unwrap_or(path).to_string_lossy().into_owned();
        let items = read_items(&tokens);
        let has_code = parent.is_some() && items.has_code;
        self.files.push(File { name, lines: text.lines().count(), has_code });
        self.add(source, self.files.len() - 1, tokens, items, folder, parent)
    }

    fn add(
        &mut self,
        source: &Path,
        file: FileId,
        tokens: Vec<TokenTree>,
        items: Items,
        folder: &Path,
        parent: Option<ModuleId>,
    ) -> Result<ModuleId> {
        let id = self.modules.len();
        let declared = items.children.clone();
        let children = BTreeMap::new();
        self.modules.push(Module { file, parent, children, items, tokens });
        for child in declared {
            let inner = folder.join(&child.name);
            let number = if let Some(body) = child.body {
                let items = read_items(&body);
                self.files[file].has_code |= parent.is_some() && items.has_code;
                self.add(source, file, body, items, &inner, Some(id))?
            } else {
                self.read_file(source, &file_of(&inner)?, &inner, Some(id))?
            };
            self.modules[id].children.insert(child.name, number);
        }
        Ok(id)
    }

    /// Whether `module` is `above` or lies in it.
    pub fn is_inside(&self, module: ModuleId, above: ModuleId) -> bool {
        let mut next = Some(module);
        while let Some(module) = next {
            if module == above {
                return true;
            }
            next = self.modules[module].parent;
        }
        false
    }
}

/// `a/b` → `a/b.rs` or `a/b/mod.rs`.
fn file_of(module: &Path) -> Result<PathBuf> {
    let [beside, inside] = [module.with_extension("rs"), module.join("mod.rs")];
    match (beside.exists(), inside.exists()) {
        (true, _) => Ok(beside),
        (false, true) => Ok(inside),
        _ => bail!("no file has the module {}", module.display()),
    }
}
