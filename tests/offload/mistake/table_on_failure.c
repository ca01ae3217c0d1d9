// OXOMP_TARGET_INFO has the table of what is mapped printed when a construct fails.
//#Env:OXOMP_TARGET_INFO=4
//#StockFails:the variable is this project's
//#Stderr:(?m)^.* 400 .*\bthere\b.*table_on_failure\.c:10
#include "mistake.h"

static void mistake(void)
{
    int there[100] = {0}, absent[10] = {0};
#pragma omp target enter data map(to : there)
#pragma omp target enter data map(present, to : absent)
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
