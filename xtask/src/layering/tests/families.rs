//! Families of the ABI.

use super::super::families::check;

#[test]
fn compiler_families_do_not_meet() {
    let folder = super::write(&[
        ("lib.rs", ""),
        ("entry.rs", "pub fn entry() {}"),
        ("gomp.rs", "use crate::entry::entry;\npub fn parallel() {}"),
        ("kmpc/mod.rs", ""),
        ("kmpc/fork.rs", "use crate::entry::entry;\nuse crate::gomp::parallel;\nfn f() {}"),
    ]);
    let breaches = check(folder.path()).expect("a crate");
    assert_eq!(breaches.len(), 1);
    assert!(breaches[0].file.ends_with("kmpc/fork.rs"));
    assert_eq!(breaches[0].line, 2);
}
