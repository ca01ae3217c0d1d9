//! Runs of one program at several numbers of threads: what keeps it from scaling.
//!
//! [`Measured`] takes from a summary what matters, [`Scale`] brings the runs of all numbers of
//! threads together: speed-up, Amdahl's serial part as it was measured, and for each region the
//! wall time that it loses against ideal scaling, by cause. `text` shows it, and
//! [`ScaleComparison`] compares two of them. README.md tells the method.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod comparison;
mod losses;
mod measured;
mod notes;
mod numbers;
mod part;
mod point;
mod region;
mod scale;
mod stop;
mod text;
mod verdict;

pub use comparison::{COMPARISON_FORMAT, COMPARISON_VERSION, CountComparison, ScaleComparison};
pub use losses::{Loss, Source};
pub use measured::{Measured, MeasuredRegion};
pub use numbers::{factor, ns};
pub use oxomp_compare::{
    Construct, ContendedCode, Contention, Facts, Group, Kind, RuntimeWaits, Spot,
};
pub use part::Part;
pub use point::Point;
pub use region::{PartLoss, RegionPoint, RegionScale};
pub use scale::{Amdahl, Scale};
pub use stop::Stop;
pub use text::to_text;
pub use verdict::{Verdict, contention_of, lock_of, named_cause};
