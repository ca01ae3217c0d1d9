//! The rules by name, and what breaks one.

use std::fmt;

/// Defines the rules: each with its stable name, and its place in the specification.
macro_rules! rules {
    ($($(#[$meta:meta])* $rule:ident = $name:literal, $clause:literal;)*) => {
        /// A rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$meta])* $rule,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// The rule's name, which does not change.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }

            /// The rule's place in the specification.
            #[must_use]
            pub fn clause(self) -> &'static str {
                match self {
                    $(Self::$rule => $clause,)*
                }
            }
        }
    };
}

rules! {
    /// Each word is null or was given to its object by the event that announced it; before that
    /// event it is zero.
    DataWord = "data-word", "5.2 §19.4.4.1, ompt_data_t";
    /// Each thread's word is that of its `thread_begin`.
    ThreadData = "thread-data", "5.2 §19.5.2, thread_data";
    /// A thread's first event, and no later one, is `thread_begin`.
    ThreadBegin = "thread-begin", "5.2 §4.5.2.1, native-thread-begin";
    /// A thread's last event is `thread_end`, outside of its tasks.
    ThreadEnd = "thread-end", "5.2 §4.5.2.2, native-thread-end";
    /// Each thread ends.
    ThreadUnended = "thread-unended", "5.2 §19.5.2.2, thread_end";
    /// A region begins once.
    ParallelBegin = "parallel-begin", "5.2 §19.5.2.3, parallel_begin";
    /// A region ends once, after its begin.
    ParallelEnd = "parallel-end", "5.2 §19.5.2.4, parallel_end";
    /// A region's end has the flags of its begin, and comes after the end of its primary thread's
    /// implicit task.
    ParallelEndAgrees = "parallel-end-agrees", "5.2 §19.5.2.4, parallel_end";
    /// A region ends, and has as many implicit tasks as these report, with the numbers below that.
    Team = "team", "5.2 §10.1, parallel";
    /// An implicit task begins once, while its region exists, with the team's size and a number of
    /// its own; those of a league are initial tasks.
    ImplicitTask = "implicit-task", "5.2 §19.5.2.11, implicit_task";
    /// A thread outside of leagues and target regions has one initial task, with the number 1 and
    /// the parallelism 1.
    InitialTask = "initial-task", "5.2 §19.5.2.11, implicit_task";
    /// A thread ends the implicit task that it executes.
    ImplicitTaskEnd = "implicit-task-end", "5.2 §19.5.2.11, implicit_task";
    /// The end of an implicit task has the number and the flags of its begin, the parallelism 0,
    /// and no region.
    ImplicitTaskEndAgrees = "implicit-task-end-agrees", "5.2 §19.5.2.11, implicit_task";
    /// The encountering task of a region is the one that the thread executes.
    EncounteringTask = "encountering-task", "5.2 §19.5, encountering task";
    /// The encountering task of a new task is the one that the thread executes.
    CreatingTask = "creating-task", "5.2 §19.5, encountering task";
    /// The task of a construct's events is the one that the thread executes.
    TaskData = "task-data", "5.2 §19.5, task_data";
    /// The task that reports a cancellation is the one that the thread executes.
    CancellingTask = "cancelling-task", "5.2 §19.5.2.18, cancel";
    /// The region of a construct's events is that of their task, and null at the end of a region's
    /// barrier.
    ParallelData = "parallel-data", "5.2 §15.3.2, parallel_data";
    /// In each task the ends of constructs match the begins, innermost first, and no task ends
    /// inside a construct.
    Nesting = "nesting", "5.2 §19.5.2, scope endpoints";
    /// A task is created once.
    TaskCreate = "task-create", "5.2 §19.5.2.7, task_create";
    /// A thread leaves the task that it executes, and goes on with one that is not complete.
    TaskSchedule = "task-schedule", "5.2 §19.5.2.10, task_schedule";
    /// The status is enumerated, and a task goes on exactly where one is left.
    TaskScheduleAgrees = "task-schedule-agrees", "5.2 §19.5.2.10, task_schedule";
    /// A tied task goes on on the thread on which it began.
    TaskTied = "task-tied", "5.2 §12.9, tied tasks";
    /// A task whose body is over does not go on; its event is fulfilled late, and that of any other
    /// task early.
    TaskDetached = "task-detached", "5.2 §18.11.1, task-fulfill";
    /// A task is completed at most once, after its creation.
    TaskComplete = "task-complete", "5.2 §19.5.2.10, task_schedule";
    /// Each task is completed.
    TaskUncompleted = "task-uncompleted", "5.2 §12.9, task-complete";
    /// A discarded task has not run.
    TaskDiscard = "task-discard", "5.2 §11.2, cancel: discarded task";
    /// A thread acquires what it has asked for.
    MutexAcquired = "mutex-acquired", "5.2 §19.5.2.14, mutex_acquire, mutex_acquired";
    /// A mutex has one owner at a time, who releases it as often as it was acquired; its events
    /// agree in kind and hint.
    MutexOwner = "mutex-owner", "5.2 §19.5.2.14, mutex_acquire to mutex_released";
    /// No thread of a team leaves a barrier before all have come.
    Barrier = "barrier", "5.2 §15.3, barriers";
    /// Tasks with conflicting dependences run one after the other; events tell each dependence, and
    /// each edge that makes a task wait.
    Dependence = "dependence", "5.2 §15.9.5, depend; §19.5.2.9, task_dependence";
    /// A task's enter frame lies below its exit frame, if the latter is the runtime's.
    FrameOrder = "frame-order", "5.2 §19.4.4.29, ompt_frame_t";
    /// A task inside the runtime has both frames, except where no runtime has called it; the
    /// frames of outer tasks lie above those of inner ones.
    Frame = "frame", "5.2 §19.4.4.29, ompt_frame_t";
    /// The state of a thread in a callback is that of a construct in which the thread is.
    State = "state", "5.2 §19.4.4.28, ompt_state_t";
    /// `ompt_get_task_info` answers the tasks that the thread executes, innermost first.
    TaskInfo = "task-info", "5.2 §19.6.1.14, ompt_get_task_info";
    /// `ompt_get_parallel_info` answers the regions of these tasks, with their sizes.
    ParallelInfo = "parallel-info", "5.2 §19.6.1.13, ompt_get_parallel_info";
}

/// What breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: Rule,
    /// The fault, in words.
    pub said: String,
    /// The positions of the events that show it, the one at which it was found first; none if an
    /// event is missing.
    pub events: Vec<usize>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}: {}]", self.said, self.rule.name(), self.rule.clause())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Rule;

    #[test]
    fn no_two_rules_have_one_name() {
        let names: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        assert_eq!(names.len(), Rule::ALL.len());
    }
}
