//! The efficiencies of POP's model.

use oxomp_text::Page;

use super::regions::{left, right};
use crate::ranks::{Efficiency, Job, Split};
use crate::report::table::{Fit, Table, write_table};

pub(super) fn write(page: &mut Page, job: &Job) {
    let Some(pop) = &job.pop else { return };
    let mut table = Table::new(&[
        left("", Fit::Fixed),
        right("parallel efficiency", Fit::Fixed),
        right("load balance", Fit::Fixed),
        right("communication", Fit::Fixed),
    ]);
    for (level, efficiency) in pop.levels() {
        let Efficiency { parallel, load_balance, communication } = efficiency;
        let numbers = [parallel, load_balance, communication].map(|it| format!("{it:.2}"));
        table.row([level.to_owned()].into_iter().chain(numbers).collect());
    }
    write_table(
        page,
        "Efficiencies by POP's hybrid model: the first is the product of the others",
        &table,
    );
    if let Some(Split { serialisation, transfer }) = pop.mpi_split {
        page.paragraph(
            &format!(
                "  MPI's communication is serialisation {serialisation:.2} (waits for other ranks) × \
                 transfer {transfer:.2} (all other time in MPI)"
            ),
            4,
        );
    }
}
