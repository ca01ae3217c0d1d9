//! The number of a place in the program.

use serde::Serialize;

/// Index of a [`Site`](super::Site) in [`Summary::sites`](super::Summary::sites).
///
/// A serializer that knows the sites' names writes the place instead: the schema calls it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Place"))]
pub struct SiteId(pub u32);

impl SiteId {
    /// The name under which a serializer meets the type.
    pub const NAME: &'static str = "SiteId";
}
