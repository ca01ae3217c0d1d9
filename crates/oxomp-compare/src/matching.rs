//! Which construct of one program is which of the other, after its text was edited.
//!
//! Functions are matched first: by name and file, then by name, then renamed ones of the same file
//! by what they contain. Inside a pair of functions the constructs of one kind keep their order; if
//! some have come or gone, the lines tell which, as far as the others have moved.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::construct::{Construct, Group, Kind, Spot};

/// A construct before and after; one is missing where it is new or gone.
pub type Pair = (Option<Construct>, Option<Construct>);

/// Positions compared to find how far lines have moved; with more, only ends are tried.
const MOST_TRIED: usize = 10_000;

/// Pairs of positions beyond which only the order counts.
const MOST_CELLS: usize = 4_000_000;
/// Shifts that are tried to the end.
const MOST_SHIFTS: usize = 16;

/// A function: file or module, and name.
type Function = (Option<String>, Option<String>);

/// The constructs in a function.
#[derive(Debug, Default)]
struct Contents {
    /// How many of each kind there are.
    kinds: BTreeMap<Kind, usize>,
    /// Line and offset of the first.
    first: Option<(Option<u32>, u64)>,
}

fn function_of(spot: Option<&Spot>) -> Function {
    let Some(spot) = spot else { return (None, None) };
    (spot.file.clone().or_else(|| spot.module.clone()), spot.function.clone())
}

/// Matches the constructs of two programs; every construct is in exactly one pair.
#[must_use]
pub fn pairs(before: &BTreeSet<Construct>, after: &BTreeSet<Construct>) -> Vec<Pair> {
    let functions = functions(&contents(before), &contents(after));
    let mut of_before = by_function(before, &|function| functions.get(&function).cloned());
    let mut of_after = by_function(after, &Some);
    let keys: BTreeSet<_> = of_before.keys().chain(of_after.keys()).cloned().collect();
    let mut pairs = Vec::new();
    for key in keys {
        let ones = of_before.remove(&key).unwrap_or_default();
        let others = of_after.remove(&key).unwrap_or_default();
        pairs.extend(aligned(&ones, &others));
    }
    // Functions that are gone.
    let gone = before.iter().filter(|construct| {
        construct.kind.group != Group::Serial
            && !functions.contains_key(&function_of(construct.spot.as_ref()))
    });
    pairs.extend(gone.map(|construct| (Some(construct.clone()), None)));
    let stretches = stretches(before, after, &pairs);
    pairs.extend(stretches);
    pairs
}

/// The constructs by function, as `name` names it, and kind, each list in the order of the text.
fn by_function<'a>(
    constructs: &'a BTreeSet<Construct>,
    name: &dyn Fn(Function) -> Option<Function>,
) -> BTreeMap<(Function, Kind), Vec<&'a Construct>> {
    let mut by: BTreeMap<_, Vec<&Construct>> = BTreeMap::new();
    for construct in constructs.iter().filter(|construct| construct.kind.group != Group::Serial) {
        if let Some(function) = name(function_of(construct.spot.as_ref())) {
            by.entry((function, construct.kind)).or_default().push(construct);
        }
    }
    for list in by.values_mut() {
        list.sort_by_key(|construct| {
            let spots = [&construct.spot, &construct.other];
            spots.map(|spot| spot.as_ref().map(|spot| (spot.line, spot.offset)))
        });
    }
    by
}

fn contents(constructs: &BTreeSet<Construct>) -> BTreeMap<Function, Contents> {
    let mut contents: BTreeMap<Function, Contents> = BTreeMap::new();
    for construct in constructs.iter().filter(|construct| construct.kind.group != Group::Serial) {
        let function = contents.entry(function_of(construct.spot.as_ref())).or_default();
        *function.kinds.entry(construct.kind).or_default() += 1;
        let position = construct.spot.as_ref().map(|spot| (spot.line, spot.offset));
        function.first = [function.first, position].into_iter().flatten().min();
    }
    contents
}

