//! The interpreter of Python, and the functions that it executes.

use oxomp_trace::python::{PythonAddress, PythonCode};

use super::frame::Frame;

/// What the interpreter does where no function of Python is under way.
const INTERPRETER: &str = "Python's interpreter";
/// A function whose name the recording had no room for.
const NAMELESS: &str = "a function of Python";

/// The frame of a function in `codes`, which has the numbers of a recording.
pub(super) fn function_of_python(codes: &[PythonCode], at: PythonAddress) -> Frame {
    let code = at.code.checked_sub(1).and_then(|index| codes.get(index as usize));
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    Frame {
        function: code.map_or_else(|| NAMELESS.to_owned(), |code| code.name.clone()),
        line: code.map(|code| (code.file.clone(), code.line(at.offset))),
        module: code.map(|code| file(&code.file)),
        region: false,
        library: false,
        python: true,
    }
}

/// The frame of the interpreter itself.
pub(super) fn interpreter() -> Frame {
    Frame {
        function: INTERPRETER.to_owned(),
        line: None,
        module: None,
        region: false,
        library: false,
        python: true,
    }
}

/// Whether the file of this name has the interpreter and nothing else: the program `python3.11`, or
/// a library such as `libpython3.11.so.1.0`.
pub(super) fn is_interpreter(file: &str) -> bool {
    file.strip_prefix("lib").unwrap_or(file).starts_with("python")
}

/// Whether a function of a file that has other code, too, is the interpreter's, by its name, as
/// `_PyEval_EvalFrameDefault` and `PyObject_Call`, or `_TAIL_CALL_RESUME` of an evaluator that has
/// a function for each instruction.
pub(super) fn is_function_of_interpreter(name: &str) -> bool {
    const INSTRUCTION: &str = "TAIL_CALL_";
    let name = name.trim_start_matches("after ");
    let name = name.strip_prefix('_').unwrap_or(name);
    if name.starts_with(INSTRUCTION) {
        return true;
    }
    let rest = name.strip_prefix("Py");
    rest.is_some_and(|rest| {
        rest.starts_with(|first: char| first.is_ascii_uppercase() || first == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::{is_function_of_interpreter, is_interpreter};

    #[test]
    fn the_interpreter_is_known_by_its_file_or_its_functions() {
        assert!(is_interpreter("python3.11") && is_interpreter("libpython3.13.so.1.0"));
        assert!(!is_interpreter("blender") && !is_interpreter("_ctypes.cpython-311.so"));
        for name in [
            "_PyEval_EvalFrameDefault",
            "PyObject_Call",
            "Py_RunMain",
            "_Py_Dealloc",
            "_TAIL_CALL_RESUME",
        ] {
            assert!(is_function_of_interpreter(name), "{name}");
        }
        for name in ["Pythagoras", "_Python", "solve", "pyramid"] {
            assert!(!is_function_of_interpreter(name), "{name}");
        }
    }
}
