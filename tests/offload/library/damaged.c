// Images that are damaged: the program runs again with one byte of its image's tables changed, or with a part
// cut off. Its region is executed, on the device if the change does no harm, otherwise on the host. What the
// loader refuses, as the name of a library that there is not, ends the program with a message. Nothing lets it
// crash.
//#Timeout:120
//#StockFails:the loader crashes
//#Stderr:cannot load an image
//#Stderr:there is no device: no image of the program fits one
//#Stderr:omptarget warning: .*damaged-copy.*: its image 1 of 1 is damaged and not used: the table of its segments is outside of it
#define _GNU_SOURCE
#include "check.h"
#include <elf.h>
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char *bytes;
static size_t length;
static int variable = 7;
#pragma omp declare target to(variable)

// What the program does with a damaged image: 10 and what it has computed on a device, 20 on the host.
static int damaged_program(void)
{
    int array[4] = {1, 2, 3, 4}, on_host = 1;
#pragma omp target map(tofrom : array) map(from : on_host)
    {
        on_host = omp_is_initial_device();
        array[0] += variable;
    }
    return array[0] == 8 && array[3] == 4 ? 10 + 10 * on_host : 1;
}

// The status of the program with the image as it is in memory now.
static int status_of_copy(void)
{
    char path[] = "/tmp/damaged-copy-XXXXXX";
    int file = mkstemp(path), status = -1;
    CHECK(file >= 0 && write(file, bytes, length) == (ssize_t)length);
    CHECK_EQ(fchmod(file, 0700), 0);
    close(file);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        execl(path, path, "again", (char *)NULL);
        _exit(2);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    unlink(path);
    return status;
}

static void change(unsigned char *at, unsigned char value, const char *what)
{
    unsigned char before = *at;
    *at = value;
    int status = status_of_copy();
    *at = before;
    int is_told = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    if (!is_told && WEXITSTATUS(status) != 10 && WEXITSTATUS(status) != 20)
        fprintf(stderr, "byte %zu of %s: %#x for %#x\n", (size_t)(at - bytes), what, value, before);
    CHECK(is_told || WIFEXITED(status));
    CHECK(is_told || WEXITSTATUS(status) == 10 || WEXITSTATUS(status) == 20);
}

static void change_all(void *first, size_t count, const char *what)
{
    static int turn;
    unsigned char *byte = first;
    for (size_t i = 0; i < count; i++, turn++)
        if (turn % 3 == 0)
            change(byte + i, byte[i] ^ (turn % 2 == 0 ? 0xff : 1 << turn / 3 % 8), what);
}

// What is cut off of the image stands behind it in the program; zeros follow instead.
static void cut_off(unsigned char *image, size_t left, size_t all)
{
    unsigned char *rest = malloc(all - left);
    memcpy(rest, image + left, all - left);
    memset(image + left, 0, all - left);
    CHECK_EQ(WEXITSTATUS(status_of_copy()), 20);
    memcpy(image + left, rest, all - left);
    free(rest);
}

int main(int count, char **arguments)
{
    (void)arguments;
    if (count > 1)
        return damaged_program();
    int file = open("/proc/self/exe", O_RDONLY);
    length = (size_t)lseek(file, 0, SEEK_END);
    bytes = malloc(length);
    CHECK_EQ(pread(file, bytes, length, 0), (ssize_t)length);
    // The magic of ELF stands first in the program; there is a constant of it too.
    unsigned char *image = bytes;
    do
        image = memmem(image + 1, length - 1 - (size_t)(image - bytes), ELFMAG, SELFMAG);
    while (image != NULL && ((Elf64_Ehdr *)image)->e_phentsize != sizeof(Elf64_Phdr));
    CHECK(image != NULL);
    if (image == NULL)
        return check_result();
    Elf64_Ehdr *header = (Elf64_Ehdr *)image;
    Elf64_Phdr *segments = (Elf64_Phdr *)(image + header->e_phoff);
    CHECK_EQ(WEXITSTATUS(status_of_copy()), 10);
    size_t all = header->e_shoff + (size_t)header->e_shentsize * header->e_shnum;
    for (size_t left = all / 2; left > 10; left /= 2)
        cut_off(image, left, all);
    // A program that must have a device says that it has none.
    setenv("OMP_TARGET_OFFLOAD", "mandatory", 1);
    header->e_phoff++;
    CHECK_EQ(WTERMSIG(status_of_copy()), SIGABRT);
    header->e_phoff--;
    unsetenv("OMP_TARGET_OFFLOAD");
    change(image + 4, ELFCLASS32, "the class");
    change(image + 18, EM_AARCH64, "the machine");
    change_all(header, sizeof *header, "the header");
    change_all(segments, header->e_phnum * sizeof *segments, "the segments");
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type != PT_DYNAMIC)
            continue;
        Elf64_Dyn *entry = (Elf64_Dyn *)(image + segments[i].p_offset);
        // The functions that the loader calls may stand anywhere in the code.
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag != DT_INIT && entry->d_tag != DT_FINI)
                change_all(entry, sizeof *entry, "the dynamic section");
    }
    return check_result();
}
