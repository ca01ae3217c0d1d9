//! One code address for each construct, so that a construct is one row of the summary.
//!
//! A compiler may copy a construct into several places (inlining, unrolling), and gcc's calls tell
//! the construct's place badly. Where a program jumps to the runtime instead of calling, the
//! runtime names an outer construct or its own code. So addresses become, first, that of the
//! outlined function if [`Symbols`] finds it; then the lowest of those with the same function, line
//! and kind.

use std::collections::{BTreeSet, HashMap};

use oxomp_trace::{FoldKind, Info, Profile};

use crate::model::Model;
use crate::summary::{Site, SiteModule};
use crate::symbols::Symbols;

/// The site of a code address that is not 0.
pub(crate) fn site(info: &Info, codeptr: u64) -> Site {
    // The call lies before the address to which it returns, and may be the last code of its module.
    let module = info.module_of(codeptr - 1).map(|module| SiteModule {
        path: module.path.clone(),
        file: module.file.clone(),
        build_id: module.build_id.clone(),
        offset: codeptr.wrapping_sub(module.bias),
    });
    Site { codeptr, module }
}

/// The code address that stands for each address, if it is another one.
#[derive(Debug, Default)]
pub(crate) struct Constructs {
    by_code: HashMap<u64, u64>,
}

impl Constructs {
    /// Finds the constructs of `model` and of the folded sums of `profile`, and names each by one
    /// address in `model`.
    pub(crate) fn find(profile: &Profile, model: &mut Model, symbols: &mut Symbols) -> Self {
        let mut outlined = Outlined { info: &profile.info, symbols, by_code: HashMap::new() };
        outlined.rename_regions(profile, model);
        let by_code = outlined.by_code;
        let renamed =
            Self { by_code: by_code.iter().filter_map(|(&c, &o)| Some((c, o?))).collect() };
        renamed.rename_inside(model);

        let mut kinds = BTreeSet::new();
        for region in &model.regions {
            kinds.insert((region.code, region.league));
        }
        let mut codes = |code: u64| {
            kinds.insert((renamed.name(code), false));
        };
        visit_inside(model, |code| codes(*code));
        for entry in profile.threads.iter().flat_map(|thread| &thread.folded) {
            match entry.fold_kind() {
                Some(FoldKind::Thread | FoldKind::Short) => {}
                // The rest of the key is a device, or an address of data.
                Some(FoldKind::Target | FoldKind::Transfer | FoldKind::Repeated) => {
                    codes(entry.key[0]);
                }
                _ => entry.key.into_iter().for_each(&mut codes),
            }
        }
        let same = same_places(&profile.info, kinds, symbols);
        let mut by_code = renamed.by_code;
        for name in by_code.values_mut() {
            *name = *same.get(name).unwrap_or(name);
        }
        for (code, name) in same {
            by_code.entry(code).or_insert(name);
        }
        let found = Self { by_code };
        for region in &mut model.regions {
            region.code = found.name(region.code);
        }
        found.rename_inside(model);
        found
    }

    /// The address that stands for `code`.
    pub(crate) fn name(&self, code: u64) -> u64 {
        self.by_code.get(&code).copied().unwrap_or(code)
    }

    /// Renames everything in `model` but the regions themselves.
    fn rename_inside(&self, model: &mut Model) {
        visit_inside(model, |code| *code = self.name(*code));
    }
}

/// Calls `visit` with every code address of `model` but those of the regions themselves.
fn visit_inside(model: &mut Model, mut visit: impl FnMut(&mut u64)) {
    model.barrier_waits.iter_mut().for_each(|wait| visit(&mut wait.code));
    model.mutex_waits.iter_mut().for_each(|wait| visit(&mut wait.code));
    model.holds.iter_mut().for_each(|hold| visit(&mut hold.code));
    model.works.iter_mut().for_each(|work| visit(&mut work.code));
    model.tasks.iter_mut().for_each(|task| visit(&mut task.code));
    model.targets.iter_mut().for_each(|target| visit(&mut target.code));
    model.operations.iter_mut().for_each(|operation| visit(&mut operation.code));
    for stretch in &mut model.serial {
        stretch.after.iter_mut().chain(&mut stretch.before).for_each(&mut visit);
    }
}

