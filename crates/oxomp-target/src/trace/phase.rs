//! The states of a device's trace, and how a tool changes them.

/// A state of a device's trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing is recorded.
    #[default]
    Off,
    /// Operations are recorded.
    On,
    /// The tool has paused the trace.
    Paused,
    /// The tool has refused a buffer: nothing is recorded until the tool starts the trace again.
    Starved,
}

impl Phase {
    /// The state after the trace is started; `None` if the trace cannot be started.
    pub(super) fn start(self) -> Option<Self> {
        matches!(self, Self::Off | Self::Starved).then_some(Self::On)
    }

    /// The state after the trace is paused or resumed; `None` if no trace is on.
    pub(super) fn pause(self, begins: bool) -> Option<Self> {
        match self {
            Self::Off => None,
            Self::Starved => Some(Self::Starved),
            Self::On | Self::Paused => Some(if begins { Self::Paused } else { Self::On }),
        }
    }

    /// The state after the trace is stopped; `None` if no trace is on.
    pub(super) fn stop(self) -> Option<Self> {
        (self != Self::Off).then_some(Self::Off)
    }

    /// The state after the tool has refused a buffer.
    pub(super) fn refuse(self) -> Self {
        match self {
            Self::Off => Self::Off,
            Self::On | Self::Paused | Self::Starved => Self::Starved,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Phase::{self, Off, On, Paused, Starved};

    #[test]
    fn every_call_in_every_state_has_its_answer() {
        // Per state: start, pause, resume, stop.
        let table: [(Phase, [Option<Phase>; 4]); 4] = [
            (Off, [Some(On), None, None, None]),
            (On, [None, Some(Paused), Some(On), Some(Off)]),
            (Paused, [None, Some(Paused), Some(On), Some(Off)]),
            (Starved, [Some(On), Some(Starved), Some(Starved), Some(Off)]),
        ];
        for (phase, [start, pause, resume, stop]) in table {
            assert_eq!(phase.start(), start, "start of {phase:?}");
            assert_eq!(phase.pause(true), pause, "pause of {phase:?}");
            assert_eq!(phase.pause(false), resume, "resume of {phase:?}");
            assert_eq!(phase.stop(), stop, "stop of {phase:?}");
        }
        assert_eq!([Off, On, Paused, Starved].map(Phase::refuse), [Off, Starved, Starved, Starved]);
    }
}
