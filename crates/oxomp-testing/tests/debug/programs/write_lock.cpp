// A thread has the right to write and wants a critical; a reader and a writer that are in criticals
// wait for it.
//#Verdict:deadlock
//#Says:waits\s+for\s+pthread\s+read-write\s+lock\s+table\s+at\s+@READS,\s+which\s+thread\s+0\s+holds
//#Says:thread\s+0\s+waits\s+for\s+critical\(reads\)\s+at\s+@WAIT,\s+which\s+thread\s+1\s+holds
//#Says:thread 2 [^:]*@WRITES in main: waits\s+for\s+pthread\s+read-write\s+lock\s+table
#include "planted.h"
#include <shared_mutex>

static std::shared_mutex table;

int main()
{
#pragma omp parallel num_threads(3)
    {
        int number = omp_get_thread_num();
        if (number == 0) {
            table.lock();
            meet(3);
#pragma omp critical(reads) //@WAIT
            table.unlock();
        } else if (number == 1) {
#pragma omp critical(reads)
            {
                meet(3);
                table.lock_shared(); //@READS
                table.unlock_shared();
            }
        } else {
            meet(3);
            table.lock(); //@WRITES
            table.unlock();
        }
    }
    puts("over");
    return 0;
}
