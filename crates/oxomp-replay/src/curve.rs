//! The cost of a loop's iterations over its iteration space.

use oxomp_analysis::loops::costs::{LoopCosts, ThreadCosts};

/// Threads whose costs of the same iterations differ by more than this factor disagree.
const ALIKE: f64 = 1.15;

/// Pieces of the iteration space, each with one cost for all its iterations.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// End of the piece, cost of an iteration, cost of all iterations before the piece; ns.
    pieces: Vec<(u64, f64, f64)>,
    total: f64,
}

impl Curve {
    /// The curve of pieces that lie one after the other: their iterations, and the cost of each of
    /// these, ns.
    #[must_use]
    pub fn new(pieces: impl IntoIterator<Item = (u64, f64)>) -> Self {
        let mut curve = Self { pieces: Vec::new(), total: 0.0 };
        let mut end = 0;
        for (iterations, cost) in pieces.into_iter().filter(|piece| piece.0 > 0) {
            end += iterations;
            curve.pieces.push((end, cost, curve.total));
            curve.total += cost * iterations as f64;
        }
        curve
    }

    /// The curve of a recorded loop, from the costs of its iterations less `dispatch` each; `None`
    /// if too little was recorded.
    #[must_use]
    pub fn of(costs: &LoopCosts, dispatch: f64) -> Option<Self> {
        if costs.count == 0 {
            return None;
        }
        from_bins(costs, dispatch).or_else(|| from_shares(costs))
    }

    /// The same curve with another cost of all iterations, ns.
    #[must_use]
    pub fn scaled_to(&self, total: f64) -> Self {
        let factor = if self.total > 0.0 { total / self.total } else { 1.0 };
        let pieces = self.pieces.iter();
        let pieces = pieces.map(|&(end, cost, before)| (end, cost * factor, before * factor));
        Self { pieces: pieces.collect(), total: self.total * factor }
    }

    /// The number of iterations.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.0)
    }

    /// The cost of all iterations, ns.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The cost of the iterations from `start` to before `end`, ns.
    #[must_use]
    pub fn cost(&self, start: u64, end: u64) -> f64 {
        self.before(end) - self.before(start)
    }

    /// The number of pieces: how finely the costs are known.
    #[must_use]
    pub fn resolution(&self) -> usize {
        self.pieces.len()
    }

    /// The highest cost of an iteration, ns.
    #[must_use]
    pub fn highest(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.1).fold(0.0, f64::max)
    }

    /// The cost of the costliest piece, ns.
    #[must_use]
    pub fn largest_piece(&self) -> f64 {
        let begins = std::iter::once(0).chain(self.pieces.iter().map(|piece| piece.0));
        let costs = begins.zip(&self.pieces).map(|(begin, piece)| self.cost(begin, piece.0));
        costs.fold(0.0, f64::max)
    }

    /// By how much the cost of a random half of the iterations may differ from half of the cost, as
    /// far as the differences between neighbouring pieces tell, ns.
    #[must_use]
    pub fn roughness(&self) -> f64 {
        let squares = self.pieces.windows(2).map(|pair| {
            let [(before, first, _), (end, second, _)] = [pair[0], pair[1]];
            ((second - first) * (end - before) as f64).powi(2) / 2.0
        });
        squares.sum::<f64>().sqrt()
    }

    /// The cost of the iterations before `iteration`.
    fn before(&self, iteration: u64) -> f64 {
        let index = self.pieces.partition_point(|piece| piece.0 <= iteration);
        match self.pieces.get(index) {
            None => self.total,
            Some(&(_, cost, before)) => {
                let start = index.checked_sub(1).map_or(0, |index| self.pieces[index].0);
                before + cost * (iteration - start) as f64
            }
        }
    }
}

/// The first iteration of a bin.
fn begin_of(bin: usize, bins: usize, count: u64) -> u64 {
    let product = bin as u128 * u128::from(count);
    product.div_ceil(bins as u128) as u64
}

