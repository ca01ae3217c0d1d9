//! A core file, which gdb writes of a program that runs.

use std::fs;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::{has_all, may_attach};

use crate::FAMILIES;
use crate::debuggee::Mapped;
use crate::debugger::Debugger;
use crate::target::Core;
use crate::waits::waiting;

#[test]
fn a_core_file_is_read_as_the_process_was() {
    if !has_all(&[Program::Gdb.into()]) || !may_attach() {
        return;
    }
    for family in FAMILIES {
        let (program, facts) = waiting(family, &[("OMP_DEBUG", "enabled")]);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("core");
        let runtime = Mapped::find(program.pid(), "libomp");
        let maps = fs::read_to_string(format!("/proc/{}/maps", program.pid())).expect("its maps");
        let mut gdb = Program::Gdb.command();
        gdb.args(["-batch", "-nx", "-ex", "set debuginfod enabled off"]);
        gdb.args(["-p", &program.pid().to_string(), "-ex"]);
        gdb.arg(format!("generate-core-file {}", path.display()));
        let output = gdb.output().expect("gdb runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains("Saved corefile"),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        // The process ends; the file stays.
        program.finish();
        let debugger = Debugger::start(Core::open(&path, &maps, runtime));
        for fact in facts.iter().filter(|fact| fact.text("role") != "initial") {
            let thread = debugger.thread(fact.number("lwp")).expect("a thread");
            let region = debugger.current_region(thread).expect("a region");
            assert_eq!(debugger.value(region, "levels-var"), 2);
            assert_eq!(debugger.value(thread, "nthreads-var"), fact.number("nthreads"));
            let (_, wait_id) = debugger.state(thread);
            if fact.text("role").ends_with("lock") {
                assert_eq!(wait_id, fact.number("wait_id"));
            }
            let task = debugger.current_task(thread).expect("a task");
            assert!(debugger.function(task).is_ok());
        }
    }
}
