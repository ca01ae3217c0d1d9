//! Which file uses which, where, and for what.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Import;
use super::mentions::{Mentions, Named, mentions};
use super::methods::Methods;
use super::resolve::Entity;
use super::tree::{FileId, ModuleId, Tree};

/// One file uses another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The file that uses.
    pub from: FileId,
    /// The file that defines what it uses.
    pub to: FileId,
    /// The first line that does, from 1.
    pub line: usize,
    /// The names used.
    pub names: BTreeSet<String>,
}

/// All arrows of `tree`, sorted by their ends. Names of methods that occur in `foreign` tell
/// nothing.
pub fn arrows(tree: &Tree, foreign: &BTreeSet<String>) -> Vec<Arrow> {
    let methods = Methods::read(tree, foreign);
    let mut drawing = Drawing { tree, methods, arrows: BTreeMap::new() };
    for (id, module) in tree.modules.iter().enumerate() {
        if tree.files[module.file].has_code {
            drawing.module(id);
        }
    }
    drawing.arrows.into_values().collect()
}

struct Drawing<'a> {
    tree: &'a Tree,
    methods: Methods,
    arrows: BTreeMap<(FileId, FileId), Arrow>,
}

impl Drawing<'_> {
    fn module(&mut self, id: ModuleId) {
        let from = self.tree.modules[id].file;
        let code = mentions(self.tree, id);
        for mention in &code.all {
            match &mention.named {
                Named::Method => {
                    if let Some(to) = self.methods.called(&mention.text) {
                        self.draw(from, to, mention.line, &format!(".{}()", mention.text));
                    }
                }
                Named::Path(entities) => {
                    for entity in entities {
                        for to in self.files(entity) {
                            self.draw(from, to, mention.line, &mention.text);
                        }
                    }
                }
            }
        }
        for import in self.tree.modules[id].items.imports.iter().chain(&code.imports) {
            self.import(id, import, &code);
        }
    }

    /// A re-export of what lies below the module is an arrow only where the module's own code uses
    /// the name; a module's name only where no path goes through it.
    fn import(&mut self, module: ModuleId, import: &Import, code: &Mentions) {
        let from = self.tree.modules[module].file;
        let is_used = code.words.contains(&import.name);
        let goes_through = code.prefixes.contains(&import.name);
        for entity in self.tree.resolve(module, &import.path) {
            let home = match &entity {
                Entity::Module(_) if goes_through => continue,
                Entity::Module(home)
                | Entity::Item { module: home, .. }
                | Entity::Member { module: home, .. } => *home,
            };
            if import.is_reexport && !is_used && self.tree.is_inside(home, module) {
                continue;
            }
            for to in self.files(&entity) {
                self.draw(from, to, import.line, &import.name);
            }
        }
    }

    /// The files that define `entity`.
    fn files(&self, entity: &Entity) -> BTreeSet<FileId> {
        let file = |module: ModuleId| self.tree.modules[module].file;
        match entity {
            Entity::Module(module) | Entity::Item { module, .. } => [file(*module)].into(),
            Entity::Member { module, of, name } => {
                let members = self.methods.members(*module, of, name);
                members.chain([file(*module)]).collect()
            }
        }
    }

    fn draw(&mut self, from: FileId, to: FileId, line: usize, name: &str) {
        if from == to {
            return;
        }
        let new = Arrow { from, to, line, names: BTreeSet::new() };
        let arrow = self.arrows.entry((from, to)).or_insert(new);
        arrow.line = arrow.line.min(line);
        arrow.names.insert(name.to_owned());
    }
}
