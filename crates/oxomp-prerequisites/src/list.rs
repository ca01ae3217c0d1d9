//! The list itself: a variant, its name on the machine, and its package in Debian 12.

/// The processor's name in Debian's folders and in compilers' files.
#[cfg(target_arch = "aarch64")]
macro_rules! processor {
    () => {
        "aarch64"
    };
}

/// The processor's name in Debian's folders and in compilers' files.
#[cfg(not(target_arch = "aarch64"))]
macro_rules! processor {
    () => {
        "x86_64"
    };
}

/// clang's name of the machine as a device (`-fopenmp-targets`): one for which Debian's clang finds
/// its files.
pub const HOST_DEVICE: &str = if cfg!(target_arch = "aarch64") {
    concat!(processor!(), "-linux-gnu")
} else {
    concat!(processor!(), "-pc-linux-gnu")
};

/// Makes an enumeration of `Variant = "name or path" from "package"`. In a path,
/// `"begin" + processor + "end"` has the processor's name.
macro_rules! list {
    ($(#[$about:meta])* $kind:ident {
        $($(#[$note:meta])* $variant:ident = $text:literal $(+ processor + $end:literal)?
            from $package:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $kind {
            $(
                $(#[$note])*
                #[doc = concat!(
                    "`", $text, $(processor!(), $end,)? "` from the package ", $package
                )]
                $variant,
            )*
        }

        impl $kind {
            /// The whole list.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name or path on the machine.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($text $(, processor!(), $end)?),)*
                }
            }

            /// The Debian package that brings it.
            #[must_use]
            pub fn package(self) -> &'static str {
                match self {
                    $(Self::$variant => $package,)*
                }
            }
        }
    };
}

list! {
    /// A program that is found through `PATH`.
    Program {
        Cc = "cc" from "gcc",
        Gcc = "gcc" from "gcc",
        Gxx = "g++" from "g++",
        Gfortran = "gfortran" from "gfortran",
        Clang = "clang-22" from "clang-22",
        Clangxx = "clang++-22" from "clang-22",
        Flang = "flang-22" from "flang-22",
        Objcopy = "objcopy" from "binutils",
        Strip = "strip" from "binutils",
        Cmake = "cmake" from "cmake",
        /// Started by cmake.
        Make = "make" from "make",
        PkgConfig = "pkg-config" from "pkg-config",
        Gdb = "gdb" from "gdb",
        Valgrind = "valgrind" from "valgrind",
        Python = "python3" from "python3",
        /// Reads the archives of `oxomp report --otf2`.
        Otf2Print = "otf2-print" from "otf2-tools",
        /// Opens the pages of `oxomp report --html`.
        Chromium = "chromium" from "chromium",
        GraphicsMagick = "gm" from "graphicsmagick",
        Xtb = "xtb" from "xtb",
        Elk = "elk-lapw" from "elk-lapw",
        ClustalOmega = "clustalo" from "clustalo",
        FastTree = "fasttreeMP" from "fasttree",
        CdHit = "cd-hit-est" from "cd-hit",
        Sh = "sh" from "dash",
        Bash = "bash" from "bash",
        /// Open MPI's by its Debian alternative, which comes before MPICH's.
        Mpicc = "mpicc" from "libopenmpi-dev",
        MpiccOpenmpi = "mpicc.openmpi" from "libopenmpi-dev",
        MpiccMpich = "mpicc.mpich" from "libmpich-dev",
        MpifortOpenmpi = "mpif90.openmpi" from "libopenmpi-dev",
        MpifortMpich = "mpif90.mpich" from "libmpich-dev",
        MpirunOpenmpi = "mpirun.openmpi" from "openmpi-bin",
        MpirunMpich = "mpirun.mpich" from "mpich",
        /// The standard's own name of mpirun.
        Mpiexec = "mpiexec" from "openmpi-bin",
        Cp = "cp" from "coreutils",
        Date = "date" from "coreutils",
        Env = "env" from "coreutils",
        Gzip = "gzip" from "gzip",
        Id = "id" from "coreutils",
        Install = "install" from "coreutils",
        Mkfifo = "mkfifo" from "coreutils",
        Nice = "nice" from "coreutils",
        Sed = "sed" from "sed",
        Timeout = "timeout" from "coreutils",
        Setsid = "setsid" from "util-linux",
        /// Started by the program `places/taskset.c` too.
        Taskset = "taskset" from "util-linux",
        /// Puts a program that is measured before all others, where that is allowed.
        Chrt = "chrt" from "util-linux",
        Git = "git" from "git",
        AptGet = "apt-get" from "apt",
        DpkgDeb = "dpkg-deb" from "dpkg",
        Tar = "tar" from "tar",
        /// Started by tar.
        Xz = "xz" from "xz-utils",
    }
}

