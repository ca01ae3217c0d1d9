//! The program to be run: found as `execvp` would find it, and told apart by what it is.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::elf::{self, ElfProgram, LoaderSays, NotAProgram};
use crate::failure::Failure;
use crate::messages::reason;

/// Bytes of a file that are looked at to tell a script from data; the kernel reads as many.
const SCRIPT_HEAD: usize = 256;

/// A file that can be run.
#[derive(Debug)]
pub(crate) struct Program {
    /// As it is handed to the kernel.
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    /// True if it runs with other rights than ours, so that the loader ignores our variables.
    pub(crate) is_privileged: bool,
}

/// The kind of a program.
#[derive(Debug)]
pub(crate) enum Kind {
    Elf(ElfProgram),
    /// Text for this interpreter.
    Script {
        interpreter: PathBuf,
    },
}

impl Program {
    /// Finds `name` (a path, or a name to look for in `PATH`) and reads what it is.
    pub(crate) fn find(name: &OsStr) -> Result<Self, Failure> {
        let path = resolve(name)?;
        let shown = path.display();
        let metadata = fs::metadata(&path).map_err(|error| not_there(&path, &error))?;
        if metadata.is_dir() {
            return Err(Failure::cannot_run(format!("{shown}: is a folder, not a program")));
        }
        if !is_executable(&metadata) {
            return Err(Failure::cannot_run(format!(
                "{shown}: is not executable (try `chmod +x {shown}`)"
            )));
        }
        let kind = match elf::read(&path) {
            Ok(program) => {
                if let Some(interpreter) = &program.interpreter {
                    require(interpreter, &path, "the dynamic loader")?;
                }
                Kind::Elf(program)
            }
            Err(NotAProgram::NotElf) => Kind::Script { interpreter: script_interpreter(&path)? },
            Err(NotAProgram::OtherKind(kind)) => {
                return Err(Failure::cannot_run(format!("{shown}: is {kind}")));
            }
            Err(NotAProgram::OtherMachine(machine)) => {
                return Err(Failure::cannot_run(format!(
                    "{shown}: is a program for {machine}; this machine is {}",
                    env::consts::ARCH
                )));
            }
            Err(NotAProgram::Damaged(reason)) => {
                return Err(Failure::cannot_run(format!("{shown}: cannot be read: {reason}")));
            }
        };
        // Root has all capabilities anyway.
        let gains = !rustix::process::getuid().is_root() && has_capabilities(&path);
        Ok(Self { is_privileged: changes_rights(&metadata) || gains, path, kind })
    }

    /// The file name, for naming the folder of a run.
    pub(crate) fn short_name(&self) -> String {
        self.path.file_name().unwrap_or(OsStr::new("program")).to_string_lossy().into_owned()
    }

    /// The libraries that its dynamic loader would load with `variables` added to the environment;
    /// `None` if it has no such loader, or one that does not tell. With other rights than the
    /// user's, the loader ignores the variables of its search, which are asked for with empty
    /// values then.
    pub(crate) fn ask_loader(&self, variables: &[(OsString, OsString)]) -> Option<LoaderSays> {
        let Kind::Elf(elf) = &self.kind else { return None };
        let ignored = ["LD_LIBRARY_PATH", "LD_PRELOAD"].map(|name| (name.into(), "".into()));
        let variables = if self.is_privileged { &ignored } else { variables };
        elf::ask_loader(elf.interpreter.as_deref()?, &self.path, variables)
    }
}

fn resolve(name: &OsStr) -> Result<PathBuf, Failure> {
    if name.is_empty() {
        return Err(Failure::not_found("the program's name is empty"));
    }
    if name.as_bytes().contains(&b'/') {
        return Ok(PathBuf::from(name));
    }
    let search = env::var_os("PATH").unwrap_or_else(|| OsString::from("/bin:/usr/bin"));
    let candidates: Vec<PathBuf> =
        env::split_paths(&search).map(|folder| in_folder(&folder, name)).collect();
    let is_file = |path: &&PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let runnable = candidates
        .iter()
        .filter(is_file)
        .find(|path| fs::metadata(path).is_ok_and(|metadata| is_executable(&metadata)));
    runnable.or_else(|| candidates.iter().find(is_file)).cloned().ok_or_else(|| {
        let shown = Path::new(name).display();
        let here = if Path::new(name).exists() {
            format!("; for the file in this folder say ./{shown}")
        } else {
            String::new()
        };
        Failure::not_found(format!("{shown}: no such program in PATH{here}"))
    })
}

