/* A machine that refuses the function REFUSED, whatever its arguments. */
#include <errno.h>

int REFUSED(void) {
  return EPERM;
}
