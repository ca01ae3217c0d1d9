//! A page's commands in one shell, in a folder of its own.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::has_all;

use super::block::{Kind, blocks};
use super::console::{Command, commands};
use super::likeness::difference;
use crate::directives::Ending;
use crate::process::{clear_environment, run};

/// The time that the commands of one page may take.
const LIMIT: Duration = Duration::from_secs(280);

/// The crates with which readers write tools. cargo takes them from the workspace instead of the
/// registry.
const SDK: [&str; 3] = ["ompt", "ompt-macros", "oxomp-sys"];

/// What stands between the outputs of two commands, with the exit status of the first.
const MARK: char = '\u{1e}';

/// A page with commands.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its Markdown.
    text: String,
    /// The folder whose content the page finds in its own.
    examples: PathBuf,
    /// The folder of the command.
    bin: PathBuf,
    /// The folder of the workspace's crates, if the page may build some of them.
    crates: Option<PathBuf>,
    /// The folder in which Python finds the module `oxomp`, if it is there.
    python: Option<PathBuf>,
}

/// A step of a page.
enum Step {
    /// The file of this name is written: its text.
    File(String, String),
    /// A command.
    Command(Command),
}

impl Page {
    /// The page `text`, whose commands find what lies in `examples`, and the programs in `bin`
    /// before all others.
    #[must_use]
    pub fn new(text: String, examples: PathBuf, bin: PathBuf) -> Self {
        Self { text, examples, bin, crates: None, python: None }
    }

    /// The same page, whose commands of cargo find the crates of the SDK in the folder `crates`.
    #[must_use]
    pub fn with_crates(self, crates: PathBuf) -> Self {
        Self { crates: Some(crates), ..self }
    }

    /// The same page, whose Python finds modules in the folder `python`.
    #[must_use]
    pub fn with_python(self, python: PathBuf) -> Self {
        Self { python: Some(python), ..self }
    }

    /// Whether the page has a command to be executed.
    ///
    /// # Errors
    ///
    /// A block whose kind is wrong.
    pub fn has_commands(&self) -> Result<bool, String> {
        Ok(blocks(&self.text)?.iter().any(|block| matches!(block.kind, Kind::Console(_))))
    }

    /// Executes the commands, and compares their outputs.
    ///
    /// # Errors
    ///
    /// The first command that fails, or whose output is not like the one that the page shows.
    pub fn check(&self) -> Result<(), String> {
        let steps = self.steps()?;
        let said = |error: io::Error| format!("the page's folder: {error}");
        let folder = tempfile::tempdir().map_err(said)?;
        let place = folder.path().join("page");
        copy(&self.examples, &place).map_err(said)?;
        if let Some(crates) = &self.crates {
            let place = folder.path().join(".cargo");
            fs::create_dir(&place).map_err(said)?;
            fs::write(place.join("config.toml"), cargo_settings(crates)).map_err(said)?;
        }
        let script = folder.path().join("script");
        fs::write(&script, self.script(&steps, folder.path()).map_err(said)?).map_err(said)?;

        let mut shell = Program::Bash.command();
        clear_environment(&mut shell);
        shell.arg(&script).current_dir(&place).env("PATH", self.path()).env("LC_ALL", "C.UTF-8");
        shell.env_remove("COLUMNS").env_remove("CARGO_TARGET_DIR");
        if let Some(python) = &self.python {
            shell.env("PYTHONPATH", python).env("PYTHONDONTWRITEBYTECODE", "1");
        }
        let outcome = run(&mut shell, LIMIT).map_err(said)?;
        let mut outputs = outcome.stdout.split(MARK);
        let is_command = |step| match step {
            Step::Command(command) => Some(command),
            Step::File(..) => None,
        };
        for command in steps.into_iter().filter_map(is_command) {
            let output = outputs.next().unwrap_or_default();
            let status = outputs.next().and_then(|status| status.trim().parse().ok());
            judge(&command, output, status).map_err(|reason| {
                let Command { line, text, .. } = &command;
                format!("line {line}: {text}\n{reason}\nIt says:\n{}", output.trim_end())
            })?;
        }
        match outcome.ending {
            Ending::Status(0) => Ok(()),
            ending => Err(format!("the shell ended with {ending:?}\n{}", outcome.stderr)),
        }
    }