/// Outlined functions of regions.
struct Outlined<'a> {
    info: &'a Info,
    symbols: &'a mut Symbols,
    /// By the code address of a call: that of the outlined function, if it is known.
    by_code: HashMap<u64, Option<u64>>,
}

impl Outlined<'_> {
    /// Gives each region the address of its outlined function, where that is known.
    fn rename_regions(&mut self, profile: &Profile, model: &mut Model) {
        let folded = profile.threads.iter().flat_map(|thread| &thread.folded);
        // gcc hands outlined functions of tasks to the runtime in the same way.
        let calls = [Some(FoldKind::Region), Some(FoldKind::Tasks)];
        for entry in folded.filter(|entry| calls.contains(&entry.fold_kind())) {
            self.of_call(entry.key[0]);
        }
        for task in &model.tasks {
            self.of_call(task.code);
        }
        let original: Vec<u64> = model.regions.iter().map(|region| region.code).collect();
        let mut ends = HashMap::new();
        let mut names = vec![None; original.len()];
        for index in 0..original.len() {
            // From the outermost region that has no name yet inwards.
            let mut path = vec![index];
            while let Some(outer) = model.regions[path[path.len() - 1]].outer
                && names[outer as usize].is_none()
                && path.len() < original.len()
                && !path.contains(&(outer as usize))
            {
                path.push(outer as usize);
            }
            for index in path.into_iter().rev() {
                let outer = model.regions[index].outer.map(|outer| outer as usize);
                let name = match outer {
                    // The runtime had no return address in the program but that of the outer call.
                    Some(outer) if self.is_no_call(original[index], original[outer]) => {
                        let outer = names[outer].unwrap_or(original[outer]);
                        *ends.entry(outer).or_insert_with(|| self.at_end_of(outer))
                    }
                    _ => self.of_call(original[index]),
                };
                names[index] = Some(name.unwrap_or(original[index]));
            }
        }
        for (region, name) in model.regions.iter_mut().zip(names) {
            region.code = name.unwrap_or(region.code);
        }
    }

    /// Whether `code`, told of a region inside that of `outer`, is not the return address of its
    /// call.
    fn is_no_call(&self, code: u64, outer: u64) -> bool {
        let runtime = self.info.runtime_address.and_then(|address| self.info.module_of(address));
        code == 0
            || code == outer
            || runtime.is_some_and(|runtime| (runtime.begin..runtime.end).contains(&code))
    }

    fn of_call(&mut self, code: u64) -> Option<u64> {
        if code == 0 {
            return None;
        }
        let (info, symbols) = (self.info, &mut *self.symbols);
        let find = || symbols.outlined_at(&site(info, code)).map(|site| site.codeptr);
        *self.by_code.entry(code).or_insert_with(find)
    }

    fn at_end_of(&mut self, outer: u64) -> Option<u64> {
        if outer == 0 {
            return None;
        }
        let site = site(self.info, outer);
        self.symbols.outlined_at_end_of(&site).map(|site| site.codeptr)
    }
}

/// For the addresses of a function, line and kind (of a league or not) that are not the lowest: the
/// lowest. Addresses without a known line stay.
fn same_places(
    info: &Info,
    codes: BTreeSet<(u64, bool)>,
    symbols: &mut Symbols,
) -> HashMap<u64, u64> {
    let mut lowest = HashMap::new();
    let mut same = HashMap::new();
    for (code, league) in codes.into_iter().filter(|(code, _)| *code != 0) {
        let place = symbols.place(&site(info, code));
        if let Some(line) = place.line {
            let first = *lowest.entry((place.function, line, league)).or_insert(code);
            same.entry(code).or_insert(first);
        }
    }
    same
}
