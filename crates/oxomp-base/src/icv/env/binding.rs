//! The binding of threads: OMP_PLACES and the older variables for it.

use super::Confinement;
use super::reader::Reader;
use crate::icv::kmp_affinity::{self, AffinityModifiers, Binding, KmpAffinity};
use crate::icv::{
    Deeper, GlobalIcvs, Icvs, ProcBind, hw_subset, place_list, processor_list, value,
};

/// Reads KMP_AFFINITY; `Binding::Unsaid` if the variable is not set or invalid.
pub(super) fn kmp_affinity(reader: &mut Reader<'_>) -> KmpAffinity {
    let said = reader.read("KMP_AFFINITY", "none", kmp_affinity::parse);
    said.unwrap_or(KmpAffinity { binding: Binding::Unsaid, modifiers: AffinityModifiers::DEFAULT })
}

/// Reads KMP_HW_SUBSET, or KMP_PLACE_THREADS, its former name.
pub(super) fn confinement(reader: &mut Reader<'_>, modifiers: AffinityModifiers) -> Confinement {
    let (new, old) = ("KMP_HW_SUBSET", "KMP_PLACE_THREADS");
    let variable =
        if reader.value(new).is_none() && reader.value(old).is_some() { old } else { new };
    let hw_subset = reader.read(variable, "the whole machine", hw_subset::parse);
    Confinement { respects_mask: modifiers.respect, variable, hw_subset }
}

/// Determines the place list by KMP_AFFINITY; if it sets none, by OMP_PLACES; if that is not set,
/// by GOMP_CPU_AFFINITY. A place list without OMP_PROC_BIND implies binding.
pub(super) fn places(
    reader: &mut Reader<'_>,
    affinity: KmpAffinity,
    icvs: &mut Icvs,
    global: &mut GlobalIcvs,
) {
    const OLD: &str = "GOMP_CPU_AFFINITY";
    global.affinity = affinity.modifiers;
    if affinity.binding != Binding::Unsaid {
        return bind_as_said(reader, affinity.binding, icvs, global);
    }
    let old = reader.read(OLD, "no places", processor_list::parse);
    let silent = reader.value("OMP_PROC_BIND").is_none();
    let mut policy = ProcBind::Spread;
    if let Some(text) = reader.value("OMP_PLACES") {
        let instead = place_list::instead_of(text);
        let list = reader.read("OMP_PLACES", &instead, place_list::parse);
        global.place_list = Some(list.unwrap_or(instead));
    } else if silent || icvs.bind_var != ProcBind::False {
        global.place_list = old;
        if global.place_list.is_some() {
            global.place_list_variable = OLD;
            policy = ProcBind::True;
            global.true_is_spread = !silent;
        }
    }
    if silent && global.place_list.is_some() {
        icvs.bind_var = policy;
    }
}

/// Applies KMP_AFFINITY, which takes precedence over the three other variables, as in LLVM's
/// runtime.
fn bind_as_said(
    reader: &mut Reader<'_>,
    binding: Binding,
    icvs: &mut Icvs,
    global: &mut GlobalIcvs,
) {
    const NAME: &str = "KMP_AFFINITY";
    for other in ["OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY"] {
        if reader.value(other).is_some() {
            let said = value::shortened(reader.value(NAME).unwrap_or_default());
            reader.warn(other, format!("not what {NAME} says"), format!("{NAME}={said}"));
        }
    }
    icvs.bind_deeper = Deeper::NONE;
    icvs.bind_var = ProcBind::False;
    if let Binding::Bound(places, policy) = binding {
        icvs.bind_var = policy;
        global.true_is_spread = false;
        global.place_list = Some(places);
        global.place_list_variable = NAME;
    }
}
