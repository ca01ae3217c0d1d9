//! Target regions on the host: the initial task of the region, its contention group, and the code.

use oxomp_ompd_layout::Field;
use oxomp_testing::compiler::Family;

use crate::debuggee::{Debuggee, command, compile, reader};
use crate::view::Eye;
use crate::{Facts, thread_of};

/// Lines of `target`: the threads of the region inside the target region.
const THREADS: usize = 2;

#[test]
fn the_initial_task_of_a_target_region_is_known() {
    for debug in ["enabled", "disabled"] {
        let program = compile(Family::Gcc, "target");
        let variables = [("OMP_DEBUG", debug), ("OMP_MAX_ACTIVE_LEVELS", "2")];
        let mut program = Debuggee::start(&mut command(&program, &variables));
        let facts: Vec<Facts> = (0..THREADS).map(|_| Facts::parse(&program.line())).collect();
        let reader = reader(program.pid());
        let eye = Eye(&reader);
        let threads = eye.alive();
        for fact in &facts {
            let thread = thread_of(&threads, fact.number("lwp"));
            let [task, initial, around @ ..] = &*thread.tasks else { panic!("{:?}", thread.tasks) };
            assert!(task.is_implicit && initial.is_initial);
            assert_eq!(task.thread_num, fact.number("thread"));
            assert_eq!((task.parallel.level, task.parallel.active_level), (1, 1));
            assert_eq!((initial.parallel.level, initial.parallel.active_level), (0, 0));
            assert_eq!((initial.parallel.size, initial.icvs.thread_limit), (1, 5));
            let group = |at| reader.object(at, Field::ParallelContentionGroup).expect("a group");
            assert_eq!(group(task.parallel.address), group(initial.parallel.address));
            let limit = eye.number(group(initial.parallel.address), Field::ContentionGroupLimit);
            assert_eq!(limit, fact.number("limit"));
            // The implicit task that encountered the construct, and the root's.
            let kinds: Vec<_> =
                around.iter().map(|task| (task.is_implicit, task.is_initial)).collect();
            assert_eq!(kinds, [(true, false), (false, true)]);
            if debug == "enabled" {
                // The runtime notes the function and the generations only with OMP_DEBUG=enabled.
                assert_ne!(initial.parallel.function, 0);
                assert_eq!((initial.generation % 2, initial.parallel.generation % 2), (1, 1));
                let region = initial.parallel.address;
                assert_ne!(eye.number(region, Field::ParallelReturnAddress), 0);
                let target = reader.follow(region, Field::ParallelEncounteringTask);
                let target = target.expect("it is readable").expect("the target task");
                let record = reader.object(target, Field::ExplicitTaskRecord).expect("a record");
                assert_eq!(eye.number(record, Field::TaskIsTarget), 1);
            }
        }
        program.finish();
    }
}
