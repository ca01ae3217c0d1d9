//! Programs of Debian that align, cluster and order the sequences of genes and proteins: integers
//! throughout, so that their answers are equal to the byte.

use std::fs;

use oxomp_prerequisites::Program;

use crate::place;
use crate::session::{Served, Session};

const BASES: &[u8] = b"ACGT";

/// The letters of amino acids.
pub(crate) const ACIDS: &[u8] = b"ACDEFGHIKLMNPQRSTVWY";

/// Runs `session` with `words` on both runtimes with 1, 2 and 4 threads, each time in a folder of
/// its own with the file `in.fa`, and demands equal contents of `result`. `THREADS` in a word is
/// replaced by their number; `user` is the file that uses OpenMP.
pub(crate) fn make_the_same(
    session: &Session,
    user: &str,
    words: &[&str],
    source: &str,
    result: &str,
) {
    for threads in [1, 2, 4] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let made = |name: &str, run: fn(&Session, &str)| {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).expect("the folder is writable");
            fs::write(folder.join("in.fa"), source).expect("the folder is writable");
            let session = session.clone().within(&folder).threads(threads);
            let words = words.iter().map(|word| word.replace("THREADS", &threads.to_string()));
            run(&words.fold(session, Session::argument), user);
            fs::read(folder.join(result)).expect("the program made it")
        };
        let theirs = made("theirs", |session, _| drop(session.alone()));
        let ours = made("ours", |session, user| drop(session.on_ours(&[user])));
        assert!(theirs.len() > 500, "{user} made only {} bytes", theirs.len());
        assert!(theirs == ours, "{user} made something else with {threads} threads");
    }
}

/// Sequences that descend from each other with changes and losses, as a FASTA file.
pub(crate) fn family(count: usize, length: usize, letters: &[u8], losses: usize) -> String {
    let mut state = 12345u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % bound
    };
    let mut ancestors: Vec<Vec<u8>> = vec![];
    ancestors.push((0..length).map(|_| letters[below(letters.len())]).collect());
    let mut text = String::new();
    for number in 0..count {
        let mut sequence = ancestors[below(ancestors.len())].clone();
        for _ in 0..length / 13 {
            let at = below(sequence.len());
            sequence[at] = letters[below(letters.len())];
        }
        for _ in 0..losses {
            sequence.remove(below(sequence.len()));
        }
        text.push_str(&format!(">s{number}\n{}\n", String::from_utf8_lossy(&sequence)));
        ancestors.push(sequence);
    }
    text
}

/// The program, which uses OpenMP itself; `None`, with a message, if it is missing.
fn session(program: Program) -> Option<Session> {
    Some(Session::new(place::installed(program)?, Served::Library))
}

#[test]
fn alignments_by_clustal_omega_are_the_same_to_the_byte() {
    let Some(clustalo) = session(Program::ClustalOmega) else { return };
    let words = ["-i", "in.fa", "-o", "out.fa", "--threads=THREADS"];
    make_the_same(&clustalo, "clustalo", &words, &family(40, 150, ACIDS, 3), "out.fa");
}

#[test]
fn trees_by_fasttree_are_the_same_to_the_byte() {
    let Some(fasttree) = session(Program::FastTree) else { return };
    let words = ["-nt", "-gtr", "-quiet", "-out", "out.tree", "in.fa"];
    make_the_same(&fasttree, "fasttreeMP", &words, &family(60, 300, BASES, 0), "out.tree");
}

#[test]
fn clusters_by_cd_hit_are_the_same_to_the_byte() {
    let Some(cdhit) = session(Program::CdHit) else { return };
    let words = ["-i", "in.fa", "-o", "out", "-T", "THREADS", "-c", "0.9", "-n", "8"];
    make_the_same(&cdhit, "cd-hit-est", &words, &family(400, 300, BASES, 2), "out.clstr");
}
