//! Libraries with images of their own, which come and go; and children of fork(2).

use crate::support::{Bench, Runtime};

#[test]
fn a_library_brings_its_image_and_takes_it_away() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let library = bench.compile("library.c", &["-O1", "-shared", "-fPIC"]);
    let library = library.display().to_string();
    // The opener has an image, or leaves the first one to the library.
    for program in [bench.compile("opens.c", &["-O1"]), bench.compile_plain("opens.c", &["-O2"])] {
        let [libgomp, oxomp] = [Runtime::Libgomp, Runtime::Oxomp]
            .map(|runtime| bench.run(&program, runtime, &[&library], &[]));
        assert!(libgomp.succeeded && oxomp.succeeded, "{oxomp:?}");
        assert_eq!(libgomp.text, oxomp.text, "{}", oxomp.messages);
        for function in ["load_image", "unload_image", "run"] {
            assert_eq!(libgomp.calls(function), oxomp.calls(function), "{function}: {}", oxomp.log);
        }
    }
}

#[test]
fn a_child_of_fork_has_no_device_that_its_parent_uses() {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let program = bench.compile("forks.c", &["-O1"]);
    let oxomp = bench.run(&program, Runtime::Oxomp, &[], &[]);
    assert!(oxomp.succeeded, "{oxomp:?}");
    assert_eq!(oxomp.text, "child: host 2\nparent: device 2\n", "{}", oxomp.messages);
    assert!(oxomp.messages.contains("is lost to this child of fork(2)"), "{}", oxomp.messages);
    assert_eq!(oxomp.calls("fini_device"), 1, "{}", oxomp.log);
}
