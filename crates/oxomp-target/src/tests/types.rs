//! Map types.

use crate::map_type::MapType;

#[test]
fn the_bits_of_compilers_mean_what_they_say() {
    let member = MapType(0x1_0000_0000_0003);
    assert_eq!(member.parent(), Some(0));
    assert!(member.is_to() && member.is_from() && !member.is_parameter());
    assert_eq!(MapType(0x23).parent(), None);
    assert_eq!(MapType(0x23).to_string(), "tofrom");
    assert_eq!(MapType(0x320).to_string(), "firstprivate");
    assert!(!MapType(0x320).is_mapped());
    assert_eq!(MapType(0x4000).to_string(), "attach");
    assert!(MapType(0x1001).is_present());
    assert!(MapType(0x2003).is_hold());
    assert!(MapType(0x3_0000_0000_0310).is_capture());
    assert!(!MapType(0x310).is_capture());
}
