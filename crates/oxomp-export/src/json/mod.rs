//! The numbers of a run as one JSON document: a contract of its own, described by [`SCHEMA`].

use std::io::{self, Write};

use oxomp_analysis::Analysis;

mod calls;
mod conclusions;
mod document;
mod loops;
pub(crate) mod places;
mod regions;
mod run;
mod sampled;
mod tasks;
mod threads;
pub(crate) mod waits;

use document::Document;

/// The version of the documents' schema: of its form `MAJOR.MINOR.PATCH`, a reader needs to know
/// the first part. A new property raises the second part, a change of meaning the first.
pub const SCHEMA_VERSION: &str = "1.1.0";

/// The JSON Schema (draft 2020-12) of the documents. Every property is described there, with its
/// unit.
pub const SCHEMA: &str = include_str!("../../schema/oxomp-report-1.schema.json");

/// Writes the document of `analysis`, made by the program `producer`.
///
/// # Errors
///
/// The errors of `out`.
pub fn write(analysis: &Analysis, producer: &str, out: &mut dyn Write) -> io::Result<()> {
    let document = Document::new(analysis, producer);
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::document::Document;
    use super::{SCHEMA, SCHEMA_VERSION};

    /// The schema as the types and their comments say it.
    fn generated() -> serde_json::Value {
        let mut schema = schemars::schema_for!(Document).to_value();
        let root = schema.as_object_mut().expect("an object");
        root.insert("title".into(), "A recorded run of an OpenMP program".into());
        root.insert("$id".into(), format!("urn:oxomp:report:{SCHEMA_VERSION}").into());
        schema
    }

    /// With `OXOMP_WRITE_SCHEMA=1` the test writes the file instead.
    #[test]
    fn the_schema_file_is_that_of_the_types() {
        let text = serde_json::to_string_pretty(&generated()).unwrap() + "\n";
        if std::env::var_os("OXOMP_WRITE_SCHEMA").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/oxomp-report-1.schema.json");
            return std::fs::write(file, text).unwrap();
        }
        assert!(
            text == SCHEMA,
            "the types have changed: run with OXOMP_WRITE_SCHEMA=1, and raise SCHEMA_VERSION"
        );
    }

    /// Every property, wherever it is, with the path to it.
    fn properties(schema: &serde_json::Value, path: &str, found: &mut Vec<(String, bool)>) {
        match schema {
            serde_json::Value::Object(fields) => {
                if let Some(serde_json::Value::Object(named)) = fields.get("properties") {
                    for (name, property) in named {
                        let described = property.get("description").is_some();
                        found.push((format!("{path}.{name}"), described));
                    }
                }
                for (name, value) in fields {
                    properties(value, &format!("{path}/{name}"), found);
                }
            }
            serde_json::Value::Array(values) => {
                for value in values {
                    properties(value, path, found);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn every_property_is_described() {
        let mut found = Vec::new();
        properties(&generated(), "", &mut found);
        assert!(found.len() > 30, "{found:?}");
        let bare: Vec<_> = found.iter().filter(|(_, described)| !described).collect();
        assert!(bare.is_empty(), "{bare:?}");
    }
}