    /// The steps for which the machine has the programs.
    fn steps(&self) -> Result<Vec<Step>, String> {
        let mut steps = Vec::new();
        for block in blocks(&self.text)? {
            match &block.kind {
                Kind::Console(needed) => {
                    let commands = commands(&block)?;
                    if has_all(needed) {
                        steps.extend(commands.into_iter().map(Step::Command));
                    }
                }
                Kind::File(name) => steps.push(Step::File(name.clone(), block.text)),
                Kind::Install | Kind::Gdb | Kind::Shown => {}
            }
        }
        Ok(steps)
    }

    /// The shell's script, for a page whose folder is `page` in `folder`.
    fn script(&self, steps: &[Step], folder: &Path) -> io::Result<String> {
        let mut script = "exec 2>&1\n".to_owned();
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::File(name, text) => {
                    let kept = folder.join(number.to_string());
                    fs::write(&kept, text)?;
                    let place = folder.join("page").join(name);
                    let (kept, place) = (kept.display(), place.display());
                    let install = Program::Install.text();
                    script += &format!("{install} -D -m 644 {kept} {place}\n");
                }
                Step::Command(command) => {
                    let code = u32::from(MARK);
                    script +=
                        &format!("{}\nprintf '\\{code:03o}%d\\{code:03o}' $?\n", command.text);
                }
            }
        }
        // The status of the last command is no status of the shell.
        script += "exit 0\n";
        Ok(script)
    }

    fn path(&self) -> OsString {
        let mut path = self.bin.clone().into_os_string();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        path
    }
}

/// What cargo reads in a folder above the page's: the crates of the SDK lie in `crates`, and
/// nothing is downloaded.
fn cargo_settings(crates: &Path) -> String {
    let mut settings = "[net]\noffline = true\n\n[patch.crates-io]\n".to_owned();
    for name in SDK {
        settings += &format!("{name} = {{ path = {:?} }}\n", crates.join(name));
    }
    settings
}

/// Whether a command has done what the page shows. It has no `status` if the shell did not come so
/// far.
fn judge(command: &Command, output: &str, status: Option<i32>) -> Result<(), String> {
    match status {
        Some(status) if status == command.status => {}
        Some(status) => return Err(format!("exit status {status}, not {}", command.status)),
        None => return Err("the shell did not come to the end of this command".to_owned()),
    }
    if command.output.is_empty() {
        return Ok(());
    }
    let said: Vec<&str> = output.trim().lines().collect();
    match difference(&command.output, &said) {
        None => Ok(()),
        Some(difference) => Err(format!("In the output, {difference}")),
    }
}

/// Copies the folder `from`, with all that lies in it, to `to`.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Page;

    /// The judgement on a page, whose folder has a file `given`, and whose programs have `greet`.
    fn check(text: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().expect("a folder");
        let (examples, bin) = (folder.path().join("examples"), folder.path().join("bin"));
        fs::create_dir_all(examples.join("inner")).expect("a folder");
        fs::create_dir(&bin).expect("a folder");
        fs::write(examples.join("inner/given"), "given\n").expect("a file");
        let page = Page::new(text.to_owned(), examples, bin);
        assert_eq!(page.has_commands(), Ok(true));
        page.check()
    }

    #[test]
    fn commands_share_a_shell_and_a_folder() {
        let page = "```console\n$ cat inner/given\ngiven\n$ A=5; mkdir b; cd b\n```\n\n\
                    ```c,file=c/d.c\nint d;\n```\n\n\
                    ```console\n$ cat ../c/d.c; echo $A hm >&2\nint d;\n7 hm\n$ printf x\nx\n\
                    $ false\n[exit status 1]\n$ false || echo a\n```\n";
        assert_eq!(check(page), Ok(()));
    }

    #[test]
    fn each_difference_is_found() {
        for (block, reason) in [
            ("$ echo a\nb\n", "line 2: echo a\nIn the output, line 1 is\n    a\nnot\n    b"),
            ("$ true\na\n", "after its end the page has\n    a"),
            ("$ echo a; echo b\na\n", "the page lacks\n    b"),
            ("$ false\n", "exit status 1, not 0"),
            ("$ echo a\na\n[exit status 1]\n", "exit status 0, not 1"),
            ("$ true\n$ exit 0\n$ true\n", "line 3: exit 0\nthe shell did not come to the end"),
            ("$ echo 'a\n", "the shell did not come to the end"),
        ] {
            let said = check(&format!("```console\n{block}```\n"));
            assert!(said.as_ref().is_err_and(|said| said.contains(reason)), "{block}: {said:?}");
        }
    }
}
