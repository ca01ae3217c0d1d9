//! What is wrong with an image.

/// A flaw, in words for the program's user.
pub(super) type Flaw = String;
