//! The numbers of a run as one JSON document: a contract of its own, described by [`SCHEMA`].

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::Job;
use oxomp_scale::Scale;

mod atomics;
mod blocked;
mod calls;
mod conclusions;
mod document;
mod job;
mod loops;
mod offload;
pub(crate) mod places;
mod regions;
mod run;
mod sampled;
mod scale;
mod shared_lines;
mod spins;
mod tasks;
mod threads;
mod version;
mod waits;

use document::Document;
use job::JobDocument;
pub use job::JobFacts;
use scale::ScaleDocument;
pub use version::SCHEMA_VERSION;

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
    let document = Document::new(analysis, producer);
    serde_json::to_writer_pretty(&mut *out, &document)?;
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
    use super::document::Document;
    use super::job::JobDocument;
    use super::scale::ScaleDocument;
    use super::{JOB_SCHEMA, SCALE_SCHEMA, SCHEMA, SCHEMA_VERSION};

    /// The schema as a type and its comments say it.
    fn generated<T: schemars::JsonSchema>(title: &str, name: &str) -> serde_json::Value {
        let mut schema = schemars::schema_for!(T).to_value();
        let root = schema.as_object_mut().expect("an object");
        root.insert("title".into(), title.into());
        root.insert("$id".into(), format!("urn:oxomp:{name}:{SCHEMA_VERSION}").into());
        schema
    }

    fn all() -> [(serde_json::Value, &'static str, &'static str); 3] {
        let run = generated::<Document>("A recorded run of an OpenMP program", "report");
        let job = generated::<JobDocument>("The recorded processes of one run", "job");
        let scale = generated::<ScaleDocument>("A program at several numbers of threads", "scale");
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
                "{name}: the types have changed: run with OXOMP_WRITE_SCHEMA=1, and raise \
                 SCHEMA_VERSION"
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
