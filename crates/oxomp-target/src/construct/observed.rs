//! What the tool is told of list items.

use oxomp_sys::ompt::ompt_target_map_flag_t as Flag;

use super::Construct;
use crate::item::MapItem;
use crate::map_type::MapType;
use crate::plugin::Address;
use crate::tool::Mapping;

/// The modifiers of an item.
fn modifiers(map_type: MapType) -> Flag {
    let flags = [
        (map_type.is_implicit(), Flag::IMPLICIT),
        (map_type.is_always(), Flag::ALWAYS),
        (map_type.is_present(), Flag::PRESENT),
        (map_type.is_close(), Flag::CLOSE),
    ];
    flags.iter().filter(|(is_set, _)| *is_set).fold(Flag::NONE, |all, (_, flag)| all | *flag)
}

/// How an item is mapped where it gets a counterpart.
pub(super) fn entering(map_type: MapType) -> Flag {
    let flags = match (map_type.is_to(), map_type.is_from()) {
        (true, true) => Flag::TO | Flag::FROM,
        (true, false) => Flag::TO,
        (false, true) => Flag::FROM,
        (false, false) => Flag::ALLOC,
    };
    flags | modifiers(map_type)
}

/// How an item is mapped where it loses a reference to its counterpart.
pub(super) fn leaving(map_type: MapType) -> Flag {
    let flags = match (map_type.is_delete(), map_type.is_from()) {
        (true, _) => Flag::DELETE,
        (false, true) => Flag::FROM,
        (false, false) => Flag::RELEASE,
    };
    flags | modifiers(map_type)
}

impl Construct<'_> {
    /// Notes an item that the construct has given the counterpart `device`, which may be the host's
    /// memory itself.
    pub(super) fn note_entering(&mut self, item: &MapItem, device: Address, is_host: bool) {
        if let Some(mappings) = &mut self.mappings {
            let shared = if is_host { Flag::SHARED } else { Flag::NONE };
            let flags = entering(item.map_type) | shared;
            mappings.push(Mapping { host: item.begin, device, bytes: item.bytes, flags });
        }
    }

    /// Notes an item whose reference the construct releases.
    pub(super) fn note_leaving(&mut self, item: &MapItem, device: Address) {
        if let Some(mappings) = &mut self.mappings {
            let flags = leaving(item.map_type);
            mappings.push(Mapping { host: item.begin, device, bytes: item.bytes, flags });
        }
    }

    /// Tells the tool of the items that were noted. From now on no item is noted.
    pub(super) fn tell_mappings(&mut self) {
        if let Some(mappings) = self.mappings.take() {
            self.scope.map(&mappings);
        }
    }
}

#[cfg(test)]
mod tests {
    use oxomp_sys::offload::map_type as bits;

    use super::{Flag, entering, leaving};
    use crate::map_type::MapType;

    #[test]
    fn each_map_type_has_its_flags() {
        let begin = |bits| entering(MapType(bits));
        assert_eq!(begin(bits::TO), Flag::TO);
        assert_eq!(begin(bits::FROM | bits::IMPLICIT), Flag::FROM | Flag::IMPLICIT);
        assert_eq!(
            begin(bits::TO | bits::FROM | bits::ALWAYS),
            Flag::TO | Flag::FROM | Flag::ALWAYS
        );
        assert_eq!(begin(bits::PRESENT), Flag::ALLOC | Flag::PRESENT);
        assert_eq!(begin(bits::CLOSE | bits::TO), Flag::TO | Flag::CLOSE);
        let end = |bits| leaving(MapType(bits));
        assert_eq!(end(bits::TO), Flag::RELEASE);
        assert_eq!(end(bits::TO | bits::FROM), Flag::FROM);
        assert_eq!(end(bits::DELETE), Flag::DELETE);
        assert_eq!(end(bits::FROM | bits::DELETE), Flag::DELETE);
    }
}