/// The function after for each function before that is still there.
fn functions(
    before: &BTreeMap<Function, Contents>,
    after: &BTreeMap<Function, Contents>,
) -> HashMap<Function, Function> {
    let both = before.keys().filter(|function| after.contains_key(function));
    let mut found: HashMap<_, _> = both.map(|both| (both.clone(), both.clone())).collect();
    let mut taken: BTreeSet<Function> = found.keys().cloned().collect();
    // Moved to another file; renamed, with the same contents; the only one in its file that went
    // and the only one that came.
    join(before, after, &mut found, &mut taken, |(_, name), _| name.clone());
    join(before, after, &mut found, &mut taken, |(file, name), contents| {
        name.as_ref()?;
        Some((file.clone()?, contents.kinds.clone()))
    });
    for (one, other) in sole(before, after, &found, &taken) {
        found.insert(one, other);
    }
    found
}

/// Pairs the functions that are left and have the same key, in the order of the text.
fn join<K: Ord>(
    before: &BTreeMap<Function, Contents>,
    after: &BTreeMap<Function, Contents>,
    found: &mut HashMap<Function, Function>,
    taken: &mut BTreeSet<Function>,
    key: impl Fn(&Function, &Contents) -> Option<K>,
) {
    let mut by_key: BTreeMap<K, (Vec<&Function>, Vec<&Function>)> = BTreeMap::new();
    for (function, contents) in before.iter().filter(|(function, _)| !found.contains_key(function))
    {
        if let Some(key) = key(function, contents) {
            by_key.entry(key).or_default().0.push(function);
        }
    }
    for (function, contents) in after.iter().filter(|(function, _)| !taken.contains(function)) {
        if let Some(key) = key(function, contents) {
            by_key.entry(key).or_default().1.push(function);
        }
    }
    for (mut ones, mut others) in by_key.into_values() {
        ones.sort_by_key(|function| before[*function].first);
        others.sort_by_key(|function| after[*function].first);
        for (one, other) in ones.into_iter().zip(others) {
            found.insert(one.clone(), other.clone());
            taken.insert(other.clone());
        }
    }
}

/// The functions that are left alone in their file on both sides, and have a kind in common.
fn sole(
    before: &BTreeMap<Function, Contents>,
    after: &BTreeMap<Function, Contents>,
    found: &HashMap<Function, Function>,
    taken: &BTreeSet<Function>,
) -> Vec<(Function, Function)> {
    let left = |functions: &BTreeMap<Function, Contents>, is_left: &dyn Fn(&Function) -> bool| {
        let mut by_file: BTreeMap<String, Vec<Function>> = BTreeMap::new();
        for function in functions.keys().filter(|function| is_left(function)) {
            if let (Some(file), Some(_)) = function {
                by_file.entry(file.clone()).or_default().push(function.clone());
            }
        }
        by_file
    };
    let gone = left(before, &|function| !found.contains_key(function));
    let new = left(after, &|function| !taken.contains(function));
    let mut sole = Vec::new();
    for (file, ones) in gone {
        if let ([one], Some([other])) = (ones.as_slice(), new.get(&file).map(Vec::as_slice))
            && before[one].kinds.keys().any(|kind| after[other].kinds.contains_key(kind))
        {
            sole.push((one.clone(), other.clone()));
        }
    }
    sole
}

/// Constructs of one kind in one function, each list in the order of the text.
fn aligned(ones: &[&Construct], others: &[&Construct]) -> Vec<Pair> {
    if ones.len() > others.len() {
        return aligned(others, ones).into_iter().map(|(one, other)| (other, one)).collect();
    }
    let mut partners = align(&positions(ones), &positions(others)).into_iter().peekable();
    let mut pairs = Vec::new();
    let mut next = 0;
    for (index, other) in others.iter().enumerate() {
        let one = partners.next_if_eq(&index).map(|_| {
            next += 1;
            ones[next - 1].clone()
        });
        pairs.push((one, Some((*other).clone())));
    }
    pairs
}

/// Lines, or offsets where a line is missing.
fn positions(constructs: &[&Construct]) -> Vec<i64> {
    let spots = || constructs.iter().map(|construct| construct.spot.as_ref());
    let lines: Option<Vec<i64>> =
        spots().map(|spot| spot.and_then(|spot| spot.line).map(i64::from)).collect();
    lines.unwrap_or_else(|| {
        let offset = |spot: Option<&Spot>| spot.map_or(0, |spot| spot.offset.cast_signed());
        spots().map(offset).collect()
    })
}

