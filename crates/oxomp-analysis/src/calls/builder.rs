//! The tree of call paths while it grows, and what the symbols tell of the code on them.

use std::collections::HashMap;

use oxomp_trace::calls::ThreadCalls;
use oxomp_trace::{Clock, Profile};

use super::code::{Code, Names, site};
use super::frame::Frame;
use super::interpreter::interpreter;
use super::samples::{Placed, addresses_of};
use super::{CallNode, CallTree, Sample};
use crate::symbols::{AtomicUpdate, MemoryAccess, Site, Symbols};

/// Regions around each other that are followed.
const MOST_LEVELS: usize = 16;

/// The recorded begin of a region: the stream, its node, and the region around it.
type Fork = (usize, u32, u64);

fn forks(calls: &[ThreadCalls]) -> HashMap<u64, Fork> {
    let forks = calls.iter().enumerate().flat_map(|(stream, calls)| {
        let forks = calls.samples.iter().filter(|sample| sample.fork);
        forks.map(move |fork| (fork.region, (stream, fork.node, fork.outer)))
    });
    forks.collect()
}

/// What the code around an address uses in memory.
#[derive(Debug, Default)]
pub(super) struct CodeAccesses {
    pub(super) accesses: Vec<MemoryAccess>,
    /// Where the module with the code lies.
    pub(super) bias: u64,
}

/// The code path of a thread, without the runtime.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    pub(super) frames: Vec<Frame>,
    /// It begins in the runtime, as the path of a worker does.
    of_worker: bool,
}

impl Path {
    /// The path of a worker was not followed to the runtime, in which it begins.
    pub(super) fn is_cut_in_region(&mut self) {
        self.of_worker = true;
    }
}

/// Builds a tree of named call paths.
pub(super) struct Builder<'a> {
    pub(super) profile: &'a Profile,
    names: Names<'a>,
    pub(super) tree: CallTree,
    places: HashMap<(Option<u32>, Frame), u32>,
    forks: HashMap<u64, Fork>,
    /// The callers of each body of a construct, with how many samples have them.
    bodies: HashMap<String, HashMap<Option<u32>, u64>>,
    /// The node that began a region.
    contexts: HashMap<u64, Option<u32>>,
}

impl<'a> Builder<'a> {
    /// A builder of a tree that has no nodes yet.
    pub(super) fn new(profile: &'a Profile, symbols: &'a mut Symbols) -> Self {
        Self {
            profile,
            names: Names::new(profile, symbols),
            tree: CallTree::default(),
            places: HashMap::new(),
            forks: forks(&profile.calls),
            bodies: HashMap::new(),
            contexts: HashMap::new(),
        }
    }

    /// The clock of the recording.
    pub(super) fn clock(&self) -> Clock {
        self.profile.clock()
    }

    /// The code at an address.
    pub(super) fn code(&mut self, address: u64) -> Code {
        self.names.code(address)
    }

    /// The addresses from the begin to the end of the function that has the code at `address`.
    pub(super) fn function(&mut self, address: u64) -> Option<(u64, u64)> {
        let module = self.names.info.module_of(address)?;
        let (begin, end) = self.names.symbols.function_extent(&site(module, address))?;
        Some((begin.wrapping_add(module.bias), end.wrapping_add(module.bias)))
    }

    /// The extent of the innermost function on the path that the runtime calls: the body of a
    /// region.
    pub(super) fn body(&mut self, addresses: &[u64]) -> Option<(u64, u64)> {
        let inner = addresses.windows(2).rposition(|pair| {
            matches!(self.code(pair[0]), Code::Runtime)
                && matches!(self.code(pair[1]), Code::User(_))
        })?;
        self.function(addresses[inner + 1])
    }

    /// The atomic update at `address`, or directly before it.
    pub(super) fn atomic_update(&mut self, address: u64) -> Option<AtomicUpdate> {
        let module = self.names.info.module_of(address)?;
        self.names.symbols.atomic_update(&site(module, address))
    }

    /// The begin of the loop around `address` that waits for memory to change.
    pub(super) fn spin_loop(&mut self, address: u64) -> Option<u64> {
        let module = self.names.info.module_of(address)?;
        let begin = self.names.symbols.spin_loop(&site(module, address))?;
        Some(begin.wrapping_add(module.bias))
    }

    /// What the user's code around `address` uses in memory, unless that waits for another thread.
    pub(super) fn accesses_around(&mut self, address: u64) -> CodeAccesses {
        if !matches!(self.code(address), Code::User(_)) || self.spin_loop(address).is_some() {
            return CodeAccesses::default();
        }
        let Some(module) = self.names.info.module_of(address) else {
            return CodeAccesses::default();
        };
        let accesses = self.names.symbols.accesses_around(&site(module, address));
        CodeAccesses { accesses, bias: module.bias }
    }

    /// The name of the variable of static storage that holds the data at `address`, and the offset
    /// of `address` in it, 0 if that is not known.
    pub(super) fn variable(&mut self, address: u64) -> Option<(String, u64)> {
        let site = site(self.names.info.module_of(address)?, address);
        let offset = site.offset;
        let site = Site { codeptr: address, module: Some(site) };
        let found = self.names.symbols.variable(&site)?;
        Some((found.name, found.begin.map_or(0, |begin| offset.saturating_sub(begin))))
    }

    /// The name of the runtime's function at an address.
    pub(super) fn runtime_function(&mut self, address: u64) -> String {
        let module = self.names.info.module_of(address);
        let mut frames = self.names.frames(address, module).into_iter();
        frames.next().map(|frame| frame.function).unwrap_or_default()
    }

