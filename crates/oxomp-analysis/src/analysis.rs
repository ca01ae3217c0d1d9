//! A recording and everything that is derived from it.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_symbols::{Place, Symbols};
use oxomp_trace::Profile;

use crate::calls::CallTree;
use crate::calls::build::call_tree;
use crate::constructs::{Constructs, site};
use crate::directives::{directives, name_sinks};
use crate::loops::costs::{LoopCosts, costs};
use crate::model::Model;
use crate::offload::name_variables;
use crate::resolve::Resolved;
use crate::summarize::{normalised_by_construct, sums};
use crate::summary::{Scope, Summary, Window};
use crate::tasks::waits::resolve_with_waits;

/// A recording, its events as intervals, and its numbers.
#[derive(Debug)]
pub struct Analysis {
    /// The recording.
    pub profile: Profile,
    /// Its events as intervals, their code addresses by construct.
    pub model: Model,
    /// The classes of the threads' time.
    pub resolved: Resolved,
    /// The numbers of the profile.
    pub summary: Summary,
    /// The names of [`Summary::sites`], in their order.
    pub places: Vec<Place>,
    /// What a replay needs of each of [`Summary::loops`], in their order.
    pub costs: Vec<LoopCosts>,
    /// The regions in which messages and collective operations of MPI were, by code address.
    pub mpi_regions: BTreeMap<u64, Place>,
    /// The sampled call paths.
    pub calls: CallTree,
}

impl Analysis {
    /// Everything about a part of `profile`; `None` if it has no such phase, or no slices of time
    /// in that window.
    #[must_use]
    pub fn of(profile: &Profile, scope: &Scope, symbols: &mut Symbols) -> Option<Self> {
        let (part, scope) = match scope {
            Scope::Run => (profile.clone(), Scope::Run),
            Scope::Phase(path) => (profile.of_phase(path)?, scope.clone()),
            Scope::Window(Window { from_ns, to_ns }) => {
                let (part, (from_ns, to_ns)) = profile.of_window((*from_ns, *to_ns))?;
                (part, Scope::Window(Window { from_ns, to_ns }))
            }
        };
        let mut analysis = Self::new(part, symbols);
        let header = &mut analysis.summary.header;
        if matches!(scope, Scope::Window(_)) && analysis.summary.regions.is_empty() {
            // The size of teams is not known: no region has ended.
            header.max_team = header.threads;
        }
        header.set_scope(scope);
        Some(analysis)
    }

    /// Everything about `profile`. Reads the program's debug information, which may take seconds.
    #[must_use]
    pub fn new(profile: Profile, symbols: &mut Symbols) -> Self {
        let (model, constructs) = normalised_by_construct(&profile, symbols);
        let calls = call_tree(&profile, &model, &constructs, symbols);
        let (resolved, waits) = resolve_with_waits(&model);
        let mut summary = sums(&profile, &model, &constructs, &calls, resolved.clone(), &waits);
        name_variables(&mut summary.offload, &profile.info, symbols);
        let places = symbols.places(&summary.sites);
        summary.directives = directives(&places, symbols);
        name_sinks(&mut summary.blocked, symbols);
        let costs = costs(&profile, &constructs, &summary);
        let mpi_regions = mpi_regions(&profile, &constructs, symbols);
        Self { model, resolved, summary, places, costs, mpi_regions, calls, profile }
    }
}

/// The regions in which messages and collective operations of MPI were, by code address.
fn mpi_regions(
    profile: &Profile,
    constructs: &Constructs,
    symbols: &mut Symbols,
) -> BTreeMap<u64, Place> {
    let codes = profile.mpi_events.iter().map(|event| event.code).filter(|&code| code != 0);
    let codes: Vec<u64> = codes.collect::<BTreeSet<_>>().into_iter().collect();
    let sites: Vec<_> =
        codes.iter().map(|&code| site(&profile.info, constructs.name(code))).collect();
    let places = symbols.places(&sites);
    codes.into_iter().zip(places).collect()
}
