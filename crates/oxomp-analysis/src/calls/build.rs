//! From the recorded trees of addresses to one tree of named call paths.
//!
//! A thread's path is cut at the runtime: its frames are left out, and the code that it calls is
//! the body of a construct. The path of a worker begins in the runtime, so that of the thread which
//! forked its region is put before it. Samples name their region, and the forking thread has
//! recorded its path if they asked for it. Where that is missing, as it is for samples of which
//! only the number is known, the path that most others with the same body have stands in.

use std::collections::HashMap;

use oxomp_trace::calls::{Pseudo, ThreadCalls};
use oxomp_trace::{Clock, Info, Module, Profile};

use crate::calls::blocked::blocked;
use crate::calls::hot_accesses::hot_accesses;
use crate::calls::iterations::iterations;
use crate::calls::library::{is_c_library, is_header_of_system, is_of_system};
use crate::calls::nests::nests;
use crate::calls::shared_lines::shared_lines;
use crate::calls::{CallNode, CallTree, Sample};
use crate::constructs::Constructs;
use crate::model::Model;
use crate::symbols::{AtomicUpdate, MemoryAccess, Site, SiteModule, Symbols, is_offload_runtime};

/// Regions around each other that are followed, and callers of a node.
const MOST_LEVELS: usize = 16;
const MOST_CALLERS: usize = 1024;

/// The tree of all threads' samples.
pub(crate) fn call_tree(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    symbols: &mut Symbols,
) -> CallTree {
    let Some((period_ns, _)) = profile.info.sampling else { return CallTree::default() };
    let mut builder = Builder::new(profile, symbols);
    builder.add_samples(model);
    let mut tree = builder.close();
    tree.period_ns = period_ns;
    tree.lost = sum(profile, |calls| calls.pseudo(Pseudo::LOST));
    tree.hot_accesses = hot_accesses(Builder::new(profile, symbols), profile);
    tree.shared_lines = shared_lines(Builder::new(profile, symbols), profile, model, constructs);
    tree.blocked = blocked(Builder::new(profile, symbols), &profile.blocked, model);
    tree.nests = nests(Builder::new(profile, symbols), profile);
    (tree.iterations, tree.waiters) = iterations(Builder::new(profile, symbols), profile, model);
    tree
}

fn sum(profile: &Profile, of: impl Fn(&ThreadCalls) -> u64) -> u64 {
    profile.calls.iter().map(of).sum()
}

/// The recorded begin of a region: the stream, its node, and the region around it.
type Fork = (usize, u32, u64);

fn forks(calls: &[ThreadCalls]) -> HashMap<u64, Fork> {
    let forks = calls.iter().enumerate().flat_map(|(stream, calls)| {
        let forks = calls.samples.iter().filter(|sample| sample.fork);
        forks.map(move |fork| (fork.region, (stream, fork.node, fork.outer)))
    });
    forks.collect()
}

/// A frame's identity in the tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) function: String,
    pub(super) line: Option<(String, u32)>,
    module: Option<String>,
    region: bool,
    pub(super) library: bool,
}

/// The code at an address.
#[derive(Debug, Clone)]
pub(super) enum Code {
    /// Functions, the outermost first: those after the first are inlined.
    User(Vec<Frame>),
    /// The runtime's, or the collector's.
    Runtime,
    /// The C library's, with its frames.
    Library(Vec<Frame>),
}

struct Names<'a> {
    info: &'a Info,
    symbols: &'a mut Symbols,
    known: HashMap<u64, Code>,
}

/// What the code around an address uses in memory.
#[derive(Debug, Default)]
pub(super) struct CodeAccesses {
    pub(super) accesses: Vec<MemoryAccess>,
    /// Where the module with the code lies.
    pub(super) bias: u64,
}

/// Samples of one place.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// All of them.
    pub(super) count: u64,
    /// Those with thread and time; their nodes are not known yet.
    pub(super) samples: Vec<Sample>,
}

/// The code path of a thread, without the runtime.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    pub(super) frames: Vec<Frame>,
    /// It begins in the runtime, as the path of a worker does.
    of_worker: bool,
}

pub(super) struct Builder<'a> {
    profile: &'a Profile,
    names: Names<'a>,
    tree: CallTree,
    places: HashMap<(Option<u32>, Frame), u32>,
    forks: HashMap<u64, Fork>,
    /// The callers of each body of a construct, with how many samples have them.
    bodies: HashMap<String, HashMap<Option<u32>, u64>>,
    /// The node that began a region.
    contexts: HashMap<u64, Option<u32>>,
}

/// The place of an address in its module.
fn site(module: &Module, address: u64) -> SiteModule {
    SiteModule {
        path: module.path.clone(),
        file: module.file.clone(),
        build_id: module.build_id.clone(),
        offset: address.wrapping_sub(module.bias),
    }
}

