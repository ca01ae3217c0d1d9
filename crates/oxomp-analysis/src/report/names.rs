//! The names of sites and of lines of code, as text, page and verdict print them.

use crate::summary::SiteId;
use crate::symbols::Place;

/// The file's name without its folders.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A line of code, as `bins.c:12`.
#[must_use]
pub fn line_name((file, line): &(String, u32)) -> String {
    format!("{}:{line}", file_name(file))
}

/// A line of code in a function, as `flag.c:23 in wait_for`.
pub(super) fn line_in_function(line: Option<&(String, u32)>, function: &str) -> String {
    match line {
        Some(line) => format!("{} in {function}", line_name(line)),
        None => function.to_owned(),
    }
}

/// The names of sites.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// In the order of [`Summary::sites`](crate::summary::Summary::sites).
    pub places: &'a [Place],
}

impl Names<'_> {
    /// The function, or the closest name known; empty if no name is known.
    #[must_use]
    pub fn function(&self, site: Option<SiteId>) -> String {
        self.place(site).and_then(Place::function_or_nearest).unwrap_or_default()
    }

    /// `solver.c:118` or `module+0x…`.
    #[must_use]
    pub fn short(&self, site: Option<SiteId>) -> String {
        self.place(site).map_or_else(|| "(unknown place)".to_owned(), Place::short)
    }

    /// `solver.c:118`, else the function, with the address if other places are in it, else the
    /// address.
    #[must_use]
    pub fn compact(&self, site: Option<SiteId>) -> String {
        match self.place(site) {
            Some(place @ Place { line: None, function: Some(function), offset, .. }) => {
                let beside = |other: &&Place| {
                    other.function == place.function && other.offset != place.offset
                };
                match self.places.iter().find(beside) {
                    Some(_) => format!("{function} (+{offset:#x})"),
                    None => function.clone(),
                }
            }
            _ => self.short(site),
        }
    }

    /// Function and place for two columns; code without any name has its module in the first.
    #[must_use]
    pub fn columns(&self, site: Option<SiteId>) -> (String, String) {
        let function = self.function(site);
        match self.place(site) {
            Some(Place { line: None, module: Some(module), offset, .. }) if function.is_empty() => {
                (module.clone(), format!("+{offset:#x}"))
            }
            _ => (function, self.short(site)),
        }
    }

    /// All that is known of the place.
    #[must_use]
    pub fn place(&self, site: Option<SiteId>) -> Option<&Place> {
        self.places.get(site?.0 as usize)
    }
}
