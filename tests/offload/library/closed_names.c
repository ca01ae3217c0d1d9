// Data of a library stay mapped when it is closed: the mapping table names them afterwards, too.
//#Library:image.c
//#Env:OXOMP_TARGET_INFO=4
//#StockFails:the variable is this project's
//#Stderr:(?s)closed_names\.c:.* 32 [^\n]*\btable at image\.c:32
#include "check.h"
#include "opened_library.h"

int main(void)
{
    int here = 0;
    void *library = open_library();
    void (*leave)(void) = (void (*)(void))dlsym(library, "image_leave");
    leave();
    CHECK_EQ(dlclose(library), 0);
#pragma omp target map(tofrom : here)
    here++;
    CHECK_EQ(here, 1);
    return check_result();
}
