//! From a code address of the log to the line of the program, and the marks in its source.

use std::fs;
use std::path::Path;

use addr2line::Loader;

/// The program's debugging information and its `//@NAME` marks.
pub struct SourceLines {
    module: String,
    loader: Loader,
    /// Each mark with the line it stands in.
    marks: Vec<(String, u32)>,
}

impl std::fmt::Debug for SourceLines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceLines")
            .field("module", &self.module)
            .field("marks", &self.marks)
            .finish_non_exhaustive()
    }
}

impl SourceLines {
    /// The lines of `executable`, which was compiled from `source`.
    ///
    /// # Errors
    ///
    /// One of the files cannot be read.
    pub fn new(executable: &Path, source: &Path) -> Result<Self, String> {
        let text =
            fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
        let loader = Loader::new(executable)
            .map_err(|error| format!("{}: {error}", executable.display()))?;
        let module = executable.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { module, loader, marks: marks(&text) })
    }

    /// Whether the source has such a mark.
    #[must_use]
    pub fn has_mark(&self, mark: &str) -> bool {
        self.marks.iter().any(|(name, _)| name == mark)
    }

    /// Whether the call that returns to `address` (`module+0xoffset`) stands in a line so marked.
    #[must_use]
    pub fn returns_to(&self, address: &str, mark: &str) -> bool {
        let Some(line) = self.line(address) else { return false };
        self.marks.iter().any(|(name, at)| name == mark && *at == line)
    }

    /// Whether the function at `address` (`module+0xoffset`) begins in a line so marked.
    #[must_use]
    pub fn begins_at(&self, address: &str, mark: &str) -> bool {
        let Some(line) = self.offset(address).and_then(|offset| self.line_of(offset)) else {
            return false;
        };
        self.marks.iter().any(|(name, at)| name == mark && *at == line)
    }

    /// The line of the call that returns to `address`, if it lies in the program.
    #[must_use]
    pub fn line(&self, address: &str) -> Option<u32> {
        // The call lies before its return address, which may belong to the next line.
        self.line_of(self.offset(address)?.checked_sub(1)?)
    }

    /// The offset of an address in the program.
    fn offset(&self, address: &str) -> Option<u64> {
        let (module, offset) = address.split_once('+')?;
        let offset = u64::from_str_radix(offset.strip_prefix("0x")?, 16).ok()?;
        (module == self.module).then_some(offset)
    }

    fn line_of(&self, offset: u64) -> Option<u32> {
        self.loader.find_location(offset).ok()??.line
    }
}

fn marks(text: &str) -> Vec<(String, u32)> {
    let mut marks = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().trim_start_matches('!').starts_with("//") {
            continue;
        }
        if let Some((_, names)) = line.split_once("//@") {
            marks.extend(names.split_whitespace().map(|name| (name.to_owned(), number)));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::marks;

    #[test]
    fn marks_are_words_after_the_sign_at_the_end_of_a_line() {
        let found = marks("//| work codeptr=@LOOP\nint x; //@ONE TWO\n\n#pragma omp for //@LOOP\n");
        let wanted = [("ONE", 2), ("TWO", 2), ("LOOP", 4)];
        assert_eq!(found, wanted.map(|(name, line)| (name.to_owned(), line)));
    }
}
