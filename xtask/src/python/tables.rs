//! The lists of a document as tables: a class with an attribute for each list of rows, and the
//! columns of its rows.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::document::{alternatives, on_one_line, reference, type_of};

/// Tables whose name is not the path of their list: as `oxomp report --csv` calls them.
const NAMES: [(&str, &str); 8] = [
    ("advice_changes", "changes"),
    ("calls_nodes", "calls"),
    ("offload_constructs", "target_constructs"),
    ("offload_repeated", "repeated_transfers"),
    ("offload_transfers", "transfers"),
    ("run_environment", "environment"),
    ("sampled_code", "hot_code"),
    ("sampled_serial", "hot_serial"),
];

/// The properties that come first among the columns of an object, before the others by name: what
/// a row is about.
const FIRST: [&str; 10] =
    ["number", "name", "label", "function", "file", "line", "text", "place", "region", "kind"];

/// A list of rows in the document.
struct List<'s> {
    /// The keys that lead to it.
    path: Vec<&'s str>,
    /// The type of its rows.
    row: &'s str,
    /// What the schema says of it.
    meaning: String,
}

/// A column of a row's type.
struct Column<'s> {
    path: Vec<&'s str>,
    kind: &'static str,
    nullable: bool,
    meaning: String,
}

/// The module's text: the class `class` over the types of the module `document`.
pub(super) fn module(schema: &Value, document: &str, class: &str) -> String {
    let mut lists = Vec::new();
    find_lists(schema, schema, &mut Vec::new(), &mut lists);
    let mut text = format!(
        "\"\"\"The lists of the document as tables. Made of its schema.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Any, Dict, Literal, Tuple, overload\n\n\
         from . import {document}\nfrom .columns import Column\nfrom .tables import Table, rows\n"
    );
    let mut rows: Vec<&str> = lists.iter().map(|list| list.row).collect();
    rows.sort_unstable();
    rows.dedup();
    for row in rows {
        columns(&mut text, schema, row);
    }
    let _ = write!(
        text,
        "\n\nclass {class}(Dict[str, Any]):\n    \"\"\"The document, and its lists as \
         tables.\"\"\"\n\n    table_names = (\n"
    );
    for list in &lists {
        let _ = writeln!(text, "        \"{}\",", list.name());
    }
    text.push_str("    )\n    \"\"\"The names of the tables.\"\"\"\n\n");
    keys(&mut text, schema, document);
    for list in &lists {
        property(&mut text, list, document);
    }
    text
}

impl List<'_> {
    fn name(&self) -> String {
        let joined = self.path.join("_");
        let other = NAMES.iter().find(|(path, _)| *path == joined);
        other.map_or(joined, |(_, name)| (*name).to_owned())
    }
}

/// The definition that a `$ref` names, or that the only alternative to null names.
fn resolved<'s>(schema: &'s Value, definition: &'s Value) -> &'s Value {
    if let Some(name) = reference(definition) {
        return &schema["$defs"][name];
    }
    let mut others = alternatives(definition).iter().filter(|it| it["type"] != "null");
    match (others.next(), others.next()) {
        (Some(only), None) => resolved(schema, only),
        _ => definition,
    }
}

fn properties(definition: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = definition["properties"].as_object().into_iter().flat_map(Map::iter);
    all.map(|(name, definition)| (name.as_str(), definition))
}

/// Finds the lists of objects in `whole` and in the objects that it holds.
fn find_lists<'s>(
    schema: &'s Value,
    whole: &'s Value,
    path: &mut Vec<&'s str>,
    lists: &mut Vec<List<'s>>,
) {
    for (name, definition) in properties(whole) {
        path.push(name);
        if let Some(row) = reference(&definition["items"]) {
            if schema["$defs"][row]["properties"].is_object() {
                let meaning = definition["description"].as_str().unwrap_or_default();
                lists.push(List { path: path.clone(), row, meaning: on_one_line(meaning) });
            }
        } else {
            find_lists(schema, resolved(schema, definition), path, lists);
        }
        path.pop();
    }
}

/// Finds the columns of the object `whole`: its values, and those of the objects that it holds.
fn find_columns<'s>(
    schema: &'s Value,
    whole: &'s Value,
    is_optional: bool,
    path: &mut Vec<&'s str>,
    columns: &mut Vec<Column<'s>>,
) {
    let mut all: Vec<(&str, &Value)> = properties(whole).collect();
    all.sort_by_key(|(name, _)| {
        FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len())
    });
    for (name, definition) in all {
        path.push(name);
        let inner = resolved(schema, definition);
        let declared = type_of(whole, name, definition);
        let nullable = is_optional || declared.ends_with("None");
        if inner["properties"].is_object() {
            find_columns(schema, inner, nullable, path, columns);
        } else if let Some(kind) = kind(inner) {
            let meaning = definition["description"].as_str().unwrap_or_default();
            let meaning = on_one_line(meaning);
            columns.push(Column { path: path.clone(), kind, nullable, meaning });
        }
        path.pop();
    }
}

