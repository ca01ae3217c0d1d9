//! placeholder
use crate::workspace::Workspace;
pub fn run(_: &Workspace) -> anyhow::Result<()> {
    Ok(())
}
