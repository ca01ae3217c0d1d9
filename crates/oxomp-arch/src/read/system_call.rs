//! System calls by name, as their numbers differ from processor to processor.

/// The system call in which a thread stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoppedCall {
    /// Its number.
    pub number: u64,
    /// Whether the kernel has the thread make the call anew when it goes on: nothing had ended the
    /// call when the thread was stopped.
    pub restarts: bool,
}

/// Makes the enumeration, and the names.
macro_rules! system_calls {
    ($($variant:ident $name:literal)*) => {
        /// A system call of Linux in which a thread may stay.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SystemCall {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl SystemCall {
            /// Its name in the manual.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

system_calls! {
    Accept "accept"
    Accept4 "accept4"
    Brk "brk"
    ClockNanosleep "clock_nanosleep"
    Connect "connect"
    EpollPwait "epoll_pwait"
    EpollPwait2 "epoll_pwait2"
    EpollWait "epoll_wait"
    Fcntl "fcntl"
    Fdatasync "fdatasync"
    Flock "flock"
    Fstat "fstat"
    Fsync "fsync"
    Futex "futex"
    FutexWait "futex_wait"
    FutexWaitv "futex_waitv"
    Ioctl "ioctl"
    Lstat "lstat"
    Madvise "madvise"
    Mmap "mmap"
    Mprotect "mprotect"
    Mremap "mremap"
    Msync "msync"
    Munmap "munmap"
    Nanosleep "nanosleep"
    Newfstatat "newfstatat"
    Open "open"
    Openat "openat"
    Openat2 "openat2"
    Pause "pause"
    Poll "poll"
    Ppoll "ppoll"
    Pread64 "pread64"
    Preadv "preadv"
    Preadv2 "preadv2"
    Pselect6 "pselect6"
    Pwrite64 "pwrite64"
    Pwritev "pwritev"
    Pwritev2 "pwritev2"
    Read "read"
    Readv "readv"
    Recvfrom "recvfrom"
    Recvmmsg "recvmmsg"
    Recvmsg "recvmsg"
    RestartSyscall "restart_syscall"
    RtSigsuspend "rt_sigsuspend"
    RtSigtimedwait "rt_sigtimedwait"
    Select "select"
    Sendfile "sendfile"
    Sendmmsg "sendmmsg"
    Sendmsg "sendmsg"
    Sendto "sendto"
    Stat "stat"
    Statx "statx"
    Sync "sync"
    SyncFileRange "sync_file_range"
    Syncfs "syncfs"
    Wait4 "wait4"
    Waitid "waitid"
    Write "write"
    Writev "writev"
}
