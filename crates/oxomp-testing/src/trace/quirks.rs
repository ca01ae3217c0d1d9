//! Known deviations of the reference runtime, evened out so that expectations can be written on it.

use crate::trace::log::Log;

/// Rewrites the reports of LLVM's libomp that deviate from the specification.
///
/// It reports a size and a region at the end of an implicit task, sets `undeferred` for implicit
/// tasks, calls a user's frame one of the runtime, and says of GCC's `GOMP_parallel` that the
/// program calls the outlined function, as was true of the older `GOMP_parallel_start`.
pub fn even_out(log: &mut Log) {
    for event in &mut log.events {
        let is_end = event.get("endpoint") == Some("end");
        let values = match event.name.as_str() {
            "implicit_task" if is_end => &[("parallelism", "0"), ("parallel", "null")][..],
            "parallel_begin" => &[("enter_frame", "set:application,framepointer"), INVOKER],
            "parallel_end" => &[INVOKER],
            _ => &[],
        };
        for (key, value) in event.keys.iter_mut() {
            if let Some((_, right)) = values.iter().find(|(name, _)| name == key) {
                *value = (*right).to_owned();
            }
        }
        for detail in &mut event.details {
            for (_, value) in detail.keys.iter_mut().filter(|(key, _)| key == "flags") {
                *value = value.replace("implicit,undeferred", "implicit");
            }
        }
    }
}

const INVOKER: (&str, &str) = ("flags", "invoker_runtime,team");

#[cfg(test)]
mod tests {
    use super::even_out;
    use crate::trace::log::parse;

    #[test]
    fn ends_of_implicit_tasks_are_as_specified() {
        let text = "0 thread=0 implicit_task endpoint=end parallel=p1 parallelism=2\n\
                    1 thread=0 implicit_task endpoint=begin parallel=p1 parallelism=2\n\
                    # end events=2 dropped=0\n";
        let mut log = parse(text).expect("a right log");
        even_out(&mut log);
        assert_eq!(log.events[0].get("parallel"), Some("null"));
        assert_eq!(log.events[0].get("parallelism"), Some("0"));
        assert_eq!(log.events[1].get("parallel"), Some("p1"));
    }
}
