//! The variables of the tools interface (OpenMP 5.2 §21.3), such as OMP_TOOL.
//!
//! The runtime reads them first and separately: whether there is a tool decides whether the runtime
//! starts when it is loaded.

use core::fmt;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// The variable that names the libraries to search for a tool.
pub const TOOL_LIBRARIES: &str = "OMP_TOOL_LIBRARIES";
/// The variable that says where the log of the search goes.
pub const TOOL_VERBOSE_INIT: &str = "OMP_TOOL_VERBOSE_INIT";

/// *tool-verbose-init-var*: the destination of the log of the search for a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolVerboseInit {
    /// No log.
    Disabled,
    /// The standard output.
    Stdout,
    /// The standard error.
    Stderr,
    /// The file of this name (5.2 §21.3.3). OpenMP 6.0 (§4.5.3) takes the value as the prefix of
    /// the name, and leaves open what follows it: here nothing does, so that both rules hold.
    File(PathBuf),
}

/// *tool-var*, *tool-libraries-var* and *tool-verbose-init-var*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolIcvs {
    /// Whether a tool may be activated.
    pub tool_var: bool,
    /// The libraries to search for a tool, in this order.
    pub tool_libraries_var: Vec<PathBuf>,
    /// The destination of the log of the search.
    pub tool_verbose_init_var: ToolVerboseInit,
}

/// A value of OMP_TOOL other than enabled and disabled: the report of 2015 requires an error, so
/// this is the only invalid variable that ends the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTool {
    /// The value as it was written.
    pub value: String,
}

impl fmt::Display for InvalidTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OMP_TOOL=\"{}\": neither enabled nor disabled", self.value)
    }
}

impl ToolIcvs {
    /// Reads the environment of the process.
    ///
    /// # Errors
    /// OMP_TOOL has an invalid value.
    pub fn of_process() -> Result<Self, InvalidTool> {
        Self::parse(|name| std::env::var_os(name))
    }

    /// Reads the variables by `get`, which returns the value of a name. Empty values count as
    /// undefined.
    ///
    /// # Errors
    /// OMP_TOOL has an invalid value.
    pub fn parse(get: impl Fn(&str) -> Option<OsString>) -> Result<Self, InvalidTool> {
        // Paths may contain any bytes.
        let value = |name| {
            let value = get(name).unwrap_or_default().into_vec().trim_ascii().to_vec();
            (!value.is_empty()).then_some(value)
        };
        let text = |name| value(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        let tool_var = match text("OMP_TOOL") {
            None => true,
            Some(value) if value.eq_ignore_ascii_case("enabled") => true,
            Some(value) if value.eq_ignore_ascii_case("disabled") => false,
            Some(value) => return Err(InvalidTool { value }),
        };
        let tool_libraries_var = value(TOOL_LIBRARIES)
            .iter()
            .flat_map(|list| list.split(|&byte| byte == b':'))
            .filter(|name| !name.is_empty())
            .map(path)
            .collect();
        let verbose = value(TOOL_VERBOSE_INIT);
        let tool_verbose_init_var = match verbose.as_deref() {
            None => ToolVerboseInit::Disabled,
            Some(word) if word.eq_ignore_ascii_case(b"disabled") => ToolVerboseInit::Disabled,
            Some(word) if word.eq_ignore_ascii_case(b"stdout") => ToolVerboseInit::Stdout,
            Some(word) if word.eq_ignore_ascii_case(b"stderr") => ToolVerboseInit::Stderr,
            Some(name) => ToolVerboseInit::File(path(name)),
        };
        Ok(Self { tool_var, tool_libraries_var, tool_verbose_init_var })
    }

    /// Removes the names of files from the variables of a process with more rights than its user:
    /// of the libraries to load and of the log to write. Returns the variables that are ignored.
    pub fn distrust(&mut self) -> Vec<&'static str> {
        let mut ignored = Vec::new();
        if !self.tool_libraries_var.is_empty() {
            self.tool_libraries_var.clear();
            ignored.push(TOOL_LIBRARIES);
        }
        if matches!(self.tool_verbose_init_var, ToolVerboseInit::File(_)) {
            self.tool_verbose_init_var = ToolVerboseInit::Stderr;
            ignored.push(TOOL_VERBOSE_INIT);
        }
        ignored
    }
}