    /// The node that called a path, `None` at the start of the program; `None` if it is not known.
    pub(super) fn caller_of(&mut self, path: &Path, region: u64) -> Option<Option<u32>> {
        match path.of_worker {
            false => Some(None),
            true if self.forks.contains_key(&region) => Some(self.context(region, MOST_LEVELS)),
            true => None,
        }
    }

    /// Puts samples at the end of `path` below `caller`.
    pub(super) fn place(&mut self, caller: Option<u32>, path: &Path, placed: Placed) {
        if let Some(node) = self.insert(caller, &path.frames, placed.count) {
            self.tree.nodes[node as usize].own += placed.count;
            let samples = placed.samples.into_iter();
            self.tree.samples.extend(samples.map(|sample| Sample { node, ..sample }));
        }
    }

    /// The user's part of a path of addresses, the outermost first.
    pub(super) fn path(&mut self, addresses: &[u64]) -> Path {
        let codes: Vec<Code> = addresses.iter().map(|address| self.names.code(*address)).collect();
        let starts = |at: usize| match (&codes[at], codes.get(at + 1)) {
            (Code::Library(_), _) => true,
            (Code::User(frames), next) => {
                let start = frames.last().is_some_and(|frame| frame.function == "_start");
                start || matches!(next, Some(Code::Library(_))) && at == 0
            }
            (Code::Interpreter, next) => matches!(next, Some(Code::Library(_))) && at == 0,
            (Code::Runtime, _) => false,
        };
        // The start of the program or thread ends with the C library, but code may call it, too.
        let mut first = 0;
        if matches!(codes.first(), Some(Code::Library(_)))
            || matches!(codes.get(1), Some(Code::Library(_))) && starts(0)
        {
            while first < codes.len() && starts(first) && first < 6 {
                first += 1;
            }
            if first == codes.len() {
                first = 0;
            }
        }
        let mut path =
            Path { frames: Vec::new(), of_worker: matches!(codes.get(first), Some(Code::Runtime)) };
        let is_python = |code: &Code| match code {
            Code::User(frames) => frames.iter().any(|frame| frame.python),
            _ => false,
        };
        let has_python = codes.iter().any(is_python);
        let mut below_runtime = false;
        for code in &codes[first..] {
            match code {
                // The functions that it executes stand for it.
                Code::Interpreter if has_python => {}
                Code::Interpreter => {
                    let frame = Frame { region: below_runtime, ..interpreter() };
                    if path.frames.last() != Some(&frame) {
                        path.frames.push(frame);
                    }
                    below_runtime = false;
                }
                Code::Runtime => below_runtime = true,
                // The runtime's own calls.
                Code::Library(_) if below_runtime => {}
                Code::User(frames) | Code::Library(frames) => {
                    let from = path.frames.len();
                    path.frames.extend(frames.iter().cloned());
                    path.frames[from].region = below_runtime;
                    below_runtime = false;
                }
            }
        }
        path
    }

    /// The node of the code that began `region`, inside at most `levels` other regions.
    fn context(&mut self, region: u64, levels: usize) -> Option<u32> {
        if let Some(known) = self.contexts.get(&region) {
            return *known;
        }
        let &(stream, node, outer) = self.forks.get(&region)?;
        let (addresses, _) = addresses_of(&self.profile.calls[stream], node);
        let path = self.path(&addresses);
        let caller = match path.of_worker {
            true if levels > 0 => self.context(outer, levels - 1),
            _ => None,
        };
        let node = self.insert(caller, &path.frames, 0);
        self.contexts.insert(region, node);
        node
    }

    /// Where most samples have the first frame of `path`.
    pub(super) fn usual_caller(&self, path: &Path) -> Option<u32> {
        let body = path.frames.first()?;
        let callers = self.bodies.get(&body.function)?;
        let (caller, _) = callers.iter().max_by_key(|(caller, samples)| (**samples, **caller))?;
        *caller
    }

    /// The node of the last of `frames` below `caller`, which has `samples`; `None` without any.
    pub(super) fn insert(
        &mut self,
        caller: Option<u32>,
        frames: &[Frame],
        samples: u64,
    ) -> Option<u32> {
        let mut node = caller;
        for frame in frames {
            if frame.region && samples > 0 {
                let callers = self.bodies.entry(frame.function.clone()).or_default();
                *callers.entry(node).or_default() += samples;
            }
            let tree = &mut self.tree;
            let next = *self.places.entry((node, frame.clone())).or_insert_with(|| {
                let frame = frame.clone();
                tree.nodes.push(CallNode {
                    caller: node,
                    function: frame.function,
                    line: frame.line,
                    module: frame.module,
                    region: frame.region,
                    library: frame.library,
                    python: frame.python,
                    own: 0,
                    total: 0,
                });
                (tree.nodes.len() - 1) as u32
            });
            node = Some(next);
        }
        if frames.is_empty() { None } else { node }
    }

    /// The finished tree.
    pub(super) fn close(self) -> CallTree {
        let mut tree = self.tree;
        for index in (0..tree.nodes.len()).rev() {
            let node = &mut tree.nodes[index];
            node.total += node.own;
            let (total, caller) = (node.total, node.caller);
            if let Some(caller) = caller {
                tree.nodes[caller as usize].total += total;
            }
        }
        tree.samples.sort_by_key(|sample| (sample.thread, sample.time_ns, sample.node));
        tree
    }
}
