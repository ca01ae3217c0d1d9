//! Functions of Python on the way to a construct.

use serde::Serialize;

/// A function of Python that was under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PythonCall {
    /// Its name, from Python 3.11 on with those of the functions and classes around it.
    pub function: String,
    /// The file, as the interpreter knows it.
    pub file: String,
    /// The line that was executed.
    pub line: u32,
}

impl PythonCall {
    /// Whether the file is the user's own, not one of an installed package or of Python itself.
    #[must_use]
    pub fn is_users(&self) -> bool {
        const PACKAGES: [&str; 3] = ["/site-packages/", "/dist-packages/", "/lib/python"];
        !self.file.starts_with('<') && !PACKAGES.iter().any(|part| self.file.contains(part))
    }
}

#[cfg(test)]
mod tests {
    use super::PythonCall;

    #[test]
    fn packages_are_not_the_users() {
        let is_users = |file: &str| {
            PythonCall { function: String::new(), file: file.to_owned(), line: 1 }.is_users()
        };
        assert!(is_users("/home/me/train.py") && is_users("train.py"));
        for file in [
            "/usr/lib/python3/dist-packages/numpy/linalg.py",
            "/opt/venv/lib/python3.12/site-packages/sklearn/cluster/_kmeans.py",
            "/usr/lib/python3.11/threading.py",
            "<frozen importlib._bootstrap>",
        ] {
            assert!(!is_users(file), "{file}");
        }
    }
}
