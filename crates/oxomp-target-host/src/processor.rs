//! The vendor and the model of the machine's processors, as Linux tells them.

use std::fs;

/// The fields of `/proc/cpuinfo` for the vendor and for the model, which differ from processor to
/// processor: names on some, numbers on others.
const FIELDS: [[&str; 2]; 2] = [["vendor_id", "CPU implementer"], ["model name", "CPU part"]];

/// Stands for a name that the machine does not tell.
const UNKNOWN: &str = "unknown";

/// The vendor and the model of the processors.
pub(crate) fn vendor_and_model() -> [String; 2] {
    read(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// The vendor and the model of the first processor of the text.
fn read(text: &str) -> [String; 2] {
    FIELDS.map(|names| {
        let value = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let value = value.trim();
            (names.contains(&name.trim()) && !value.is_empty()).then_some(value)
        });
        // A semicolon would end the name in the type of the device.
        value.unwrap_or(UNKNOWN).replace(';', ",")
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_first_processor_has_a_vendor_and_a_model() {
        let with_names = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 17\n\
                      model name\t: AMD EPYC; 64: cores\n\nprocessor\t: 1\nvendor_id\t: Other\n";
        assert_eq!(read(with_names), ["AuthenticAMD", "AMD EPYC, 64: cores"]);
        let with_numbers = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
        assert_eq!(read(with_numbers), ["0x41", "0xd0c"]);
    }

    #[test]
    fn what_the_machine_does_not_tell_is_unknown() {
        assert_eq!(read(""), ["unknown", "unknown"]);
        assert_eq!(read("vendor_id\t:\nmodel name\t: Model\n"), ["unknown", "Model"]);
    }
}
