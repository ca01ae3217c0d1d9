//! A variable to which the environment can give a different value on each device (OpenMP 5.2 §2.2).

/// The values of a variable on the devices of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByDevice {
    /// The devices to which the user has given a value by their number, each with that value.
    pub numbered: Vec<(u32, u32)>,
    /// The value on every other device.
    pub others: u32,
}

impl ByDevice {
    /// The same value on all devices.
    #[must_use]
    pub fn all(value: u32) -> Self {
        Self { numbered: Vec::new(), others: value }
    }

    /// The value on device `number`.
    #[must_use]
    pub fn on(&self, number: u32) -> u32 {
        let found = self.numbered.iter().find(|&&(device, _)| device == number);
        found.map_or(self.others, |&(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::ByDevice;

    #[test]
    fn a_device_has_the_value_of_its_number_or_that_of_all() {
        let values = ByDevice { numbered: vec![(2, 20), (0, 5)], others: 7 };
        assert_eq!([0, 1, 2, u32::MAX].map(|device| values.on(device)), [5, 7, 20, 7]);
        assert_eq!(ByDevice::all(3).on(1), 3);
    }
}