fn from_bins(costs: &LoopCosts, dispatch: f64) -> Option<Curve> {
    let bins = costs.threads.iter().map(|one| one.bins.len()).max().filter(|&bins| bins > 0)?;
    let mut sums = vec![(0.0, 0); bins];
    for (sum, bin) in costs.threads.iter().flat_map(|one| sums_of(one, bins)) {
        let (time, iterations): &mut (f64, u64) = &mut sums[sum];
        *time += bin.0;
        *iterations += bin.1;
    }
    let (time, iterations) = sums.iter().fold((0.0, 0), |all, bin| (all.0 + bin.0, all.1 + bin.1));
    if iterations == 0 {
        return None;
    }
    let mean = time / iterations as f64;
    let known = |bin: &(f64, u64)| (bin.1 > 0).then(|| bin.0 / bin.1 as f64);
    let cost = |bin: usize| {
        known(&sums[bin]).unwrap_or_else(|| {
            let before = sums[..bin].iter().rev().find_map(known);
            let after = sums[bin..].iter().find_map(known);
            match (before, after) {
                (Some(before), Some(after)) => f64::midpoint(before, after),
                (one, other) => one.or(other).unwrap_or(mean),
            }
        })
    };
    let length = |bin| begin_of(bin + 1, bins, costs.count) - begin_of(bin, bins, costs.count);
    Some(Curve::new((0..bins).map(|bin| (length(bin), (cost(bin) - dispatch).max(0.0)))))
}

fn sums_of(one: &ThreadCosts, bins: usize) -> impl Iterator<Item = (usize, (f64, u64))> + '_ {
    one.bins.iter().copied().enumerate().take(bins)
}

fn from_shares(costs: &LoopCosts) -> Option<Curve> {
    let shares = || costs.threads.iter().filter_map(|one| one.share);
    let iterations: u64 = shares().map(|share| share.iterations).sum();
    let time: f64 = shares().map(|share| share.mean_ns).sum();
    if iterations == 0 {
        return None;
    }
    let mean = time / iterations as f64;
    if shares().any(|share| share.chunks > 1) {
        // Interleaved: nothing is known but the mean.
        return Some(Curve::new([(costs.count, mean)]));
    }
    let mut parts: Vec<_> = shares().collect();
    parts.sort_by_key(|share| share.start);
    let mut pieces = Vec::new();
    let mut end = 0;
    for share in parts {
        if share.start < end {
            // The threads were not always the same: parts overlap.
            return Some(Curve::new([(costs.count, mean)]));
        }
        pieces.push((share.start - end, mean));
        pieces.push((share.iterations, share.mean_ns / share.iterations.max(1) as f64));
        end = share.start + share.iterations;
    }
    pieces.push((costs.count.saturating_sub(end), mean));
    Some(Curve::new(pieces))
}

/// The threads for which the same iterations cost least and most, and by which factor; `None` if
/// the threads agree, or had no iterations in common.
#[must_use]
pub fn disagreement(costs: &LoopCosts) -> Option<(u32, u32, f64)> {
    let bins = costs.threads.iter().map(|one| one.bins.len()).max()?;
    // Of each thread: what its iterations cost it, and what the same number would have cost the
    // mean of the threads that had some of the bin.
    let mut ratios = vec![(0.0, 0.0); costs.threads.len()];
    for bin in 0..bins {
        let of = |one: &ThreadCosts| one.bins.get(bin).copied().filter(|bin| bin.1 > 0);
        let present: Vec<(f64, u64)> = costs.threads.iter().filter_map(of).collect();
        if present.len() < 2 {
            continue;
        }
        let each = present.iter().map(|(time, iterations)| time / *iterations as f64);
        let mean = each.sum::<f64>() / present.len() as f64;
        let weight = present.iter().map(|bin| bin.1).min().unwrap_or(0) as f64;
        for (ratio, one) in ratios.iter_mut().zip(&costs.threads) {
            if let Some((time, iterations)) = of(one) {
                ratio.0 += time / iterations as f64 * weight;
                ratio.1 += mean * weight;
            }
        }
    }
    let factors = ratios.iter().zip(&costs.threads).filter(|(ratio, _)| ratio.1 > 0.0);
    let factors: Vec<(u32, f64)> =
        factors.map(|(ratio, one)| (one.thread, ratio.0 / ratio.1)).collect();
    let least = factors.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let most = factors.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let factor = most.1 / least.1.max(f64::MIN_POSITIVE);
    (factor > ALIKE).then_some((least.0, most.0, factor))
}

