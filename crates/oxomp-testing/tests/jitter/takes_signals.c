// Takes every real-time signal for itself.
#include <signal.h>
#include <stddef.h>

static void hear(int number)
{
    (void)number;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hear};
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        sigaction(number, &action, NULL);
    return 0;
}
