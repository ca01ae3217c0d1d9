//! The emulator, which the kernel starts for programs of another processor (binfmt_misc).

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_prerequisites::Foreign;

use super::Target;

/// The variable by which the emulator knows where the other processor's libraries are.
pub(super) const LIBRARIES: &str = "QEMU_LD_PREFIX";

/// The name of our rule.
const RULE: &str = "oxomp-aarch64";

/// Where the kernel is told of emulators.
const KERNEL: &str = "/proc/sys/fs/binfmt_misc";

/// Has the kernel start programs of `processor`, if it does not do so yet; `root` has one. It goes
/// on to do so until the machine is started anew.
///
/// # Errors
///
/// The kernel does not, and only root may tell it to.
pub(super) fn ensure(processor: Target, root: &Path) -> Result<()> {
    if runs(processor, root) {
        return Ok(());
    }
    let told = tell(processor);
    if !runs(processor, root) {
        let reason = told.err().map_or(String::new(), |error| format!(": {error:#}"));
        bail!(
            "the kernel does not start programs of {}{reason}. As root, `mount -t binfmt_misc \
             binfmt_misc {KERNEL}` lets this command tell it to",
            processor.debian()
        );
    }
    Ok(())
}

/// Has the kernel start programs of `processor` that lie in a folder with all their libraries, if
/// it has not been told to yet.
pub(super) fn ensure_told(processor: Target) -> Result<()> {
    let names = match processor {
        // Ours, and that of Debian's package.
        Target::Aarch64 => [RULE, "qemu-aarch64"],
    };
    if names.iter().any(|name| Path::new(KERNEL).join(name).exists()) {
        return Ok(());
    }
    tell(processor)
}

/// Whether the kernel starts the loader in `root`.
fn runs(processor: Target, root: &Path) -> bool {
    let loader = match processor {
        Target::Aarch64 => "lib/ld-linux-aarch64.so.1",
    };
    let mut version = Command::new(root.join(loader));
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Tells the kernel by which emulator it starts programs of `processor`.
fn tell(processor: Target) -> Result<()> {
    let register = Path::new(KERNEL).join("register");
    if !register.exists() {
        let mut mount = Foreign::Mount.command();
        command::run(mount.args(["-t", "binfmt_misc", "binfmt_misc", KERNEL]))?;
    }
    let emulator = processor.emulator();
    let path = emulator.find().with_context(|| format!("no {}", emulator.text()))?;
    let line = rule(processor, &path);
    fs::write(&register, line).with_context(|| register.display().to_string())
}

/// The rule: programs that begin with these bytes, as far as the mask has them, are the emulator's.
/// F: it is opened now, so that it is found in other folders' roots too.
fn rule(processor: Target, emulator: &Path) -> String {
    // ELF of 64 bits in little-endian order: 16 bytes of identification, the type (2 or 3: a
    // program), and the machine, 183.
    let (name, machine) = match processor {
        Target::Aarch64 => (RULE, r"\xb7\x00"),
    };
    let magic = r"\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00";
    let mask = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff";
    format!(":{name}:M::{magic}{machine}:{mask}:{}:F", emulator.display())
}
