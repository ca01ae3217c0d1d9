//! The checksums of what has been made.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The file that has the checksums, as `sha256sum --check` reads it.
pub(super) const FILE: &str = "SHA256SUMS";

/// Writes the checksums of all files in `out`, by name.
pub(super) fn write(out: &Path) -> Result<()> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(out).with_context(|| out.display().to_string())? {
        let path = entry?.path();
        if path.is_file() && path.file_name().is_some_and(|name| name != FILE) {
            files.push(path);
        }
    }
    files.sort();
    let mut text = String::new();
    for path in files {
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        let sum = Sha256::digest(bytes);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for byte in sum {
            text.push_str(&format!("{byte:02x}"));
        }
        text.push_str(&format!("  {name}\n"));
    }
    fs::write(out.join(FILE), text)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use anyhow::Result;

    #[test]
    fn each_file_has_a_line() -> Result<()> {
        let out = tempfile::tempdir()?;
        fs::write(out.path().join("b"), "")?;
        fs::write(out.path().join("a"), "abc")?;
        super::write(out.path())?;
        super::write(out.path())?;
        assert_eq!(
            fs::read_to_string(out.path().join(super::FILE))?,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
        );
        Ok(())
    }
}
