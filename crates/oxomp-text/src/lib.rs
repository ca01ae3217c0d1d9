//! Pages of text for terminals, files and pipes: the summary of a profile and the explanation of a
//! stopped process are written to a [`Page`] in a [`Style`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod page;

pub use page::{Page, Style, Tone, glued};
