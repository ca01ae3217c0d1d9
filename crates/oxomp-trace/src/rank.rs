//! The process's number in a job of several processes, as launchers of parallel programs tell it.

use std::ffi::OsString;
use std::{env, fs, process};

/// A process's place in its job.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rank {
    /// The number of the process, from 0.
    pub number: u32,
    /// How many processes the job has; `None` if the launcher did not tell.
    pub size: Option<u32>,
    /// A name of the job that all its processes know: the launcher's, as far as it has one.
    pub job: String,
}

/// The variables of a launcher.
struct Launcher {
    rank: &'static str,
    size: &'static [&'static str],
    /// Variables that are the same in all processes of a job, and other than in any other job.
    job: &'static [&'static str],
    /// A variable without which the others do not come from this launcher.
    needs: Option<&'static str>,
}

/// Launchers set the variables of each other's interfaces too: the first that fits is taken.
const LAUNCHERS: [Launcher; 7] = [
    Launcher {
        rank: "OMPI_COMM_WORLD_RANK",
        size: &["OMPI_COMM_WORLD_SIZE"],
        job: &[
            "PMIX_NAMESPACE",
            "OMPI_MCA_ess_base_jobid",
            "OMPI_MCA_orte_precondition_transports",
        ],
        needs: None,
    },
    Launcher {
        rank: "MV2_COMM_WORLD_RANK",
        size: &["MV2_COMM_WORLD_SIZE"],
        job: &["MPISPAWN_ID", "MPIRUN_ID"],
        needs: None,
    },
    Launcher { rank: "PALS_RANKID", size: &["PMI_SIZE"], job: &["PALS_APID"], needs: None },
    Launcher {
        rank: "FLUX_TASK_RANK",
        size: &["FLUX_JOB_SIZE"],
        job: &["FLUX_JOB_ID"],
        needs: None,
    },
    // The script of a batch job has a rank too; only the tasks of srun belong to a step.
    Launcher {
        rank: "SLURM_PROCID",
        size: &["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"],
        job: &["SLURM_JOB_ID", "SLURM_STEP_ID"],
        needs: Some("SLURM_STEP_ID"),
    },
    // MPICH, Intel MPI.
    Launcher { rank: "PMI_RANK", size: &["PMI_SIZE"], job: &["PMI_KVSNAME"], needs: None },
    Launcher { rank: "PMIX_RANK", size: &[], job: &["PMIX_NAMESPACE"], needs: None },
];

/// A job of a batch system, in which a launcher may start several jobs of its own.
const BATCH: [&str; 4] = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"];

/// Characters of a job's name, at most.
const LONGEST_JOB: usize = 400;

/// Ancestors that are looked at, at most.
const MOST_ANCESTORS: u32 = 64;

impl Rank {
    /// The rank of this process.
    #[must_use]
    pub fn of_process() -> Option<Self> {
        Self::find(|name| env::var_os(name), launcher)
    }

