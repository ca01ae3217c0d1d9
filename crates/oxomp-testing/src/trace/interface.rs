//! The interfaces by which the recorder may listen.

/// An interface of OMPT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interface {
    /// The interface of OpenMP 5.0 to 6.0.
    #[default]
    OpenMp,
    /// The interface of the technical report of 2015.
    Report2015,
}

impl Interface {
    /// Reads the value of a `Trace` directive or of `OXOMP_TEST_INTERFACE`.
    ///
    /// # Errors
    ///
    /// A value that names no interface.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "" => Ok(Self::OpenMp),
            "2015" => Ok(Self::Report2015),
            other => Err(format!("{other}: the only interface with a name is `2015`")),
        }
    }

    /// The file of `tests/expect/` with the pieces for all expectations by this interface.
    #[must_use]
    pub fn pieces(self) -> &'static str {
        match self {
            Self::OpenMp => "pieces.trace",
            Self::Report2015 => "report_2015.trace",
        }
    }
}
