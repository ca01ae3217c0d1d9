/* gcc's linker plug-in gives each object that offloads a table of its functions and variables, in
   the order of those in its images. The symbol is not exported, but in the object's file. */
#define _GNU_SOURCE
#include "plugin.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
  const void *image;
  uintptr_t base;
  const char *file;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *data)
{
  (void)size;
  struct object *object = data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t offset = (uintptr_t)object->image - info->dlpi_addr - part->p_vaddr;
    if (part->p_type != PT_LOAD || offset >= part->p_memsz)
      continue;
    object->base = info->dlpi_addr;
    object->file = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    return 1;
  }
  return 0;
}

static uintptr_t symbol_in(const char *file, const char *name)
{
  const ElfW(Ehdr) *head = (const void *)file;
  const ElfW(Shdr) *sections = (const void *)(file + head->e_shoff);
  for (int i = 0; i < head->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    const ElfW(Sym) *symbols = (const void *)(file + sections[i].sh_offset);
    const char *names = file + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
      if (symbols[k].st_value && !strcmp(names + symbols[k].st_name, name))
        return symbols[k].st_value;
  }
  return 0;
}

bool host_table_of(const void *image, struct host_table *table)
{
  struct object object = {image, 0, NULL};
  int file = dl_iterate_phdr(find_object, &object) ? open(object.file, O_RDONLY | O_CLOEXEC) : -1;
  struct stat status;
  if (file < 0 || fstat(file, &status))
    return false;
  char *bytes = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED)
    return false;
  uintptr_t at = symbol_in(bytes, "__OFFLOAD_TABLE__");
  munmap(bytes, status.st_size);
  if (at)
    memcpy(table, (void *)(object.base + at), sizeof *table);
  return at != 0;
}