/// For each of the fewer positions the index of its partner among the more: in order, each as near
/// as can be to where the shift of most of them leads.
fn align(fewer: &[i64], more: &[i64]) -> Vec<usize> {
    if fewer.len() == more.len() {
        return (0..more.len()).collect();
    }
    if fewer.len().saturating_mul(more.len()) > MOST_CELLS {
        return (0..fewer.len()).collect();
    }
    let mut best: Option<Table> = None;
    for shift in common_shifts(fewer, more) {
        let table = least_deviations(fewer, more, shift);
        let cost = |table: &Table| table[fewer.len()][more.len()];
        if best.as_ref().is_none_or(|best| cost(&table) < cost(best)) {
            best = Some(table);
        }
    }
    let Some(least) = best else { return Vec::new() };
    let mut partners = Vec::new();
    let mut j = more.len();
    for i in (1..=fewer.len()).rev() {
        while j > i && least[i][j] == least[i][j - 1] {
            j -= 1;
        }
        j -= 1;
        partners.push(j);
    }
    partners.reverse();
    partners
}

/// By i and j, the least sum of deviations of the first i of the fewer positions among the first j
/// of the more.
type Table = Vec<Vec<u64>>;

fn least_deviations(fewer: &[i64], more: &[i64], shift: i64) -> Table {
    let mut least = vec![vec![0_u64; more.len() + 1]; fewer.len() + 1];
    for i in 1..=fewer.len() {
        least[i][..i].fill(u64::MAX);
        for j in i..=more.len() {
            let deviation = (more[j - 1] - fewer[i - 1] - shift).unsigned_abs();
            let joined = least[i - 1][j - 1].saturating_add(deviation);
            least[i][j] = joined.min(least[i][j - 1]);
        }
    }
    least
}

/// The shifts by which most of the positions meet, the smallest first.
fn common_shifts(fewer: &[i64], more: &[i64]) -> Vec<i64> {
    let targets: BTreeSet<i64> = more.iter().copied().collect();
    let candidates: BTreeSet<i64> = if fewer.len() * more.len() > MOST_TRIED {
        let ends = [(fewer.first(), more.first()), (fewer.last(), more.last())];
        ends.into_iter().filter_map(|(one, other)| Some(other? - one?)).chain([0]).collect()
    } else {
        fewer.iter().flat_map(|one| more.iter().map(move |other| other - one)).collect()
    };
    let meeting =
        |shift: i64| fewer.iter().filter(|one| targets.contains(&(**one + shift))).count();
    let mut counted: Vec<(usize, i64)> =
        candidates.into_iter().map(|shift| (meeting(shift), shift)).collect();
    let most = counted.iter().map(|(meeting, _)| *meeting).max().unwrap_or_default();
    counted.retain(|(meeting, _)| *meeting == most);
    counted.sort_by_key(|(_, shift)| (shift.unsigned_abs(), *shift));
    counted.into_iter().map(|(_, shift)| shift).take(MOST_SHIFTS).collect()
}

/// Stretches between regions: the same if the regions at both ends are.
fn stretches(
    before: &BTreeSet<Construct>,
    after: &BTreeSet<Construct>,
    pairs: &[Pair],
) -> Vec<Pair> {
    let regions: HashMap<&Spot, &Spot> = pairs
        .iter()
        .filter_map(|(one, other)| {
            let (one, other) = (one.as_ref()?, other.as_ref()?);
            let is_region = one.kind.group == Group::Region;
            is_region.then_some((one.spot.as_ref()?, other.spot.as_ref()?))
        })
        .collect();
    // An end at a region that is gone has no translation.
    let translated = |end: &Option<Spot>| match end {
        None => Some(None),
        Some(spot) => regions.get(spot).map(|spot| Some((*spot).clone())),
    };
    let serial = |construct: &&Construct| construct.kind.group == Group::Serial;
    let mut left: BTreeSet<&Construct> = after.iter().filter(serial).collect();
    let mut found = Vec::new();
    for one in before.iter().filter(serial) {
        let partner = translated(&one.spot)
            .zip(translated(&one.other))
            .map(|(spot, other)| Construct { kind: one.kind, spot, other })
            .filter(|partner| left.remove(partner));
        found.push((Some(one.clone()), partner));
    }
    found.extend(left.into_iter().map(|other| (None, Some(other.clone()))));
    found
}