#[cfg(test)]
mod tests {
    use oxomp_analysis::loops::costs::{LoopCosts, Share, ThreadCosts};

    use super::{Curve, disagreement};

    fn of_bins(bins: &[&[(f64, u64)]], count: u64) -> LoopCosts {
        let threads = bins.iter().zip(0..);
        let threads =
            threads.map(|(bins, thread)| ThreadCosts { thread, bins: bins.to_vec(), share: None });
        LoopCosts { count, changes: 0, rounds: 1, threads: threads.collect() }
    }

    #[test]
    fn a_curve_adds_up_its_pieces() {
        let curve = Curve::new([(10, 1.0), (0, 9.0), (5, 4.0)]);
        assert_eq!((curve.count(), curve.total(), curve.resolution()), (15, 30.0, 2));
        assert_eq!(curve.cost(8, 12), 2.0 + 8.0);
        assert_eq!(curve.cost(14, 99), 4.0);
    }

    #[test]
    fn a_curve_is_rough_where_its_pieces_differ() {
        assert_eq!(Curve::new([(5, 2.0), (5, 2.0)]).roughness(), 0.0);
        let rough = Curve::new([(2, 1.0), (2, 4.0), (2, 1.0)]).roughness();
        assert_eq!(rough, (2.0_f64 * 36.0 / 2.0).sqrt());
    }

    #[test]
    fn bins_of_threads_are_joined_and_gaps_filled() {
        let costs = of_bins(
            &[
                &[(20.0, 2), (0.0, 0), (0.0, 0), (8.0, 1)],
                &[(40.0, 4), (0.0, 0), (3.0, 1), (0.0, 0)],
            ],
            8,
        );
        let curve = Curve::of(&costs, 1.0).expect("there are costs");
        let costs: Vec<f64> = (0..4).map(|bin| curve.cost(2 * bin, 2 * bin + 1)).collect();
        assert_eq!(costs, [9.0, 5.5, 2.0, 7.0]);
    }

    #[test]
    fn parts_of_a_static_loop_are_pieces() {
        let share = |start, mean_ns| Share {
            executions: 1,
            start,
            iterations: 50,
            chunks: 1,
            mean_ns,
            shortest_ns: 0,
            longest_ns: 0,
        };
        let thread = |thread, share| ThreadCosts { thread, bins: Vec::new(), share: Some(share) };
        let threads = vec![thread(0, share(50, 100.0)), thread(1, share(0, 500.0))];
        let costs = LoopCosts { count: 100, changes: 0, rounds: 1, threads };
        let curve = Curve::of(&costs, 0.0).expect("there are costs");
        assert_eq!((curve.cost(0, 50), curve.cost(50, 100)), (500.0, 100.0));
    }

    #[test]
    fn threads_disagree_if_the_same_iterations_cost_one_more() {
        let alike = of_bins(&[&[(20.0, 2), (90.0, 1)], &[(10.0, 1), (181.0, 2)]], 8);
        assert_eq!(disagreement(&alike), None);
        // However the iterations are divided.
        let other = of_bins(&[&[(90.0, 9), (50.0, 1)], &[(30.0, 1), (1350.0, 9)]], 8);
        let (least, most, factor) = disagreement(&other).expect("a factor of three");
        assert_eq!((least, most), (0, 1));
        assert!((factor - 3.0).abs() < 1e-9);
    }
}
