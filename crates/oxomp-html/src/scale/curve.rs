//! The speed-up over the number of threads, beside the ideal and Amdahl's law; both axes are
//! logarithmic, so that the ideal is a straight line.

use maud::{Markup, html};
use oxomp_scale::{Point, Scale, factor};

use super::threads::threads;
use crate::chart::rounded;

/// Units across the picture: few, so that its text can be read on a telephone.
const WIDTH: f64 = 420.0;
/// Units from top to bottom.
const HEIGHT: f64 = 300.0;
/// Room for the labels: left, right, above, below.
const MARGIN: [f64; 4] = [36.0, 22.0, 18.0, 34.0];
/// Lines between two numbers of threads by which Amdahl's law is drawn.
const STEPS: u32 = 8;

/// Where speed-ups and numbers of threads lie.
struct Axes {
    threads: (f64, f64),
    speed_ups: (f64, f64),
}

impl Axes {
    fn of(scale: &Scale) -> Self {
        let points = || scale.points.iter();
        let least = points().map(|point| fastest_and_slowest(scale, point).1).fold(1.0, f64::min);
        let most = points().map(|point| point.ideal.max(fastest_and_slowest(scale, point).0));
        Self {
            threads: (
                f64::from(scale.base().threads).log2(),
                f64::from(scale.points[scale.points.len() - 1].threads).log2(),
            ),
            speed_ups: (least.max(1e-3).log2(), most.fold(1.0, f64::max).log2().max(0.5)),
        }
    }

    fn x(&self, threads: f64) -> f64 {
        let part = (threads.log2() - self.threads.0) / (self.threads.1 - self.threads.0);
        MARGIN[0] + part * (WIDTH - MARGIN[0] - MARGIN[1])
    }

    fn y(&self, speed_up: f64) -> f64 {
        let value = speed_up.max(1e-3).log2();
        let part = (value - self.speed_ups.0) / (self.speed_ups.1 - self.speed_ups.0);
        HEIGHT - MARGIN[3] - part * (HEIGHT - MARGIN[2] - MARGIN[3])
    }

    /// Powers of two between the ends of the axis of speed-ups.
    fn ticks(&self) -> Vec<f64> {
        let (from, to) = (self.speed_ups.0.ceil() as i32, self.speed_ups.1.floor() as i32);
        (from..=to).map(|power| 2_f64.powi(power)).collect()
    }
}

/// The speed-ups of the shortest and of the longest run.
fn fastest_and_slowest(scale: &Scale, point: &Point) -> (f64, f64) {
    let base = scale.base().wall_ns;
    let of = |wall: f64| if wall > 0.0 { base / wall } else { point.speed_up };
    (of(point.least_wall_ns), of(point.most_wall_ns))
}

fn line(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points = points.map(|(x, y)| format!("{},{}", rounded(x), rounded(y)));
    points.collect::<Vec<_>>().join(" ")
}

/// The picture; there are several numbers of threads.
pub(super) fn curve(scale: &Scale) -> Markup {
    let axes = Axes::of(scale);
    let at = |of: fn(&Point) -> f64| {
        line(scale.points.iter().map(|point| (axes.x(point.threads.into()), axes.y(of(point)))))
    };
    let label = scale
        .points
        .iter()
        .map(|point| format!("{}: {}", threads(point.threads), factor(point.speed_up)));
    let label = format!("Speed-up. {}", label.collect::<Vec<_>>().join("; "));
    let bottom = HEIGHT - MARGIN[3];
    html! {
        svg.curve viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            @for tick in axes.ticks() {
                line.grid x1=(MARGIN[0]) x2=(WIDTH - MARGIN[1]) y1=(rounded(axes.y(tick)))
                    y2=(rounded(axes.y(tick))) {}
                text x=(MARGIN[0] - 8.0) y=(rounded(axes.y(tick) + 4.0)) text-anchor="end" {
                    (factor(tick).trim_end_matches('0').trim_end_matches('.')) "×"
                }
            }
            @for (index, point) in scale.points.iter().enumerate() {
                @let x = rounded(axes.x(point.threads.into()));
                line.grid x1=(x) x2=(x) y1=(MARGIN[2]) y2=(bottom) {}
                @if has_label(scale, &axes, index) {
                    text x=(x) y=(bottom + 16.0) text-anchor="middle" { (point.threads) }
                }
            }
            text x=(WIDTH - MARGIN[1]) y=(HEIGHT - 4.0) text-anchor="end" { "threads" }
            polyline.ideal points=(at(|point| point.ideal)) {}
            polyline.amdahl points=(amdahl(scale, &axes)) {}
            polyline.measured points=(at(|point| point.speed_up)) {}
            @for (index, point) in scale.points.iter().enumerate() {
                (measured(scale, &axes, point, has_label(scale, &axes, index)))
            }
        }
        ul.legend.curve-legend {
            li { i {} "measured" }
            li { i.ideal {} "ideal" }
            li { i.amdahl {} "Amdahl, serial part as measured" }
        }
    }
}

fn measured(scale: &Scale, axes: &Axes, point: &Point, is_labelled: bool) -> Markup {
    let (x, y) = (axes.x(point.threads.into()), axes.y(point.speed_up));
    let (fastest, slowest) = fastest_and_slowest(scale, point);
    let class = if point.is_beyond { "beyond" } else { "within" };
    // Below the curve there is room where the ideal is above it.
    let below = y + 18.0 < HEIGHT - MARGIN[3];
    let label_y = if below { y + 18.0 } else { y - 9.0 };
    html! {
        line.whisker x1=(rounded(x)) x2=(rounded(x)) y1=(rounded(axes.y(fastest)))
            y2=(rounded(axes.y(slowest))) {}
        circle class=(class) cx=(rounded(x)) cy=(rounded(y)) r="4" {
            title { (threads(point.threads)) ": " (factor(point.speed_up)) " times as fast" }
        }
        @if is_labelled {
            text.value x=(rounded(x)) y=(rounded(label_y)) text-anchor="middle" {
                (factor(point.speed_up))
            }
        }
    }
}

/// Amdahl's law; its argument is the ideal speed-up, up to the number of processors.
fn amdahl(scale: &Scale, axes: &Axes) -> String {
    let serial = scale.amdahl.share.clamp(0.0, 1.0);
    let law = |ideal: f64| 1.0 / (serial + (1.0 - serial) / ideal);
    let pairs = scale.points.windows(2).flat_map(|pair| {
        let (from, to) = (&pair[0], &pair[1]);
        (0..=STEPS).map(move |step| {
            let part = f64::from(step) / f64::from(STEPS);
            let between = |a: f64, b: f64| a * (b / a).powf(part);
            (between(from.threads.into(), to.threads.into()), between(from.ideal, to.ideal))
        })
    });
    line(pairs.map(|(threads, ideal)| (axes.x(threads), axes.y(law(ideal)))))
}

/// Whether there is room for the number of threads: the last one has its label, and those that are
/// far enough from the next that has one.
fn has_label(scale: &Scale, axes: &Axes, index: usize) -> bool {
    let x = |index: usize| axes.x(scale.points[index].threads.into());
    let mut next = scale.points.len() - 1;
    for candidate in (0..next).rev() {
        if index >= next {
            break;
        }
        if x(next) - x(candidate) >= 26.0 {
            next = candidate;
        }
    }
    index == next
}
