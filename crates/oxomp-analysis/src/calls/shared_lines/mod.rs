//! Cache lines that threads share in regions, with the code that uses them and the names of what
//! lies there: from samples with registers.

mod detect;
mod stacks;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use oxomp_arch::read::Machine;
use oxomp_trace::Profile;
use oxomp_trace::registers::RegisterSample;

use super::builder::{Builder, CodeAccesses};
use super::code::Code;
use super::hot_accesses::of_user;
use super::samples::{addresses_of, thread_at};
use crate::constructs::Constructs;
use crate::model::Model;
use crate::processor::machine_of;
use crate::summary::{LineSharing, MemoryObject, SharedLines, SharedPlace};
use detect::{DetectedLine, InstructionUse, LINE, LineAccess, SampledAccesses, detect, in_lines};
use stacks::Stacks;

/// The part of a region's samples at lines of one object from which on the object is told.
const LEAST_PART: f64 = 0.05;
/// Samples of a region below which parts of them say nothing.
const LEAST_SAMPLES: u64 = 20;
/// Places that are told of an object.
const PLACES: usize = 2;

/// All samples with registers in a region.
#[derive(Default)]
struct InRegion {
    samples: u64,
    /// The samples of code that uses memory, and that other threads may execute at the same time.
    accesses: Vec<SampledAccesses>,
}

/// Lines with the same key are told as one: lines of one object, shared in one way at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    is_variable: bool,
    object: MemoryObject,
    line_of_code: Option<(String, u32)>,
}

/// The lines that threads share in regions, each with the code address of the region, which stands
/// for its copies.
pub(super) fn shared_lines(
    mut builder: Builder<'_>,
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
) -> Vec<(u64, SharedLines)> {
    // The numbers of other processors' registers are not known.
    if !machine_of(&profile.info).is_some_and(Machine::has_registers_of_samples) {
        return Vec::new();
    }
    let regions = by_region(&mut builder, profile, model, constructs);
    let stacks = Stacks::new(profile);
    let mut found = Vec::new();
    for (region, mut inside) in regions {
        inside.accesses.sort_by_key(|sample| (sample.tick, sample.tid));
        let mut objects = BTreeMap::<Key, Vec<DetectedLine>>::new();
        for line in detect(&inside.accesses) {
            let address = line.line * LINE + u64::from(line.first);
            let object = object(&mut builder, address, &stacks, model);
            let place = places(&mut builder, std::slice::from_ref(&line)).into_iter().next();
            // Lines of one variable belong together, wherever most samples of each are.
            let line_of_code = match object {
                MemoryObject::Variable(_) => None,
                _ => place.and_then(|place| place.line),
            };
            let is_variable = line.sharing == LineSharing::Variable;
            let key = Key { is_variable, object, line_of_code };
            objects.entry(key).or_default().push(line);
        }
        let told = objects.into_iter().filter_map(|(Key { object, .. }, mut lines)| {
            lines.sort_by_key(|line| line.line);
            let (samples, taken) = samples_at(&lines, &inside.accesses);
            let is_much = samples as f64 >= LEAST_PART * inside.samples as f64;
            if inside.samples < LEAST_SAMPLES || samples == 0 || !is_much {
                return None;
            }
            let tids: BTreeSet<u32> = lines.iter().flat_map(|line| line.tids.clone()).collect();
            let told = SharedLines {
                region: None,
                sharing: lines[0].sharing,
                places: places(&mut builder, &lines),
                object: with_offset(&mut builder, object, &lines[0]),
                threads: tids.len() as u32,
                lines: lines.len() as u32,
                samples,
                taken,
                of: inside.samples,
            };
            Some((region, told))
        });
        found.extend(told);
    }
    found.sort_by(|(_, a), (_, b)| b.samples.cmp(&a.samples).then_with(|| a.places.cmp(&b.places)));
    found
}

/// What the samples in each region used, by the code address that stands for the region.
fn by_region(
    builder: &mut Builder<'_>,
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
) -> BTreeMap<u64, InRegion> {
    let codes = profile.calls.iter().flat_map(|calls| &calls.registers).map(|sample| sample.code);
    let codes = codes.filter(|code| *code != 0).map(|code| constructs.name(code));
    let codes = codes.chain(model.regions.iter().map(|region| region.code));
    let codes: BTreeSet<u64> = codes.chain(constructs.copies().map(|(_, name)| name)).collect();
    let mut regions = BTreeMap::<u64, InRegion>::new();
    let mut known = HashMap::<u64, Rc<CodeAccesses>>::new();
    for calls in &profile.calls {
        let mut of_node = HashMap::<u32, Option<u64>>::new();
        for sample in &calls.registers {
            let region = match sample.code {
                0 => *of_node.entry(sample.node).or_insert_with(|| {
                    let (addresses, _) = addresses_of(calls, sample.node);
                    constructs.region_in(builder.body(&addresses)?, &codes)
                }),
                code => Some(constructs.name(code)),
            };
            let Some(region) = region else { continue };
            let inside = regions.entry(region).or_default();
            inside.samples += u64::from(sample.weight);
            if sample.alone {
                continue;
            }
            let code = known
                .entry(sample.address)
                .or_insert_with(|| Rc::new(builder.accesses_around(sample.address)));
            let accesses = line_accesses(sample, code);
            if !accesses.is_empty() {
                inside.accesses.push(SampledAccesses {
                    tick: sample.tick,
                    tid: sample.tid,
                    execution: sample.region,
                    stretch: stretch(sample),
                    weight: sample.weight.into(),
                    accesses,
                });
            }
        }
    }
    regions
}

