//! Running other programs: each run is announced on stderr, and a failure names the program.

use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Runs `command` with our stdout and stderr; an exit status other than 0 is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    succeeded(command, status)
}

/// Runs `command` with our stdout and stderr, whatever its exit status is.
pub fn status(command: &mut Command) -> Result<ExitStatus> {
    announce(command);
    let name = command.get_program().to_string_lossy().into_owned();
    command.status().with_context(|| format!("cannot start `{name}`"))
}

/// An error if `command` ended with an exit status other than 0.
pub fn succeeded(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed: {status}", line(command));
    }
    Ok(())
}

/// Runs `command`, hands back its stdout, and shows its stderr only when it fails.
pub fn capture(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{name}`"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed: {}\n{}", line(command), output.status, stderr.trim_end());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs `command`, announced and with our stderr, and hands back its stdout.
pub fn capture_messages(command: &mut Command) -> Result<String> {
    announce(command);
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{name}`"))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", line(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Says on stderr what is about to run.
pub fn announce(command: &Command) {
    eprintln!("+ {}", line(command));
}

/// The command as one would type it, without its environment.
pub fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