/// An empty entry of `PATH` is the current folder.
fn in_folder(folder: &Path, name: &OsStr) -> PathBuf {
    if folder.as_os_str().is_empty() { Path::new(".").join(name) } else { folder.join(name) }
}

fn is_executable(metadata: &fs::Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}

/// Whether the program has the set-user-id or set-group-id bit of another user or group.
fn changes_rights(metadata: &fs::Metadata) -> bool {
    let mode = metadata.permissions().mode();
    let user = mode & 0o4000 != 0 && metadata.uid() != rustix::process::getuid().as_raw();
    let group = mode & 0o2000 != 0 && metadata.gid() != rustix::process::getgid().as_raw();
    user || group
}

/// Whether the program has capabilities of its own (capabilities(7)).
fn has_capabilities(path: &Path) -> bool {
    let mut value = [0_u8; 64];
    rustix::fs::getxattr(path, CAPABILITIES, &mut value[..]).is_ok_and(|size| size > 0)
}

/// The attribute of a file that holds them.
const CAPABILITIES: &str = "security.capability";

fn not_there(path: &Path, error: &std::io::Error) -> Failure {
    let shown = path.display();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            Failure::not_found(format!("{shown}: no such file"))
        }
        _ => Failure::cannot_run(format!("{shown}: cannot be run: {}", reason(error))),
    }
}

fn require(needed: &Path, by: &Path, what: &str) -> Result<(), Failure> {
    if needed.exists() {
        return Ok(());
    }
    Err(Failure::cannot_run(format!(
        "{}: {what} it asks for, {}, does not exist",
        by.display(),
        needed.display()
    )))
}

/// The program behind `#!`; text without that line is the shell's, as `execvp` has it.
fn script_interpreter(path: &Path) -> Result<PathBuf, Failure> {
    let mut head = Vec::with_capacity(SCRIPT_HEAD);
    File::open(path)
        .and_then(|file| file.take(SCRIPT_HEAD as u64).read_to_end(&mut head))
        .map_err(|error| not_there(path, &error))?;
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(line) = line.strip_prefix(b"#!") else {
        if head.is_empty() || head.contains(&0) {
            return Err(Failure::cannot_run(format!(
                "{}: is neither an ELF program nor a script",
                path.display()
            )));
        }
        return Ok(PathBuf::from("/bin/sh"));
    };
    let name = line.trim_ascii().split(|byte| byte.is_ascii_whitespace()).next();
    let interpreter = PathBuf::from(OsString::from_vec(name.unwrap_or_default().to_vec()));
    require(&interpreter, path, "the interpreter")?;
    Ok(interpreter)
}

#[cfg(test)]
mod tests {
    use super::{CAPABILITIES, has_capabilities};
    use oxomp_prerequisites::skipped::skip;
    use rustix::fs::{XattrFlags, setxattr};

    #[test]
    fn a_program_with_capabilities_is_known() {
        let program = tempfile::NamedTempFile::new().expect("a temporary file");
        assert!(!has_capabilities(program.path()));
        // The kernel's structure, revision 2: effective; CAP_NET_RAW permitted, nothing inherited.
        let words: [u32; 5] = [0x0200_0001, 1 << 13, 0, 0, 0];
        let bytes = words.map(u32::to_le_bytes).concat();
        if let Err(reason) = setxattr(program.path(), CAPABILITIES, &bytes, XattrFlags::empty()) {
            return skip(&format!("capabilities of a file: {reason}"));
        }
        assert!(has_capabilities(program.path()));
    }
}
