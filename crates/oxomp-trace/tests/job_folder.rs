//! Ranks of jobs that agree on folders: many at once, jobs one after the other, batch scripts.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread;

use oxomp_trace::Rank;
use oxomp_trace::job_folder::{self, Mark, create_numbered, join_named};

const RANKS: u32 = 16;

fn rank(number: u32, job: &str) -> Rank {
    Rank { number, size: Some(RANKS), job: job.to_owned() }
}

/// The folders of all ranks of the jobs, which begin at the same moment.
fn race(parent: &Path, jobs: &[&str]) -> Vec<PathBuf> {
    let together = Barrier::new(RANKS as usize * jobs.len());
    thread::scope(|scope| {
        let together = &together;
        let ranks = jobs.iter().flat_map(|job| (0..RANKS).map(move |number| rank(number, job)));
        let threads: Vec<_> = ranks
            .map(|rank| {
                scope.spawn(move || {
                    together.wait();
                    create_numbered(parent, "app", Some(&rank)).unwrap().0
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn ranks_that_begin_at_once_have_one_folder_per_job() {
    for _ in 0..20 {
        let parent = tempfile::tempdir().unwrap();
        let folders = race(parent.path(), &["a", "b"]);
        let (of_a, of_b) = folders.split_at(RANKS as usize);
        let distinct: BTreeSet<_> = [of_a, of_b]
            .map(|of_job| {
                let distinct: BTreeSet<_> = of_job.iter().collect();
                assert_eq!(distinct.len(), 1, "{distinct:?}");
                of_job[0].clone()
            })
            .into();
        let expected = [1, 2].map(|number| parent.path().join(format!("oxomp-app-{number}")));
        assert_eq!(distinct, expected.into());
        // Nothing else is left.
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2);
        let marks: Vec<_> = (0..RANKS).map(|number| (number, Mark::Begun)).collect();
        assert_eq!(job_folder::marks(&of_a[0]), marks);
        assert_eq!(job_folder::size(&of_a[0]), Some(RANKS));
    }
}

/// As a batch script does that profiles twice, while other ranks are still at the first program.
#[test]
fn a_rank_that_comes_again_goes_on_to_the_next_folder() {
    let parent = tempfile::tempdir().unwrap();
    let folder = |number| create_numbered(parent.path(), "app", Some(&rank(number, "a"))).unwrap();
    let [first, second] = [1, 2].map(|number| parent.path().join(format!("oxomp-app-{number}")));
    assert_eq!(folder(0), (first.clone(), true));
    assert_eq!(folder(0), (second.clone(), true));
    assert_eq!(folder(1), (first, false));
    assert_eq!(folder(1), (second, false));
}

#[test]
fn folders_of_other_runs_are_left_alone() {
    let parent = tempfile::tempdir().unwrap();
    let (alone, _) = create_numbered(parent.path(), "app", None).unwrap();
    let (of_job, _) = create_numbered(parent.path(), "app", Some(&rank(0, "a"))).unwrap();
    let (later, _) = create_numbered(parent.path(), "app", None).unwrap();
    let numbers = [alone, of_job, later].map(|path| path.file_name().unwrap().to_owned());
    assert_eq!(numbers, ["oxomp-app-1", "oxomp-app-2", "oxomp-app-3"]);
}

#[test]
fn a_folder_that_the_user_names_is_one_jobs_only() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("deep/data");
    let together = Barrier::new(RANKS as usize);
    thread::scope(|scope| {
        for number in 0..RANKS {
            let (path, together) = (&path, &together);
            scope.spawn(move || {
                together.wait();
                join_named(path, &rank(number, "a")).unwrap();
            });
        }
    });
    assert_eq!(job_folder::marks(&path).len(), RANKS as usize);
    let refused = |path: &Path, rank: &Rank| join_named(path, rank).unwrap_err().kind();
    assert_eq!(refused(&path, &rank(0, "a")), ErrorKind::AlreadyExists);
    assert_eq!(refused(&path, &rank(0, "b")), ErrorKind::AlreadyExists);
    let used = parent.path().join("used");
    fs::create_dir(&used).unwrap();
    fs::write(used.join("run.oxp"), "").unwrap();
    assert_eq!(refused(&used, &rank(0, "a")), ErrorKind::AlreadyExists);
}

#[test]
fn a_rank_says_how_it_ended() {
    let parent = tempfile::tempdir().unwrap();
    let rank = rank(3, "a");
    let (path, _) = create_numbered(parent.path(), "app", Some(&rank)).unwrap();
    job_folder::leave_mark(&path, &rank, "killed by SIGKILL").unwrap();
    let ended = Mark::Ended("killed by SIGKILL".to_owned());
    assert_eq!(job_folder::marks(&path), [(3, ended)]);
    job_folder::forget(&path);
    assert_eq!(job_folder::marks(&path), []);
    assert_eq!(job_folder::size(&path), None);
}

#[test]
fn recordings_are_named_by_rank() {
    let rank = rank(12, "a");
    assert_eq!(job_folder::file_name(Some(&rank), 4711, 1), "rank-12.oxp");
    assert_eq!(job_folder::file_name(Some(&rank), 4711, 2), "rank-12-4711.oxp");
    assert_eq!(job_folder::file_name(Some(&rank), 4711, 3), "rank-12-4711-2.oxp");
    assert_eq!(job_folder::file_name(None, 4711, 1), "4711.oxp");
    assert_eq!(job_folder::file_name(None, 4711, 3), "4711-3.oxp");
}