/// The type of a column, of the type of its values in the schema; `None` for lists.
fn kind(definition: &Value) -> Option<&'static str> {
    let constants = alternatives(definition);
    if !constants.is_empty() && constants.iter().all(|it| it["const"].is_string()) {
        return Some("string");
    }
    let kinds: Vec<&str> = match &definition["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    // Signed, whatever the schema says, so that differences of columns are.
    kinds.iter().find_map(|kind| match *kind {
        "integer" => Some("int64"),
        "number" => Some("float64"),
        "string" => Some("string"),
        "boolean" => Some("bool"),
        _ => None,
    })
}

/// The unit that a name has at its end.
fn unit(name: &str) -> Option<&'static str> {
    match name.rsplit('_').next() {
        Some("ns") => Some("ns"),
        Some("bytes") => Some("byte"),
        _ => None,
    }
}

/// The name of the columns of a row's type, as a constant.
fn constant(row: &str) -> String {
    let mut name = String::new();
    for letter in row.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_uppercase());
    }
    name + "_COLUMNS"
}

/// Writes the columns of a row's type.
fn columns(text: &mut String, schema: &Value, row: &str) {
    let mut found = Vec::new();
    find_columns(schema, &schema["$defs"][row], false, &mut Vec::new(), &mut found);
    let _ = write!(text, "\n{}: Tuple[Column, ...] = (\n", constant(row));
    for Column { path, kind, nullable, meaning } in found {
        let last = path.last().copied().unwrap_or_default();
        let unit = unit(last).map_or("None".to_owned(), |unit| format!("\"{unit}\""));
        let nullable = if nullable { "True" } else { "False" };
        let keys: Vec<String> = path.iter().map(|key| format!("\"{key}\",")).collect();
        let (name, keys, meaning) = (path.join("_"), keys.join(" "), meaning.replace('"', "\\\""));
        let _ = write!(
            text,
            "    Column(\n        \"{name}\",\n        \"{kind}\",\n        {nullable},\n        \
             {unit},\n        ({keys}),\n        \"{meaning}\",\n    ),\n"
        );
    }
    text.push_str(")\n");
}

/// Writes the access to the document's properties by their names, with their types.
fn keys(text: &mut String, schema: &Value, document: &str) {
    let getter = "def __getitem__(self, key:";
    for (name, definition) in properties(schema) {
        let value = qualified(&type_of(schema, name, definition), schema, document);
        let _ = write!(text, "    @overload\n    {getter} Literal[\"{name}\"]) -> {value}: ...\n");
    }
    let _ = write!(
        text,
        "    @overload\n    {getter} str) -> Any: ...\n    {getter} str) -> Any:\n        \
         return super().__getitem__(key)\n"
    );
}

/// A type with the module before the names of types that it defines.
fn qualified(declared: &str, schema: &Value, document: &str) -> String {
    let mut whole = String::new();
    let mut word = String::new();
    for letter in declared.chars().chain(['\0']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        if schema["$defs"][&word].is_object() {
            whole += document;
            whole.push('.');
        }
        whole += &word;
        word.clear();
        if letter != '\0' {
            whole.push(letter);
        }
    }
    whole
}

/// Writes the attribute of a list.
fn property(text: &mut String, list: &List<'_>, document: &str) {
    let (name, row, meaning) = (list.name(), list.row, &list.meaning);
    let keys: Vec<String> = list.path.iter().map(|key| format!("\"{key}\"")).collect();
    let keys = keys.join(", ");
    let _ = write!(
        text,
        "\n    @property\n    def {name}(self) -> Table[{document}.{row}]:\n        \
         \"\"\"{meaning}\"\"\"\n        \
         return Table(\"{name}\", rows(self, {keys}), {columns})\n",
        columns = constant(row),
    );
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::module;

    #[test]
    fn lists_become_tables_and_objects_in_rows_columns() {
        let schema = json!({
            "properties": {
                "regions": {"type": "array", "items": {"$ref": "#/$defs/Region"},
                    "description": "The \"regions\"."},
                "calls": {"$ref": "#/$defs/Calls"},
            },
            "required": ["regions", "calls"],
            "$defs": {
                "Calls": {"properties": {
                    "nodes": {"type": "array", "items": {"$ref": "#/$defs/Region"}},
                }, "required": ["nodes"]},
                "Region": {"properties": {
                    "place": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
                    "wall_ns": {"type": "integer", "description": "Its \"time\"."},
                    "parts": {"type": "array", "items": {"type": "integer"}},
                }, "required": ["wall_ns", "parts"]},
                "Place": {"properties": {"line": {"type": "integer"}}, "required": ["line"]},
            },
        });
        let text = module(&schema, "document", "RunTables");
        for part in [
            "REGION_COLUMNS: Tuple[Column, ...] = (\n    Column(\n        \"place_line\",\n        \
             \"int64\",\n        True,\n        None,\n        (\"place\", \"line\",),\n",
            "        \"wall_ns\",\n        \"int64\",\n        False,\n        \"ns\",\n        \
             (\"wall_ns\",),\n        \"Its \\\"time\\\".\",\n",
            "key: Literal[\"regions\"]) -> list[document.Region]: ...",
            "def regions(self) -> Table[document.Region]:",
            "def calls(self) -> Table[document.Region]:",
            "return Table(\"calls\", rows(self, \"calls\", \"nodes\"), REGION_COLUMNS)",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        assert!(!text.contains("parts"), "a list is no column:\n{text}");
    }
}
