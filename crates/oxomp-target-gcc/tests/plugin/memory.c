/* A device has the bytes that it has given out and not taken back, and no others: what a runtime
   copies elsewhere is refused. New memory and memory that was given back is filled with a pattern. */
#include "plugin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct block {
  struct block *next;
  int device;
  size_t bytes;
  char *begin;
};

static struct block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *memory_take(int device, size_t bytes)
{
  struct block *block = malloc(sizeof *block);
  if (!block || posix_memalign((void **)&block->begin, 256, bytes + 1)) {
    free(block);
    return NULL;
  }
  memset(block->begin, 0xa5, bytes);
  block->device = device;
  block->bytes = bytes;
  pthread_mutex_lock(&lock);
  block->next = blocks;
  blocks = block;
  pthread_mutex_unlock(&lock);
  return block->begin;
}

bool memory_give(int device, void *begin)
{
  pthread_mutex_lock(&lock);
  struct block **place = &blocks;
  while (*place && ((*place)->begin != begin || (*place)->device != device))
    place = &(*place)->next;
  struct block *block = *place;
  if (block)
    *place = block->next;
  pthread_mutex_unlock(&lock);
  if (!block)
    return false;
  memset(block->begin, 0x5a, block->bytes);
  free(block->begin);
  free(block);
  return true;
}

bool memory_has(int device, const void *begin, size_t bytes)
{
  bool has = false;
  const char *first = begin;
  pthread_mutex_lock(&lock);
  for (struct block *block = blocks; block && !has; block = block->next)
    has = block->device == device && first >= block->begin &&
          first + bytes <= block->begin + block->bytes;
  pthread_mutex_unlock(&lock);
  return has;
}
