//! The names of variables: locks and the words of critical constructs.

use std::collections::BTreeMap;
use std::fs;

use object::{Object, ObjectSymbol, SymbolKind};
use oxomp_inspect::Image;

/// The largest file that is read for the names of its variables.
const LARGEST_FILE: u64 = 1 << 30;

/// A variable: its end and its name, by its address in the file's terms.
type Variables = BTreeMap<u64, (u64, String)>;

/// Names variables, and keeps the tables that it has read.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_module: BTreeMap<usize, Variables>,
}

impl Names {
    /// The variable at `address`; an address inside of it is `name+0x…`.
    pub(super) fn of(&mut self, image: &Image, address: u64) -> Option<String> {
        let index = image.module_of(address)?;
        let variables = self.by_module.entry(index).or_insert_with(|| read(image, index));
        let offset = address.wrapping_sub(image.modules()[index].bias());
        let (start, (end, name)) = variables.range(..=offset).next_back()?;
        match offset - start {
            0 => Some(name.clone()),
            inside if offset < *end => Some(format!("{name}+{inside:#x}")),
            _ => None,
        }
    }
}

fn read(image: &Image, index: usize) -> Variables {
    let module = &image.modules()[index];
    let mut found = Variables::new();
    let Some(file) = &module.file else { return found };
    if fs::metadata(file).map_or(true, |metadata| metadata.len() > LARGEST_FILE) {
        return found;
    }
    let Ok(bytes) = fs::read(file) else { return found };
    let Ok(object) = object::File::parse(&*bytes) else { return found };
    let build_id = object.build_id().ok().flatten().unwrap_or_default();
    if build_id != module.build_id {
        return found;
    }
    for symbol in object.symbols().chain(object.dynamic_symbols()) {
        let is_variable = matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Unknown);
        if let (true, true, Ok(name)) = (is_variable, symbol.is_definition(), symbol.name()) {
            let end = symbol.address().saturating_add(symbol.size());
            found
                .entry(symbol.address())
                .or_insert_with(|| (end, oxomp_symbols::user_function(name)));
        }
    }
    found
}

/// The name that the user gave a critical construct; empty for the unnamed one. `symbol` is that of
/// the compiler's word: `.gomp_critical_user_NAME` by gcc, with `.var` behind it by clang.
pub(super) fn critical(symbol: &str) -> String {
    let name = symbol.strip_prefix(".gomp_critical_user_").unwrap_or(symbol);
    name.strip_suffix(".var").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::critical;

    #[test]
    fn criticals_have_the_names_of_the_program() {
        assert_eq!(critical(".gomp_critical_user_update"), "update");
        assert_eq!(critical(".gomp_critical_user_update.var"), "update");
        assert_eq!(critical(".gomp_critical_user_.var"), "");
        assert_eq!(critical(".gomp_critical_user_"), "");
    }
}
