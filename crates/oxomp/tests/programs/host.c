/* Knows nothing of OpenMP and loads a plug-in that uses it. */
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) { fprintf(stderr, "%s\n", dlerror()); return 1; }
  int (*call)(void) = (int (*)(void))dlsym(plugin, "plugin");
  printf("procs %d\n", call());
  return 0;
}
