//! The processor time that the process may use, in processors: the quotas of Linux's control
//! groups.
//!
//! A container with `--cpus=2` on a machine of 64 processors may run on all of them, but only for 2
//! × 100 ms of processor time in each period of 100 ms. 64 threads use that up in 3 ms, and the
//! kernel then stops them all until the next period, while they hold locks or are inside barriers.
//! So teams have at most as many threads as the quota, rounded up, unless the user asks for more,
//! and a larger team waits as on an oversubscribed machine. *num-procs-var* (`omp_get_num_procs`)
//! remains the number of available processors, as the specification says, which programs use to
//! number and bind threads.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The smallest quota of the process's control groups, in processors, rounded up; `None` if no
/// group has a quota. `root` is the root of the file system.
pub(crate) fn cpu_quota(root: &Path) -> Option<u32> {
    let groups = text_of(&root.join("proc/self/cgroup"))?;
    // One hierarchy has the controller: that of version two, if none of version one has it.
    let hierarchy = groups.lines().filter_map(Hierarchy::of_line).min_by_key(|it| it.version)?;
    hierarchy.usual_place(root).or_else(|| hierarchy.mounted_place(root))?.least_quota()
}

/// The text of a file that the kernel makes when it is read. The size of such a file says nothing:
/// the standard library would ask for it in vain, which `take` prevents, and then read in many
/// small parts, at the start of each program.
fn text_of(path: &Path) -> Option<String> {
    let mut text = String::with_capacity(USUAL_BYTES);
    File::open(path).ok()?.take(u64::MAX).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Most of these files are shorter.
const USUAL_BYTES: usize = 4096;

/// The lines of `mounts` that mount a hierarchy of groups.
fn mounts_of_groups(mounts: &str) -> impl Iterator<Item = &str> {
    mounts.match_indices(" - cgroup").map(|(at, _)| {
        let begin = mounts[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = &mounts[begin..];
        line.split_once('\n').map_or(line, |(line, _)| line)
    })
}

/// A hierarchy of groups that may have quotas, and the process's path in it.
struct Hierarchy<'a> {
    version: Version,
    path: &'a Path,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Version {
    One,
    Two,
}

impl<'a> Hierarchy<'a> {
    /// Parses `number:controllers:path`, the format of cgroups(7).
    fn of_line(line: &'a str) -> Option<Self> {
        let mut fields = line.splitn(3, ':');
        let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let version = match (number, controllers) {
            ("0", "") => Version::Two,
            (_, list) if list.split(',').any(|controller| controller == "cpu") => Version::One,
            _ => return None,
        };
        Some(Self { version, path: Path::new(path) })
    }

    /// The process's group where systems usually mount the hierarchy, if it is there. The list of
    /// mounts is long, and takes the kernel longer to write than any other of these files.
    fn usual_place(&self, root: &Path) -> Option<Place> {
        let top = root.join(match self.version {
            Version::One => "sys/fs/cgroup/cpu",
            Version::Two => "sys/fs/cgroup",
        });
        let place = self.place(top, self.path.strip_prefix("/").ok()?);
        place.group.join("cgroup.procs").exists().then_some(place)
    }

    /// The process's group by the list of mounts.
    fn mounted_place(&self, root: &Path) -> Option<Place> {
        let mounts = text_of(&root.join("proc/self/mountinfo"))?;
        let (mount_root, mount_point) =
            mounts_of_groups(&mounts).find_map(|line| self.mount(line))?;
        let top = root.join(mount_point.strip_prefix("/").unwrap_or(&mount_point));
        // Groups outside of the mounted part are invisible, as in a container whose file has the
        // host's paths.
        Some(self.place(top, self.path.strip_prefix(&mount_root).unwrap_or(Path::new(""))))
    }

    /// The group at the path `inner` of a hierarchy at `top`.
    fn place(&self, top: PathBuf, inner: &Path) -> Place {
        let is_plain = inner.components().all(|part| matches!(part, Component::Normal(_)));
        let group = if is_plain { top.join(inner) } else { top.clone() };
        Place { version: self.version, top, group }
    }

    /// Root and mount point in a line of proc(5)'s mountinfo, if the line mounts the hierarchy.
    fn mount(&self, line: &str) -> Option<(PathBuf, PathBuf)> {
        let (mount, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let is_ours = match (kind.next()?, self.version) {
            ("cgroup2", Version::Two) => true,
            ("cgroup", Version::One) => kind.nth(1)?.split(',').any(|option| option == "cpu"),
            _ => false,
        };
        let mut fields = mount.split(' ').skip(3);
        let path = |field: &str| PathBuf::from(field.replace("\\040", " "));
        is_ours.then_some((path(fields.next()?), path(fields.next()?)))
    }
}

/// The folder of the process's group, and of the hierarchy that has it.
struct Place {
    version: Version,
    top: PathBuf,
    group: PathBuf,
}

impl Place {
    /// The smallest quota of the group and of its ancestors.
    fn least_quota(&self) -> Option<u32> {
        let groups = self.group.ancestors().take_while(|folder| folder.starts_with(&self.top));
        groups.filter_map(|folder| self.quota(folder)).min()
    }

    fn quota(&self, folder: &Path) -> Option<u32> {
        let text = |file| text_of(&folder.join(file));
        match self.version {
            Version::Two => {
                let text = text("cpu.max")?;
                let (quota, period) = text.trim().split_once(' ')?;
                processors(quota, period)
            }
            Version::One => {
                let quota = text("cpu.cfs_quota_us").filter(|quota| !quota.starts_with('-'))?;
                processors(&quota, &text("cpu.cfs_period_us")?)
            }
        }
    }
}

/// The quota in processors, rounded up, so that a fraction of a processor is used too. `max` and
/// negative numbers mean no quota.
fn processors(quota: &str, period: &str) -> Option<u32> {
    let (quota, period): (u64, u64) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
    let processors = quota.checked_add(period.checked_sub(1)?)? / period;
    Some(u32::try_from(processors).unwrap_or(u32::MAX).max(1))
}

#[cfg(test)]
mod tests {
    use super::cpu_quota;
    use crate::places::fake_tree::Tree;

    const V2: &str = "30 20 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
    const V1: &str = "31 20 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct";

    fn tree(group: &str, mount: &str, files: &[(&str, &str)]) -> Tree {
        let tree = Tree::new();
        tree.write("proc/self/cgroup", group);
        tree.write("proc/self/mountinfo", &format!("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n{mount}"));
        for (file, text) in files {
            tree.write(&format!("sys/fs/cgroup/{file}"), text);
        }
        tree
    }

    fn quota(group: &str, mount: &str, files: &[(&str, &str)]) -> Option<u32> {
        cpu_quota(tree(group, mount, files).path())
    }

    #[test]
    fn version_two_rounds_up() {
        let of = |text: &str| quota("0::/", V2, &[("cpu.max", text)]);
        assert_eq!(of("max 100000"), None);
        assert_eq!(of("200000 100000"), Some(2));
        assert_eq!(of("150000 100000"), Some(2));
        assert_eq!(of("1000 100000"), Some(1));
        assert_eq!(of("18446744073709551615 1"), Some(u32::MAX));
        for nonsense in ["", "x", "100000", "1 0", "-1 100000", "99999999999999999999 1"] {
            assert_eq!(of(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn the_least_of_all_groups_around_counts() {
        let files = [
            ("a/b/cpu.max", "max 100000"),
            ("a/cpu.max", "300000 100000"),
            ("cpu.max", "400000 100000"),
            ("a/b/other/cpu.max", "100000 100000"),
        ];
        assert_eq!(quota("0::/a/b", V2, &files), Some(3));
        assert_eq!(quota("0::/", V2, &files), Some(4));
        assert_eq!(quota("0::/not/there", V2, &files), Some(4));
        assert_eq!(quota("0::/../../escaped", V2, &files), Some(4));
    }

    #[test]
    fn version_one_has_two_files() {
        let group = "5:memory:/docker/1\n4:cpu,cpuacct:/docker/1\n0::/";
        let files = |quota| {
            [
                ("cpu,cpuacct/docker/1/cpu.cfs_quota_us", quota),
                ("cpu,cpuacct/docker/1/cpu.cfs_period_us", "50000"),
                ("cpu,cpuacct/cpu.cfs_quota_us", "-1"),
                ("cpu,cpuacct/cpu.cfs_period_us", "100000"),
            ]
        };
        assert_eq!(quota(group, V1, &files("125000")), Some(3));
        assert_eq!(quota(group, V1, &files("-1")), None);
        assert_eq!(quota("4:cpuset:/docker/1", V1, &files("125000")), None);
    }

    #[test]
    fn a_container_sees_its_own_group_as_the_top() {
        let mount = V1.replace(" / /sys", " /docker/1 /sys");
        let files = [
            ("cpu,cpuacct/cpu.cfs_quota_us", "100000"),
            ("cpu,cpuacct/cpu.cfs_period_us", "100000"),
        ];
        assert_eq!(quota("4:cpu,cpuacct:/docker/1", &mount, &files), Some(1));
        assert_eq!(quota("4:cpu,cpuacct:/elsewhere", &mount, &files), Some(1));
    }

    #[test]
    fn the_usual_folder_needs_no_list_of_mounts() {
        let of = |group: &str, files: &[(&str, &str)]| quota(group, "", files);
        let two = [("a/cgroup.procs", ""), ("a/cpu.max", "max 1000"), ("cpu.max", "3000 1000")];
        assert_eq!(of("0::/a", &two), Some(3));
        assert_eq!(of("0::/b", &two), None);
        let one = [
            ("cpu/a/cgroup.procs", ""),
            ("cpu/a/cpu.cfs_quota_us", "200000"),
            ("cpu/a/cpu.cfs_period_us", "100000"),
        ];
        assert_eq!(of("4:cpu,cpuacct:/a\n0::/a", &one), Some(2));
        assert_eq!(of("4:cpu,cpuacct:/a/..", &one), None);
        // A part of the hierarchy is mounted there, as in a container.
        let mounted = V2.replace(" / /sys", " /a /sys");
        assert_eq!(quota("0::/a", &mounted, &[("cpu.max", "2000 1000")]), Some(2));
    }

    #[test]
    fn without_control_groups_there_is_no_quota() {
        assert_eq!(cpu_quota(Tree::new().path()), None);
        assert_eq!(quota("0::/", "", &[("cpu.max", "100000 100000")]), None);
    }
}
