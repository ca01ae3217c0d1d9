//! The numbers of a run as one JSON document: a contract of its own, described by [`SCHEMA`].

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::Job;
use oxomp_scale::Scale;

mod conclusions;
mod document;
mod job;
mod places;
mod placing;
mod rows;
mod scale;
mod version;

use document::Document;
use job::JobDocument;
pub use job::JobFacts;
use places::Places;
use placing::Placed;
use scale::ScaleDocument;
pub use version::{JOB_SCHEMA_VERSION, SCALE_SCHEMA_VERSION, SCHEMA_VERSION};

/// The JSON Schema (draft 2020-12) of the documents. Every property is described there, with its
/// unit.
pub const SCHEMA: &str = include_str!("../../schema/oxomp-report-1.schema.json");

/// The JSON Schema (draft 2020-12) of the documents of [`write_job`].
pub const JOB_SCHEMA: &str = include_str!("../../schema/oxomp-job-1.schema.json");

/// The JSON Schema (draft 2020-12) of the documents of [`write_scale`].
pub const SCALE_SCHEMA: &str = include_str!("../../schema/oxomp-scale-1.schema.json");

/// Writes the document of `analysis`, made by the program `producer`.
///
/// # Errors
///
/// The errors of `out`.
pub fn write(analysis: &Analysis, producer: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut places = Places::new(analysis);
    let document = Document::new(analysis, producer, &mut places);
    let placed = Placed { value: &document, places: &places.all() };
    serde_json::to_writer_pretty(&mut *out, &placed)?;
    out.write_all(b"\n")
}

/// Writes the document of `job`, the processes of one run side by side.
///
/// # Errors
///
/// The errors of `out`.
pub fn write_job(
    job: &Job,
    facts: JobFacts<'_>,
    producer: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &JobDocument::new(job, facts, producer))?;
    out.write_all(b"\n")
}

/// Writes the document of `scale`, a program at several numbers of threads.
///
/// # Errors
///
/// The errors of `out`.
pub fn write_scale(scale: &Scale, producer: &str, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &ScaleDocument::new(scale, producer))?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, SchemaGenerator};

    use super::document::Document;
    use super::job::JobDocument;
    use super::places::Place;
    use super::scale::ScaleDocument;
    use super::{
        JOB_SCHEMA, JOB_SCHEMA_VERSION, SCALE_SCHEMA, SCALE_SCHEMA_VERSION, SCHEMA, SCHEMA_VERSION,
    };

    /// The schema as a type and its comments say it, of a document of which `name` is the id.
    fn generated<T: JsonSchema>(title: &str, name: &str, version: &str) -> serde_json::Value {
        let mut schema = schemars::schema_for!(T).to_value();
        let root = schema.as_object_mut().expect("an object");
        root.insert("title".into(), title.into());
        root.insert("$id".into(), format!("urn:oxomp:{name}:{version}").into());
        schema
    }

    fn all() -> [(serde_json::Value, &'static str, &'static str); 3] {
        let title = "A recorded run of an OpenMP program";
        let mut run = generated::<Document<'_>>(title, "report", SCHEMA_VERSION);
        // A site of the summary is written as a place.
        run["$defs"]["Place"] = Place::json_schema(&mut SchemaGenerator::default()).to_value();
        let title = "The recorded processes of one run";
        let job = generated::<JobDocument<'_>>(title, "job", JOB_SCHEMA_VERSION);
        let title = "A program at several numbers of threads";
        let scale = generated::<ScaleDocument<'_>>(title, "scale", SCALE_SCHEMA_VERSION);
        [
            (run, "oxomp-report-1", SCHEMA),
            (job, "oxomp-job-1", JOB_SCHEMA),
            (scale, "oxomp-scale-1", SCALE_SCHEMA),
        ]
    }

    /// With `OXOMP_WRITE_SCHEMA=1` the test writes the files instead.
    #[test]
    fn the_schema_files_are_those_of_the_types() {
        for (generated, name, kept) in all() {
            let text = serde_json::to_string_pretty(&generated).unwrap() + "\n";
            if std::env::var_os("OXOMP_WRITE_SCHEMA").is_some() {
                let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");
                std::fs::write(format!("{folder}/{name}.schema.json"), text).unwrap();
                continue;
            }
            assert!(
                text == kept,
                "{name}: the types have changed: run with OXOMP_WRITE_SCHEMA=1, and raise the \
                 version in version.rs for more than words"
            );
        }
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
        for (generated, name, _) in all() {
            properties(&generated, name, &mut found);
        }
        assert!(found.len() > 30, "{found:?}");
        let bare: Vec<_> = found.iter().filter(|(_, described)| !described).collect();
        assert!(bare.is_empty(), "{bare:?}");
    }
}
