//! One code address for each construct, so that a construct is one row of the summary.
//!
//! A compiler may copy a construct into several places (inlining, unrolling), and gcc's calls tell
//! the construct's place badly. Where a program jumps to the runtime instead of calling, the
//! runtime names an outer construct or its own code. So an address is replaced in two steps: first
//! by the address of the outlined function, if [`Symbols`] finds it; then by the lowest address
//! with the same function, line, outlined function and kind. A line alone does not tell constructs
//! apart: a macro may have several constructs in one line, and gcc's code without optimisation, or
//! for size, gives several constructs the same line.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use oxomp_trace::{FoldEntry, FoldKind, Info, Profile, inner};

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
        let mut outlined = Outlined {
            info: &profile.info,
            symbols,
            by_code: HashMap::new(),
            ends: HashMap::new(),
        };
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
            codes_of(entry).iter().copied().for_each(&mut codes);
        }
        let same = same_places(&profile.info, kinds, symbols);
        let mut by_code = renamed.by_code;
        for name in by_code.values_mut() {
            *name = *same.get(name).unwrap_or(name);
        }
        for (code, name) in same {
            by_code.entry(code).or_insert(name);
        }
        for (code, construct) in ends(model) {
            let construct = by_code.get(&construct).copied().unwrap_or(construct);
            by_code.insert(code, construct);
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

    /// The region whose body is the function from `begin` to `end`: the region whose code address
    /// is the nearest behind `begin`. If a region's outlined function is known, its code address is
    /// in the first instructions of this function; regions inside it are called farther on.
    pub(crate) fn region_in(
        &self,
        (begin, end): (u64, u64),
        regions: &BTreeSet<u64>,
    ) -> Option<u64> {
        let own = regions.iter().map(|&code| (code, code));
        let copies = self.copies().filter(|(_, name)| regions.contains(name));
        // The code address of a region is a return address, so it lies behind the begin.
        let inside = own.chain(copies).filter(|(code, _)| begin < *code && *code <= end);
        inside.min().map(|(_, name)| name)
    }

    /// The addresses of copies, each with the one that stands for it.
    pub(crate) fn copies(&self) -> impl Iterator<Item = (u64, u64)> {
        self.by_code.iter().map(|(&code, &name)| (code, name))
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

/// The code addresses in the key of a sum.
fn codes_of(entry: &FoldEntry) -> &[u64] {
    match entry.fold_kind() {
        Some(FoldKind::Thread | FoldKind::Short) => &[],
        // The rest of the key is a device, an address of data, or a distance and a region that
        // other sums name, too.
        Some(FoldKind::Target | FoldKind::Transfer | FoldKind::Repeated | FoldKind::Sinks) => {
            &entry.key[..1]
        }
        _ => &entry.key,
    }
}

/// Outlined functions of regions.
struct Outlined<'a> {
    info: &'a Info,
    symbols: &'a mut Symbols,
    /// By the code address of a call: the address of the outlined function, if it is known.
    by_code: HashMap<u64, Option<u64>>,
    /// By an outlined function's address: the address of the outlined function that it hands over
    /// by a jump.
    ends: HashMap<u64, Option<u64>>,
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
        self.rename_jumps(profile);
        let original: Vec<u64> = model.regions.iter().map(|region| region.code).collect();
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
                    // The only return address in the program that the runtime had was the outer
                    // call's.
                    Some(outer) if self.is_no_call(original[index], original[outer]) => {
                        let outer = names[outer].unwrap_or(original[outer]);
                        Some(self.inside(outer))
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

    /// Whether `code`, the code address of a region inside a region with the code address `outer`,
    /// is not the return address of the inner region's call.
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

    /// Names the codes in the sums that belong to regions which a jump entered.
    fn rename_jumps(&mut self, profile: &Profile) {
        let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
        let codes = entries.flat_map(codes_of).copied();
        let jumped: BTreeSet<u64> = codes.filter(|&code| inner::parts(code).1 > 0).collect();
        for code in jumped {
            let (address, jumps) = inner::parts(code);
            let outermost = self.of_call(address).unwrap_or(address);
            let name = (0..jumps).fold(outermost, |outer, _| self.inside(outer));
            self.by_code.insert(code, Some(name));
        }
    }

    /// The region that the outlined function `outer` jumps to at its end; `outer` itself if it
    /// jumps to no region, or in a recursion.
    fn inside(&mut self, outer: u64) -> u64 {
        if outer == 0 {
            return 0;
        }
        let (info, symbols) = (self.info, &mut *self.symbols);
        let find = || symbols.outlined_at_end_of(&site(info, outer)).map(|site| site.codeptr);
        self.ends.entry(outer).or_insert_with(find).unwrap_or(outer)
    }
}

/// By the address of each barrier that ends a worksharing construct, wherever it is met: the
/// construct's address. A compiler may give the barrier the line of the last statement before it.
fn ends(model: &Model) -> BTreeMap<u64, u64> {
    let mut ends = BTreeMap::<u64, Option<u64>>::new();
    for wait in &model.barrier_waits {
        let construct = wait.construct.filter(|construct| *construct != 0);
        let known = ends.entry(wait.code).or_insert(construct);
        *known = known.filter(|known| Some(*known) == construct);
    }
    // An address that is the end of one construct and another's own stays. Where a region's code
    // ends with a jump to the barrier, the barrier has the region's address.
    let works = model.works.iter().map(|work| work.code);
    let own: BTreeSet<u64> = works.chain(model.regions.iter().map(|region| region.code)).collect();
    let known = ends.into_iter().filter(|(code, _)| *code != 0 && !own.contains(code));
    known.filter_map(|(code, construct)| Some((code, construct?))).collect()
}

/// For the addresses of a function, line, outlined function and kind (of a league or not) that are
/// not the lowest: the lowest. Addresses without a known line stay.
fn same_places(
    info: &Info,
    codes: BTreeSet<(u64, bool)>,
    symbols: &mut Symbols,
) -> HashMap<u64, u64> {
    let mut places = Vec::new();
    for (code, league) in codes.into_iter().filter(|(code, _)| *code != 0) {
        let site = site(info, code);
        let place = symbols.place(&site);
        if let Some(line) = place.line {
            places.push((code, (place.function, line, league), symbols.body(&site)));
        }
    }
    lowest_of_each(&places)
}

/// By code: the lowest of the codes with the same place and outlined function. Where the outlined
/// function of a code is not known, as where the argument of a call is not known, it is taken to be
/// the only one of the place, unless the place has several.
fn lowest_of_each<P: Hash + Eq>(places: &[(u64, P, Option<String>)]) -> HashMap<u64, u64> {
    let mut bodies = HashMap::<&P, BTreeSet<&String>>::new();
    for (_, place, body) in places {
        bodies.entry(place).or_default().extend(body);
    }
    let mut lowest = HashMap::new();
    let mut same = HashMap::new();
    for (code, place, body) in places {
        let only = bodies.get(place).filter(|bodies| bodies.len() == 1);
        let body = body.as_ref().or_else(|| only?.first().copied());
        let first = *lowest.entry((place, body)).or_insert(*code);
        same.entry(*code).or_insert(first);
    }
    same
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Constructs, ends, lowest_of_each};
    use crate::model::{BarrierWait, Model, Region, Work};

    fn model(waits: &[(u64, Option<u64>)], works: &[u64]) -> Model {
        let wait = |&(code, construct): &(u64, Option<u64>)| BarrierWait {
            kind: 8,
            code,
            member: None,
            ordinal: 0,
            ends: None,
            construct,
            left: true,
        };
        let work = |&code: &u64| Work {
            kind: 11,
            code,
            thread: 0,
            begin: 0,
            end: None,
            member: None,
            iterations: 0,
            chunks: None,
        };
        Model {
            barrier_waits: waits.iter().map(wait).collect(),
            works: works.iter().map(work).collect(),
            ..Model::default()
        }
    }

    #[test]
    fn copies_are_one_construct_and_others_of_the_line_are_not() {
        let of = |code: u64, line: u32, body: &str| {
            (code, line, Some(body.to_owned()).filter(|body| !body.is_empty()))
        };
        // The outlined function of the call is not known; the line has one.
        let found = lowest_of_each(&[of(1, 7, ""), of(2, 7, "f"), of(3, 7, "f"), of(4, 8, "f")]);
        let of_line: Vec<u64> = (1..5).map(|code| found[&code]).collect();
        assert_eq!(of_line, [1, 1, 1, 4]);
        let found = lowest_of_each(&[of(1, 7, ""), of(2, 7, "f"), of(3, 7, "g"), of(4, 7, "g")]);
        let of_line: Vec<u64> = (1..5).map(|code| found[&code]).collect();
        assert_eq!(of_line, [1, 2, 3, 3]);
    }

    #[test]
    fn a_barrier_that_always_ends_one_construct_has_its_address() {
        let own = [(0x20, Some(0x10)), (0x20, Some(0x10)), (0x40, Some(0x30))];
        let found = ends(&model(&own, &[0x10, 0x30]));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(0x20, 0x10), (0x40, 0x30)]);
        // Code that two constructs share is neither's end, nor is a barrier of its own anyone's.
        for waits in [[(0x20, Some(0x10)), (0x20, Some(0x30))], [(0x20, Some(0x10)), (0x20, None)]]
        {
            assert!(ends(&model(&waits, &[0x10, 0x30])).is_empty(), "{waits:?}");
        }
        // Nor is one at the construct's own address, or at the region's.
        assert!(ends(&model(&[(0x10, Some(0x10))], &[0x10])).is_empty());
        let mut of_region = model(&[(0x20, Some(0x10))], &[0x10]);
        of_region.regions = vec![Region { code: 0x20, ..Region::default() }];
        assert!(ends(&of_region).is_empty());
    }

    #[test]
    fn the_region_of_a_body_is_the_first_one_in_it() {
        let regions = BTreeSet::from([0x100, 0x201, 0x230, 0x300]);
        let none = Constructs::default();
        assert_eq!(none.region_in((0x200, 0x2ff), &regions), Some(0x201), "0x230 is inside");
        assert_eq!(none.region_in((0x100, 0x1ff), &regions), None, "a begin is no address");
        assert_eq!(none.region_in((0x2f0, 0x300), &regions), Some(0x300));
    }
}