/// For how many samples those stand that are at the instructions which use any of the `lines`, and
/// how many of them there are in `all`. One may be at two of the lines.
fn samples_at(lines: &[DetectedLine], all: &[SampledAccesses]) -> (u64, u64) {
    let near: BTreeSet<usize> = lines.iter().flat_map(|line| line.near.iter().copied()).collect();
    (near.iter().map(|&at| all[at].weight).sum(), near.len() as u64)
}

/// A number that differs between executions of a region, and between the stretches from one barrier
/// to the next in it: what one thread does before a barrier and another one behind it is not done
/// at the same time. 0 if the region is not known.
fn stretch(sample: &RegisterSample) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    match sample.region {
        0 => 0,
        region => region.wrapping_add(u64::from(sample.phase).wrapping_mul(ODD)).max(1),
    }
}

/// What the code around a sample used, by line.
fn line_accesses(sample: &RegisterSample, code: &CodeAccesses) -> Vec<LineAccess> {
    let mut accesses = Vec::new();
    for access in &code.accesses {
        let address = access.address(&sample.registers, code.bias);
        for (line, bytes) in in_lines(address, access.bytes) {
            accesses.push(LineAccess {
                instruction: code.bias.wrapping_add(access.instruction),
                line,
                bytes,
                writes: access.writes,
                is_atomic: access.is_atomic,
                is_near: access.is_near,
                is_certain: access.is_certain,
            });
        }
    }
    accesses
}

/// The places in the source that use the lines, those with most samples first, writing ones before
/// others.
fn places(builder: &mut Builder<'_>, lines: &[DetectedLine]) -> Vec<SharedPlace> {
    let mut places = BTreeMap::<(String, Option<(String, u32)>), InstructionUse>::new();
    for (&instruction, used) in lines.iter().flat_map(|line| &line.instructions) {
        let Code::User(frames) = builder.code(instruction) else { continue };
        let Some(frame) = of_user(frames) else { continue };
        let place = places.entry((frame.function, frame.line)).or_default();
        place.samples += used.samples;
        place.writes |= used.writes;
    }
    let mut places: Vec<_> = places.into_iter().filter(|(_, used)| used.samples > 0).collect();
    places.sort_by_key(|(_, used)| std::cmp::Reverse((used.samples, used.writes)));
    let place = |((function, line), used): (_, InstructionUse)| SharedPlace {
        function,
        line,
        writes: used.writes,
    };
    places.into_iter().take(PLACES).map(place).collect()
}

/// What lies at `address`.
fn object(builder: &mut Builder<'_>, address: u64, stacks: &Stacks, model: &Model) -> MemoryObject {
    if let Some((name, _)) = builder.variable(address) {
        return MemoryObject::Variable(name);
    }
    let thread = stacks.of(address).and_then(|(tid, ns)| thread_at(model, tid, ns));
    thread.map_or(MemoryObject::Unknown, MemoryObject::Stack)
}

/// The object with the offset of the first byte in it that threads use.
fn with_offset(
    builder: &mut Builder<'_>,
    object: MemoryObject,
    first: &DetectedLine,
) -> MemoryObject {
    let address = first.line * LINE + u64::from(first.first);
    match builder.variable(address) {
        Some((name, offset)) if offset > 0 => MemoryObject::Variable(format!("{name}+{offset}")),
        _ => object,
    }
}

#[cfg(test)]
mod tests {
    use super::detect::{LineAccess, SampledAccesses, detect};
    use super::samples_at;

    #[test]
    fn a_sample_at_two_lines_of_an_object_is_one() {
        // A load that crosses the border of two lines, beside which another thread writes.
        let sample = |tick: u64| {
            let one = |line, bytes: u64| LineAccess {
                instruction: 0x10,
                line,
                bytes: bytes << (16 * (tick % 2)),
                writes: true,
                is_atomic: false,
                is_near: true,
                is_certain: true,
            };
            let (tid, accesses) = ((tick % 2) as u32, vec![one(5, 0xf), one(6, 0xf)]);
            SampledAccesses { tick, tid, execution: 7, stretch: 7, weight: 3, accesses }
        };
        let samples: Vec<SampledAccesses> = (0..60).map(sample).collect();
        let lines = detect(&samples);
        assert_eq!(lines.len(), 2);
        assert_eq!(samples_at(&lines, &samples), (180, 60));
    }
}
