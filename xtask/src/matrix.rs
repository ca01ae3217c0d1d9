//! placeholder
use crate::workspace::Workspace;
pub fn run(_: &Workspace, _: bool) -> anyhow::Result<()> {
    Ok(())
}
