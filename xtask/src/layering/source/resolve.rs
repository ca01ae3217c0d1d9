//! Which item a path names, through imports and re-exports, and which file defines it.

use super::tree::{ModuleId, Tree};

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entity {
    /// A module.
    Module(ModuleId),
    /// An item that stands in `module`, or that a macro makes there.
    Item {
        /// The module that defines it.
        module: ModuleId,
        /// The item's name there.
        name: String,
    },
    /// A member of an item: a variant, a method, a constant.
    Member {
        /// The module that defines the item.
        module: ModuleId,
        /// The name of the item.
        of: String,
        /// The name of the member.
        name: String,
    },
}

/// The imports that are being followed: one that leads to itself names nothing more.
type Followed = Vec<(ModuleId, Vec<String>)>;

impl Tree {
    /// What `path` names in `module`: nothing if it belongs to another crate or to a local name,
    /// two entities where a module and a function share a name.
    pub fn resolve(&self, module: ModuleId, path: &[String]) -> Vec<Entity> {
        self.resolve_in(module, path, &mut Vec::new())
    }

    fn resolve_in(&self, module: ModuleId, path: &[String], open: &mut Followed) -> Vec<Entity> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let start = match first.as_str() {
            "crate" => vec![Entity::Module(0)],
            "self" => vec![Entity::Module(module)],
            "super" => self.modules[module].parent.map(Entity::Module).into_iter().collect(),
            name => self.lookup(module, name, open),
        };
        self.descend(start, rest, open)
    }

    fn descend(&self, start: Vec<Entity>, path: &[String], open: &mut Followed) -> Vec<Entity> {
        let mut found = start;
        for segment in path {
            // Of a module and a function of the same name only the module can go on.
            if found.iter().any(|entity| matches!(entity, Entity::Module(_))) {
                found.retain(|entity| matches!(entity, Entity::Module(_)));
            }
            found = found
                .into_iter()
                .flat_map(|entity| self.step(entity, segment, open))
                .collect::<Vec<_>>();
            found.sort();
            found.dedup();
        }
        found
    }

    fn step(&self, entity: Entity, segment: &str, open: &mut Followed) -> Vec<Entity> {
        let name = segment.to_owned();
        match entity {
            Entity::Module(module) if segment == "super" => {
                self.modules[module].parent.map(Entity::Module).into_iter().collect()
            }
            Entity::Module(module) => {
                let found = self.lookup(module, segment, open);
                // What no item is named by, a macro has made.
                let is_external = found.is_empty() && self.imports(module, segment);
                if found.is_empty() && !is_external {
                    return vec![Entity::Item { module, name }];
                }
                found
            }
            Entity::Item { module, name: of } => vec![Entity::Member { module, of, name }],
            member @ Entity::Member { .. } => vec![member],
        }
    }

    fn imports(&self, module: ModuleId, name: &str) -> bool {
        self.modules[module].items.imports.iter().any(|import| import.name == name)
    }

    /// What `name` means in `module`.
    fn lookup(&self, module: ModuleId, name: &str, open: &mut Followed) -> Vec<Entity> {
        let here = &self.modules[module];
        let mut found: Vec<Entity> =
            here.children.get(name).map(|&child| Entity::Module(child)).into_iter().collect();
        if here.items.definitions.contains(name) {
            found.push(Entity::Item { module, name: name.to_owned() });
        }
        if module == 0 {
            let makers = (0..self.modules.len()).filter(|&maker| {
                self.modules[maker].items.exported.iter().any(|exported| exported == name)
            });
            found.extend(makers.map(|module| Entity::Item { module, name: name.to_owned() }));
        }
        for import in here.items.imports.iter().filter(|import| import.name == name) {
            let key = (module, import.path.clone());
            if open.contains(&key) {
                continue;
            }
            open.push(key);
            found.extend(self.resolve_in(module, &import.path, open));
            open.pop();
        }
        found
    }
}
