//! The user as which a command works that looks into another user's process.
//!
//! The process writes the recording, so the folder has to be its user's; and what a command of root
//! writes into a folder of another user, that user may lead astray, by a link for instance. So the
//! command becomes that user once it has opened what takes its own rights.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{Gid, OFlags, Uid, fchown};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

/// Gives the user and group a folder that the command has just made, and becomes them. Before the
/// command has other threads.
pub(super) fn become_user(folder: Option<&Path>, (user, group): (u32, u32)) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
    if let Some(folder) = folder {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
        let folder =
            File::options().read(true).custom_flags(flags.bits().cast_signed()).open(folder)?;
        fchown(folder, Some(user), Some(group))?;
    }
    set_thread_groups(&[group])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}
