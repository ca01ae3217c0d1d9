//! The document of `oxomp report --json` as Python's types, made of its schema.

use std::fmt::Write;

use serde_json::{Map, Value};

/// Python's keywords, of which no name in a class can be.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// The module's text: a `TypedDict` for each object of the schema, `root` for the document.
pub(super) fn module(schema: &Value, root: &str) -> String {
    let mut text = String::from(
        "\"\"\"The document of `oxomp report --json`, as types.\n\nMade of its schema, \
         `oxomp report --json-schema`, which has the units and the meaning of each property.\n\
         \"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Any, TypedDict\n",
    );
    let empty = Map::new();
    for (name, definition) in schema["$defs"].as_object().unwrap_or(&empty) {
        class(&mut text, name, definition);
    }
    class(&mut text, root, schema);
    text
}

fn class(text: &mut String, name: &str, whole: &Value) {
    let Some(properties) = whole["properties"].as_object() else {
        let _ = write!(text, "\n\n{name} = {}\n", value_type(whole));
        return;
    };
    if properties.keys().any(|property| KEYWORDS.contains(&property.as_str())) {
        call(text, name, whole, properties);
        return;
    }
    let _ = write!(text, "\n\nclass {name}(TypedDict):\n");
    let said = whole["description"].as_str().unwrap_or_default();
    let _ = writeln!(text, "    \"\"\"{}\"\"\"\n", on_one_line(said));
    for (property, definition) in properties {
        let _ = writeln!(text, "    {property}: {}", type_of(whole, property, definition));
        if let Some(said) = definition["description"].as_str() {
            let _ = writeln!(text, "    \"\"\"{}\"\"\"", on_one_line(said));
        }
    }
}

/// The type by a call, which takes any text for a property's name, and types as texts: unlike those
/// of a class, Python would evaluate them.
fn call(text: &mut String, name: &str, whole: &Value, properties: &Map<String, Value>) {
    let _ = write!(text, "\n\n{name} = TypedDict(\n    \"{name}\",\n    {{\n");
    for (property, definition) in properties {
        if let Some(said) = definition["description"].as_str() {
            let _ = writeln!(text, "        # {}", on_one_line(said));
        }
        let value = type_of(whole, property, definition);
        let _ = writeln!(text, "        \"{property}\": \"{value}\",");
    }
    text.push_str("    },\n)\n");
}

/// A description of the schema for a docstring.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "\\\\")
}

/// The type of a property of `whole`. `oxomp.read` writes None for what a document leaves out.
pub(super) fn type_of(whole: &Value, property: &str, definition: &Value) -> String {
    let value = value_type(definition);
    let required = whole["required"].as_array().map_or(&[][..], Vec::as_slice);
    if required.iter().any(|name| name == property) || value.ends_with("None") {
        return value;
    }
    format!("{value} | None")
}

fn value_type(definition: &Value) -> String {
    if let Some(name) = reference(definition) {
        return name.to_owned();
    }
    let alternatives = alternatives(definition);
    if !alternatives.is_empty() {
        return union(alternatives.iter().map(value_type));
    }
    match &definition["type"] {
        Value::String(kind) => of_kind(kind, definition),
        Value::Array(kinds) => {
            union(kinds.iter().filter_map(Value::as_str).map(|kind| of_kind(kind, definition)))
        }
        _ => "Any".to_owned(),
    }
}

/// The name of the type that the definition refers to.
pub(super) fn reference(definition: &Value) -> Option<&str> {
    definition["$ref"].as_str()?.rsplit('/').next()
}

/// The definitions of which one holds; none if there is only one.
pub(super) fn alternatives(definition: &Value) -> &[Value] {
    let several = ["anyOf", "oneOf"].into_iter().find_map(|several| definition[several].as_array());
    several.map_or(&[], Vec::as_slice)
}

fn union(types: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for each in types {
        if !all.contains(&each) {
            all.push(each);
        }
    }
    all.join(" | ")
}

fn of_kind(kind: &str, definition: &Value) -> String {
    match kind {
        "string" => "str".to_owned(),
        "integer" => "int".to_owned(),
        "number" => "float".to_owned(),
        "boolean" => "bool".to_owned(),
        "null" => "None".to_owned(),
        "array" => format!("list[{}]", value_type(&definition["items"])),
        "object" if definition["additionalProperties"].is_object() => {
            format!("dict[str, {}]", value_type(&definition["additionalProperties"]))
        }
        _ => "Any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::module;

    #[test]
    fn a_keyword_is_no_name_in_a_class() {
        let schema = json!({"properties": {"class": {"type": ["string", "null"]}}});
        let text = module(&schema, "Summary");
        let wanted = "Summary = TypedDict(\n    \"Summary\",\n    {\n        \
                      \"class\": \"str | None\",\n    },\n)\n";
        assert!(text.ends_with(wanted), "{text}");
    }

    #[test]
    fn objects_become_types_with_the_schemas_words() {
        let schema = json!({
            "description": "A run.",
            "properties": {
                "regions": {"type": "array", "items": {"$ref": "#/$defs/Region"}},
                "note": {"type": ["string", "null"], "description": "A note;\nnull if none."},
                "devices": {"type": "integer"},
                "place": {"anyOf": [{"$ref": "#/$defs/Region"}, {"type": "null"}]},
            },
            "required": ["regions"],
            "$defs": {"Region": {"description": "A region.", "properties": {
                "calls": {"type": "integer"}, "share": {"type": "number"},
            }, "required": ["calls", "share"]}},
        });
        let text = module(&schema, "Summary");
        for line in [
            "class Region(TypedDict):",
            "    calls: int",
            "    share: float",
            "class Summary(TypedDict):",
            "    regions: list[Region]",
            "    devices: int | None",
            "    note: str | None",
            "    \"\"\"A note; null if none.\"\"\"",
            "    place: Region | None",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}:\n{text}");
        }
    }
}
