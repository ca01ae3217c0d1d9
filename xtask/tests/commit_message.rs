//! The hook `commit-msg` refuses messages that give no reason.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The hook's answer to a message.
fn judged(message: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("COMMIT_EDITMSG");
    fs::write(&file, message).expect("a file");
    Command::new(root.join(".githooks/commit-msg")).arg(file).output().expect("the hook starts")
}

#[test]
fn a_message_with_a_reason_is_accepted() {
    for message in [
        "core: a subject\n\nA reason.\n",
        "\n\ncore: a subject\n\nA reason.\n\nSigned-off-by: A <a@example.org>\n",
        "core: a subject\n\n# A comment.\nA reason.\n# ---- >8 ----\ndiff\n",
        "core: a subject\n\nBecause: see the measurements.\n",
    ] {
        let output = judged(message);
        assert!(output.status.success(), "{message:?}: {output:?}");
    }
}

#[test]
fn a_message_without_a_reason_is_refused_and_the_subject_named() {
    for (message, problem) in [
        ("core: a subject", "is missing"),
        ("core: a subject\n\n\n", "is missing"),
        ("core: a subject\n\n# A comment.\n", "is missing"),
        ("core: a subject\n\nSigned-off-by: A <a@example.org>\n", "is missing"),
        ("core: a subject\n# ---- >8 ----\n\ndiff\n", "is missing"),
        ("core: a subject\nA reason.\n", "an empty line must follow"),
        ("core: format\n", "is missing"),
        ("core: a comment within 100 columns\n", "is missing"),
    ] {
        let output = judged(message);
        assert_eq!(output.status.code(), Some(1), "{message:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(problem) && told.contains("  subject: core: "), "{told}");
    }
}

#[test]
fn merges_and_fixups_need_no_reason() {
    for subject in ["Merge branch 'rows'", "fixup! core: a subject", "squash! core: a subject"] {
        let output = judged(subject);
        assert!(output.status.success(), "{subject}: {output:?}");
    }
}
