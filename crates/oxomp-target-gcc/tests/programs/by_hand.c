/* What gcc and its linker plug-in make of a program that offloads, by hand: so the program needs no
   compiler for the device. The test plug-in finds the table by its name. */
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);
void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, unsigned,
                     void **, void **);
void GOMP_target_data_ext(int, size_t, void **, size_t *, unsigned short *);
void GOMP_target_end_data(void);
void GOMP_target_update_ext(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
void GOMP_target_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, unsigned,
                                 void **);

enum { TO = 0x301, TOFROM = 0x303, VALUE = 13, COPY = 12, ALWAYS_TOFROM = 0x313, DELETE = 0x307,
       RELEASE = 0x317, STRUCT = 0x31c, ATTACH = 0x350 };

static int variable = 5;
static int other[4];

/* The words are: an array, a value, a copy, an absent variable. */
static void first(void *data)
{
  void **words = data;
  int *array = words[0], *copy = words[2];
  array[0] += (int)(intptr_t)words[1] + copy[1] + (words[3] == NULL);
}

static void second(void *data)
{
  struct {
    long head;
    int *values;
  } *it = *(void **)data;
  it->head = it->values[1];
}

static void *const functions[] = {(void *)first, (void *)second};
static uintptr_t variables[] = {(uintptr_t)&variable, sizeof variable, (uintptr_t)other,
                                sizeof other | (uintptr_t)1 << 63};
const void *const __OFFLOAD_TABLE__[] = {functions, functions + 2, variables, variables + 4};

/* In the form of nvptx. */
static const struct {
  const char *name;
  unsigned short dimensions[3];
} names[] = {{"first", {0}}, {"second", {0}}};
static const struct {
  const void *objects;
  unsigned object_count;
  const void *variables;
  unsigned variable_count;
  const void *functions;
  unsigned function_count;
} image = {NULL, 0, NULL, 0, names, 2};

static void run(void)
{
  int array[2] = {1, 2}, copy[2] = {3, 4};
  void *words[] = {array, (void *)100, copy, NULL};
  size_t sizes[] = {sizeof array, 0, sizeof copy, 8};
  unsigned short kinds[] = {TOFROM, VALUE, 0x200 | COPY, TO};
  void *arguments[] = {(void *)(4 << 16 | 0x100), (void *)0x280, (void *)8, NULL};
  GOMP_target_ext(-1, first, 4, words, sizes, kinds, 0, NULL, arguments);
  printf("target: %d\n", array[0]);

  struct {
    long head;
    int *values;
  } s = {0, copy};
  void *list[] = {&s, &s.head, &s.values, copy, &s.values};
  size_t list_sizes[] = {2, sizeof s.head, sizeof s.values, sizeof copy, 0};
  unsigned short list_kinds[] = {STRUCT, TOFROM, TO, TO, ATTACH};
  GOMP_target_ext(-1, second, 5, list, list_sizes, list_kinds, 0, NULL, NULL);
  printf("structure: %ld, pointer: %d\n", s.head, s.values == copy);
}

static void keep(void)
{
  int array[4] = {1, 2, 3, 4};
  void *words[] = {array};
  size_t sizes[] = {sizeof array};
  unsigned short to[] = {TO}, from[] = {0x302}, release[] = {RELEASE}, delete[] = {DELETE};
  GOMP_target_enter_exit_data(0, 1, words, sizes, to, 0, NULL);
  GOMP_target_enter_exit_data(0, 1, words, sizes, to, 0, NULL);
  memset(array, 0, sizeof array);
  GOMP_target_update_ext(0, 1, words, sizes, from, 0, NULL);
  printf("update: %d\n", array[3]);
  GOMP_target_enter_exit_data(0, 1, words, sizes, release, 2, NULL);
  printf("present: %d\n", omp_target_is_present(array, 0));
  GOMP_target_enter_exit_data(0, 1, words, sizes, delete, 2, NULL);
  printf("present: %d\n", omp_target_is_present(array, 0));
  GOMP_target_data_ext(0, 1, words, sizes, to);
  GOMP_target_data_ext(-2, 1, words, sizes, to);
  GOMP_target_end_data();
  printf("present: %d\n", omp_target_is_present(array, 0));
  GOMP_target_end_data();
  printf("present: %d\n", omp_target_is_present(array, 0));
}

static void linked(void)
{
  void *words[] = {other};
  size_t sizes[] = {sizeof other};
  unsigned short to[] = {TO};
  printf("variable: %d\n", omp_target_is_present(&variable, 0));
  GOMP_target_data_ext(0, 1, words, sizes, to);
  printf("link: %d\n", omp_target_is_present(other, 0));
  GOMP_target_end_data();
}

int main(int argc, char **argv)
{
  unsigned version = argc > 1 ? strtoul(argv[1], NULL, 0) : 0x10001;
  int type = argc > 2 ? atoi(argv[2]) : 5;
  GOMP_offload_register_ver(version, __OFFLOAD_TABLE__, type, &image);
  printf("devices: %d\n", omp_get_num_devices());
  run();
  if (omp_get_num_devices()) {
    keep();
    linked();
  }
  GOMP_offload_unregister_ver(version, __OFFLOAD_TABLE__, type, &image);
  run();
}