#[cfg(test)]
mod tests {
    use super::{InvalidTool, ToolIcvs, ToolVerboseInit};
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::PathBuf;

    fn parse(variables: &[(&str, &str)]) -> Result<ToolIcvs, InvalidTool> {
        ToolIcvs::parse(|name| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).into())
        })
    }

    #[test]
    fn a_tool_may_come_unless_disabled() {
        let tool = |value| parse(&[("OMP_TOOL", value)]).map(|icvs| icvs.tool_var);
        assert_eq!(parse(&[]).map(|icvs| icvs.tool_var), Ok(true));
        assert_eq!(tool(""), Ok(true));
        assert_eq!(tool(" Enabled "), Ok(true));
        assert_eq!(tool("DISABLED"), Ok(false));
        let error = tool("no").expect_err("no is not a value of OMP_TOOL");
        assert_eq!(error.to_string(), "OMP_TOOL=\"no\": neither enabled nor disabled");
    }

    #[test]
    fn libraries_are_a_search_path() {
        let icvs = parse(&[("OMP_TOOL_LIBRARIES", "/a/b.so::c d.so:")]).expect("no OMP_TOOL");
        assert_eq!(icvs.tool_libraries_var, [PathBuf::from("/a/b.so"), PathBuf::from("c d.so")]);
    }

    #[test]
    fn a_process_with_more_rights_than_its_user_trusts_no_name_of_a_file() {
        let trusted = [("OMP_TOOL", "disabled"), ("OMP_TOOL_VERBOSE_INIT", "stdout")];
        let mut icvs = parse(&trusted).expect("a valid OMP_TOOL");
        let before = icvs.clone();
        assert!(icvs.distrust().is_empty());
        assert_eq!(icvs, before);
        let names = [("OMP_TOOL_LIBRARIES", "libtool.so"), ("OMP_TOOL_VERBOSE_INIT", "log")];
        let mut icvs = parse(&names).expect("no OMP_TOOL");
        assert_eq!(icvs.distrust(), ["OMP_TOOL_LIBRARIES", "OMP_TOOL_VERBOSE_INIT"]);
        assert!(icvs.tool_libraries_var.is_empty());
        assert_eq!(icvs.tool_verbose_init_var, ToolVerboseInit::Stderr);
        assert!(icvs.distrust().is_empty());
    }

    #[test]
    fn paths_need_not_be_text() {
        let bytes = b"/\xff/tool.so";
        let icvs = ToolIcvs::parse(|name| {
            (name == "OMP_TOOL_LIBRARIES").then(|| OsString::from_vec(bytes.to_vec()))
        });
        let libraries = icvs.expect("no OMP_TOOL").tool_libraries_var;
        assert_eq!(libraries[0].as_os_str().as_bytes(), bytes);
    }

    #[test]
    fn the_search_is_reported_where_one_says() {
        let verbose = |value| {
            let icvs = parse(&[("OMP_TOOL_VERBOSE_INIT", value)]).expect("no OMP_TOOL");
            icvs.tool_verbose_init_var
        };
        assert_eq!(verbose(""), ToolVerboseInit::Disabled);
        assert_eq!(verbose("disabled"), ToolVerboseInit::Disabled);
        assert_eq!(verbose("STDOUT"), ToolVerboseInit::Stdout);
        assert_eq!(verbose("stderr"), ToolVerboseInit::Stderr);
        assert_eq!(verbose("/tmp/log"), ToolVerboseInit::File(PathBuf::from("/tmp/log")));
    }
}