list! {
    /// A program as [`Program`], but so large, or so slow, that only `cargo xtask applications`
    /// installs and runs it.
    Application {
        Cp2k = "cp2k.psmp" from "cp2k",
        Pw = "pw.x" from "quantum-espresso",
        Ld1 = "ld1.x" from "quantum-espresso",
        Gromacs = "gmx" from "gromacs",
        GromacsMpi = "gmx_mpi" from "gromacs",
        Octave = "octave-cli" from "octave",
        Hpcc = "hpcc" from "hpcc",
        Mmseqs = "mmseqs" from "mmseqs2",
        Muscle = "muscle" from "muscle",
        Mpirun = "mpirun" from "openmpi-bin",
        LikwidPin = "likwid-pin" from "likwid",
    }
}

list! {
    /// A program by which code for another processor is made and executed; only `cargo xtask test
    /// --target` installs it.
    Foreign {
        CrossGcc = "aarch64-linux-gnu-gcc" from "gcc-aarch64-linux-gnu",
        CrossGxx = "aarch64-linux-gnu-g++" from "g++-aarch64-linux-gnu",
        CrossGfortran = "aarch64-linux-gnu-gfortran" from "gfortran-aarch64-linux-gnu",
        Emulator = "qemu-aarch64-static" from "qemu-user-static",
        /// Puts a Debian into a folder.
        Mmdebstrap = "mmdebstrap" from "mmdebstrap",
        /// Shows the kernel's list of emulators.
        Mount = "mount" from "mount",
    }
}

list! {
    /// A program that makes packages, or a bare machine for their trials; only `cargo xtask
    /// package` installs it.
    Packaging {
        /// Separates debug information from code, of any processor.
        Objcopy = "llvm-objcopy-22" from "llvm-22",
        /// Runs a program in a folder that has a Debian.
        Chroot = "chroot" from "coreutils",
        Unshare = "unshare" from "util-linux",
        DpkgBuildpackage = "dpkg-buildpackage" from "dpkg-dev",
        Dh = "dh" from "debhelper",
        Lintian = "lintian" from "lintian",
    }
}

list! {
    /// A file or folder at its place in Debian.
    File {
        CHeaders = "/usr/include/stdio.h" from "libc6-dev",
        Libgomp = "/usr/lib/" + processor + "-linux-gnu/libgomp.so.1" from "libgomp1",
        /// The library that clang links programs with.
        LibompToLink = "/usr/lib/llvm-22/lib/libomp.so" from "libomp-22-dev",
        Libomp = "/usr/lib/" + processor + "-linux-gnu/libomp.so.5" from "libomp-22-dev",
        /// LLVM's plug-in of gdb, which loads libompd.so.
        GdbPlugIn = "/usr/lib/llvm-22/share/gdb/python/ompd/__init__.py" from "libomp-22-dev",
        Archer = "/usr/lib/llvm-22/lib/libarcher.so" from "libomp-22-dev",
        ThreadSanitizer =
            "/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-" + processor + ".a"
            from "libclang-rt-22-dev",
        GccThreadSanitizer = "/usr/lib/" + processor + "-linux-gnu/libtsan.so.2" from "libtsan2",
        Libomptarget = "/usr/lib/llvm-22/lib/libomptarget.so" from "liboffload-22-dev",
        /// Started by clang for programs that offload.
        OffloadBinary = "/usr/lib/llvm-22/bin/llvm-offload-binary" from "llvm-22",
        /// Started by clang to link programs that offload.
        ClangLinkerWrapper = "/usr/lib/llvm-22/bin/clang-linker-wrapper" from "clang-tools-22",
        /// Judges the output of LLVM's own tests.
        FileCheck = "/usr/lib/llvm-22/bin/FileCheck" from "llvm-22-tools",
        /// Turns the status of a program around in LLVM's own tests.
        Not = "/usr/lib/llvm-22/bin/not" from "llvm-22-tools",
        /// Lets LLVM's test runner end tests that hang.
        Psutil = "/usr/lib/python3/dist-packages/psutil/__init__.py" from "python3-psutil",
        /// Debian's own, which sees Debian's numpy wherever `PATH` leads.
        DebianPython = "/usr/bin/python3" from "python3",
        Numpy = "/usr/lib/python3/dist-packages/numpy/__init__.py" from "python3-numpy",
        /// A folder: a BLAS and a LAPACK on libgomp, which other builds may hide.
        OpenBlas = "/usr/lib/" + processor + "-linux-gnu/openblas-openmp" from "libopenblas0-openmp",
        /// A program with the rights of another user.
        Su = "/usr/bin/su" from "util-linux",
        FftwHeader = "/usr/include/fftw3.h" from "libfftw3-dev",
    }
}

list! {
    /// A module that `python3` can import.
    PythonModule {
        /// With it `python3 -m venv` makes an environment that has pip.
        Ensurepip = "ensurepip" from "python3-venv",
    }
}
