//! The processor of a recording.

use oxomp_arch::read::Machine;
use oxomp_trace::Info;

/// Linux's name of the processor that executed the recorded process.
pub(crate) fn name_of(info: &Info) -> &str {
    info.processor.as_deref().unwrap_or(Machine::OF_UNNAMED_RECORDINGS.name())
}

/// That processor; `None` if it is not known here.
pub(crate) fn machine_of(info: &Info) -> Option<Machine> {
    Machine::named(name_of(info))
}

#[cfg(test)]
mod tests {
    use oxomp_arch::read::Machine;
    use oxomp_trace::Info;

    use super::machine_of;

    #[test]
    fn a_recording_is_of_the_processor_that_it_names() {
        let of = |name: Option<&str>| {
            machine_of(&Info { processor: name.map(str::to_owned), ..Info::default() })
        };
        for machine in Machine::ALL {
            assert_eq!(of(Some(machine.name())), Some(machine));
        }
        assert_eq!(of(None), Some(Machine::OF_UNNAMED_RECORDINGS));
        assert_eq!(of(Some("PDP-11")), None);
    }
}
