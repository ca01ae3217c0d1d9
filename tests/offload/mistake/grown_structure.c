// A structure of which a member is mapped cannot be mapped as a whole: that is an extension; the message
// names the variable, its size and the place.
//#StockFails:its message does not name the variable
//#Stderr:(?m)^.*\(48 bytes\).*\bpoint\b.*grown_structure\.c:16:.*; map all of it where it is mapped first
#include "mistake.h"

struct point {
    double place[5];
    int number;
};

static void mistake(void)
{
    struct point point = {{0}, 1};
#pragma omp target enter data map(to : point.number)
#pragma omp target map(tofrom : point)
    point.place[0] = 1;
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
