/* Two accounts with a lock each, and a thread for each direction in which money moves. A transfer
   takes the lock of the account that pays, then the other one: soon each thread holds the lock for
   which the other one waits. `oxomp debug -- ./transfer` says so. */
#include <omp.h>
#include <stdio.h>

struct account {
    omp_lock_t lock;
    long balance;
};

static struct account savings, wages;

static void transfer(struct account *from, struct account *to, long amount)
{
    omp_set_lock(&from->lock);
    omp_set_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    omp_unset_lock(&to->lock);
    omp_unset_lock(&from->lock);
}

int main(void)
{
    omp_init_lock(&savings.lock);
    omp_init_lock(&wages.lock);
#pragma omp parallel num_threads(2)
    for (int day = 0; day < 1000000000; day++) {
        if (omp_get_thread_num() == 0)
            transfer(&savings, &wages, 1);
        else
            transfer(&wages, &savings, 1);
    }
    printf("%ld %ld\n", savings.balance, wages.balance);
    return 0;
}