    /// The rank that the environment names through `variable`. A process that is alone in its job
    /// has none. If the launcher has no name for the job, `launcher_name` gives one that the
    /// processes of a machine agree on; its argument is the variable of the rank.
    fn find(
        variable: impl Fn(&str) -> Option<OsString>,
        launcher_name: impl FnOnce(&str) -> String,
    ) -> Option<Self> {
        let text = |name: &str| {
            let value = variable(name)?.to_string_lossy().trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        let number = |name: &str| text(name)?.parse::<u32>().ok();
        let (launcher, rank) = LAUNCHERS
            .iter()
            .filter(|launcher| launcher.needs.is_none_or(|needed| text(needed).is_some()))
            .find_map(|launcher| Some((launcher, number(launcher.rank)?)))?;
        let size = launcher.size.iter().find_map(|name| number(name));
        if size.is_some_and(|size| size <= 1 || rank >= size) {
            return None;
        }
        let mut names: Vec<String> = launcher.job.iter().filter_map(|name| text(name)).collect();
        if names.is_empty() {
            names.extend(BATCH.iter().find_map(|name| text(name)));
            // A batch job may have several launchers. Each has a process on each machine, and the
            // ranks of several machines have only the batch job in common.
            if names.is_empty() {
                names.push(launcher_name(launcher.rank));
            }
        }
        let job: String =
            names.join("/").chars().filter(|c| !c.is_control()).take(LONGEST_JOB).collect();
        Some(Self { number: rank, size, job })
    }
}

/// Names the process that started the ranks of this machine: the closest ancestor whose environment
/// has no variable `rank`.
fn launcher(rank: &str) -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let variable = format!("{rank}=");
    let mut pid = process::id();
    for _ in 0..MOST_ANCESTORS {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        if !environment.split(|byte| *byte == 0).any(|one| one.starts_with(variable.as_bytes())) {
            break;
        }
        let Some(parent) = stat(pid, PARENT).and_then(|parent| parent.parse().ok()) else { break };
        pid = parent;
    }
    format!("{} {pid} {}", host.trim(), stat(pid, STARTED).unwrap_or_default())
}

/// Positions behind the command's name in /proc/PID/stat.
const PARENT: usize = 1;
const STARTED: usize = 19;

/// A field of /proc/PID/stat.
fn stat(pid: u32, position: usize) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may have any characters.
    stat.rsplit_once(')')?.1.split_whitespace().nth(position).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Rank;

    fn find(environment: &[(&str, &str)]) -> Option<Rank> {
        let variable = |name: &str| {
            let value = environment.iter().find(|(present, _)| *present == name);
            value.map(|(_, value)| (*value).into())
        };
        Rank::find(variable, |rank| format!("parent of {rank}"))
    }

    fn rank(number: u32, size: Option<u32>, job: &str) -> Option<Rank> {
        Some(Rank { number, size, job: job.to_owned() })
    }

    #[test]
    fn each_launcher_has_its_variables() {
        let open_mpi = [
            ("OMPI_COMM_WORLD_RANK", "3"),
            ("OMPI_COMM_WORLD_SIZE", "4"),
            ("PMIX_RANK", "3"),
            ("PMIX_NAMESPACE", "1556873217"),
            ("OMPI_MCA_orte_precondition_transports", "07af-6b47"),
        ];
        assert_eq!(find(&open_mpi), rank(3, Some(4), "1556873217/07af-6b47"));
        let srun = [
            ("SLURM_PROCID", "7"),
            ("SLURM_NTASKS", "16"),
            ("SLURM_STEP_NUM_TASKS", "8"),
            ("SLURM_JOB_ID", "12"),
            ("SLURM_STEP_ID", "2"),
        ];
        assert_eq!(find(&srun), rank(7, Some(8), "12/2"));
        assert_eq!(
            find(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]),
            rank(0, Some(2), "parent of PMI_RANK")
        );
        let in_batch = [("PMI_RANK", "1"), ("PMI_SIZE", "2"), ("PBS_JOBID", "9.host")];
        assert_eq!(find(&in_batch), rank(1, Some(2), "9.host"));
        assert_eq!(find(&[("PALS_RANKID", "5"), ("PALS_APID", "a")]), rank(5, None, "a"));
        assert_eq!(find(&[("PMIX_RANK", "1"), ("PMIX_NAMESPACE", "n@1")]), rank(1, None, "n@1"));
    }

    #[test]
    fn a_process_that_is_alone_or_that_says_nonsense_has_no_rank() {
        for environment in [
            &[][..],
            &[("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "1")],
            &[("OMPI_COMM_WORLD_RANK", "4"), ("OMPI_COMM_WORLD_SIZE", "4")],
            &[("OMPI_COMM_WORLD_RANK", "none"), ("OMPI_COMM_WORLD_SIZE", "4")],
            // The script of a batch job.
            &[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "16"), ("SLURM_JOB_ID", "12")],
        ] {
            assert_eq!(find(environment), None, "{environment:?}");
        }
    }
}
