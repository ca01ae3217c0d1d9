//! Fields that are written in another form than they are kept in.

use serde::{Serialize, Serializer};

/// Writes `value` as an `As`, for `serialize_with`.
pub(crate) fn as_one<As, T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    As: for<'a> From<&'a T> + Serialize,
    S: Serializer,
{
    As::from(value).serialize(serializer)
}

/// Writes each of `values` as an `As`, for `serialize_with`.
pub(crate) fn as_list<As, T, S>(values: &[T], serializer: S) -> Result<S::Ok, S::Error>
where
    As: for<'a> From<&'a T> + Serialize,
    S: Serializer,
{
    serializer.collect_seq(values.iter().map(As::from))
}

/// Has values of each type written as their names.
macro_rules! written_by_name {
    ($($named:ty),+) => {$(
        impl serde::Serialize for $named {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $named {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($named).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                String::json_schema(generator)
            }
        }
    )+};
}

pub(crate) use written_by_name;

/// A line of source code as two fields.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FileAndLine {
    /// Its source file; null without line information.
    file: Option<String>,
    /// Its line in `file`, from 1; null without line information.
    line: Option<u32>,
}

impl From<&Option<(String, u32)>> for FileAndLine {
    fn from(line: &Option<(String, u32)>) -> Self {
        let (file, line) = line.clone().unzip();
        Self { file, line }
    }
}

/// How often something happened.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Count {
    /// A short name of it.
    what: &'static str,
    /// How often.
    count: u64,
}

impl From<&(&'static str, u64)> for Count {
    fn from(&(what, count): &(&'static str, u64)) -> Self {
        Self { what, count }
    }
}