impl Names<'_> {
    fn code(&mut self, address: u64) -> Code {
        if let Some(code) = self.known.get(&address) {
            return code.clone();
        }
        let code = self.look_up(address);
        self.known.insert(address, code.clone());
        code
    }

    fn look_up(&mut self, address: u64) -> Code {
        let module = self.info.module_of(address);
        let runtime = self.info.runtime_address.and_then(|runtime| self.info.module_of(runtime));
        let file = module.map_or("", |module| module.path.rsplit('/').next().unwrap_or(""));
        let is_ours = module.is_some() && module == runtime || file.starts_with("liboxomp_collect");
        if is_ours || is_offload_runtime(file) {
            return Code::Runtime;
        }
        let frames = self.frames(address, module);
        if is_c_library(file) { Code::Library(frames) } else { Code::User(frames) }
    }

    /// The functions at `address`, the outermost first.
    fn frames(&mut self, address: u64, module: Option<&Module>) -> Vec<Frame> {
        let Some(found) = module else {
            let function = format!("{address:#x}");
            let (line, module) = (None, None);
            return vec![Frame { function, line, module, region: false, library: false }];
        };
        let site = site(found, address);
        let file = found.path.rsplit('/').next().unwrap_or("");
        let of_system = is_of_system(file);
        let module = self.symbols.module_name(&site);
        let nameless = || Frame {
            function: format!("{module}+{:#x}", site.offset),
            line: None,
            module: Some(module.clone()),
            region: false,
            library: of_system,
        };
        let is_header = |line: &Option<(String, u32)>| {
            line.as_ref().is_some_and(|(file, _)| is_header_of_system(file))
        };
        let mut frames: Vec<Frame> = self
            .symbols
            .inlined(&site, false)
            .into_iter()
            .map(|place| match place.function_or_nearest() {
                Some(function) => Frame {
                    function,
                    library: of_system || is_header(&place.line),
                    line: place.line,
                    module: place.module,
                    region: false,
                },
                None => Frame { line: place.line, ..nameless() },
            })
            .collect();
        // clang puts a construct into a function that only calls the one with its lines.
        frames.dedup_by(|outer, inner| outer.function == inner.function);
        frames.reverse();
        if frames.is_empty() { vec![nameless()] } else { frames }
    }
}

/// The samples of a stream by node and by the region in which their threads were workers, in that
/// order. Samples of which only the number is known have the region of the others with their node.
pub(super) fn by_place(
    calls: &ThreadCalls,
    clock: Clock,
    model: &Model,
) -> Vec<((u32, u64), Placed)> {
    let mut left: Vec<u64> = calls.nodes.iter().map(|node| node.count.into()).collect();
    let mut by_place = HashMap::<(u32, u64), Placed>::new();
    for sample in calls.samples.iter().filter(|sample| !sample.fork) {
        let Some(left) = left.get_mut(sample.node as usize) else { continue };
        *left = left.saturating_sub(1);
        let time_ns = clock.ns(sample.tick);
        let thread = thread_at(model, sample.tid, time_ns);
        let place = by_place.entry((sample.node, sample.region)).or_default();
        place.count += 1;
        place.samples.extend(thread.map(|thread| Sample { thread, time_ns, node: 0 }));
    }
    let mut most = HashMap::<u32, (u64, u64)>::new();
    for (&(node, region), samples) in &by_place {
        let known = most.entry(node).or_default();
        *known = (*known).max((samples.count, region));
    }
    for (node, &left) in left.iter().enumerate().skip(Pseudo::COUNT as usize) {
        if left > 0 {
            let node = node as u32;
            let region = most.get(&node).map_or(0, |(_, region)| *region);
            by_place.entry((node, region)).or_default().count += left;
        }
    }
    let mut by_place: Vec<_> = by_place.into_iter().collect();
    by_place.sort_by_key(|(place, _)| *place);
    by_place
}

impl<'a> Builder<'a> {
    /// A builder of a tree that has no nodes yet.
    fn new(profile: &'a Profile, symbols: &'a mut Symbols) -> Self {
        Self {
            profile,
            names: Names { info: &profile.info, symbols, known: HashMap::new() },
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

    /// Places every sample in the tree.
    fn add_samples(&mut self, model: &Model) {
        let mut unplaced = Vec::new();
        for stream in 0..self.profile.calls.len() {
            self.add_stream(stream, model, &mut unplaced);
        }
        // By now the callers of most bodies are known.
        for (path, samples) in unplaced {
            let caller = self.usual_caller(&path);
            self.place(caller, &path, samples);
        }
    }

    /// Places the samples of a stream, but for those of workers of which the region is unknown.
    fn add_stream(&mut self, stream: usize, model: &Model, unplaced: &mut Vec<(Path, Placed)>) {
        let calls = &self.profile.calls[stream];
        for ((node, region), samples) in by_place(calls, self.clock(), model) {
            let (addresses, complete) = addresses_of(calls, node);
            if self.runtime_wait(&addresses).is_some() {
                continue;
            }
            if !complete {
                self.tree.incomplete += samples.count;
            }
            let path = self.path(&addresses);
            if path.frames.is_empty() {
                continue;
            }
            let Some(caller) = self.caller_of(&path, region) else {
                unplaced.push((path, samples));
                continue;
            };
            self.place(caller, &path, samples);
        }
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
    fn place(&mut self, caller: Option<u32>, path: &Path, placed: Placed) {
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
        let mut below_runtime = false;
        for code in &codes[first..] {
            match code {
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

    /// The node of the code that began `region`, inside at most so many others.
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

/// The addresses from the outermost one to `node`, and whether they begin at the thread's start.
pub(super) fn addresses_of(calls: &ThreadCalls, node: u32) -> (Vec<u64>, bool) {
    let mut addresses = Vec::new();
    let mut at = node;
    while at >= Pseudo::COUNT && addresses.len() < MOST_CALLERS {
        let Some(node) = calls.nodes.get(at as usize) else { break };
        addresses.push(node.address);
        // A caller comes before its callees, but in a damaged file.
        if node.caller >= at {
            break;
        }
        at = node.caller;
    }
    addresses.reverse();
    (addresses, at == Pseudo::COMPLETE)
}

/// The number of the thread that had the system's number `tid` at a time.
pub(super) fn thread_at(model: &Model, tid: u32, time_ns: u64) -> Option<u32> {
    let mut first = None;
    for thread in model.threads.iter().filter(|thread| thread.tid == tid) {
        if (thread.begin..=thread.end).contains(&time_ns) {
            return Some(thread.number);
        }
        first.get_or_insert(thread.number);
    }
    first
}
