//! The number of a place in the program.

/// Index of a [`Site`](super::Site) in [`Summary::sites`](super::Summary::sites).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);
