// Programs of tests/c/stress in one process for a long time, side by side: each goes round after
// round with new seeds, and each round is a native thread that comes and goes. `cargo xtask soak`
// compiles them with `main` renamed, and lists them in PROGRAMS as `C(name, count)` and
// `CPP(name, count)`; the counts make rounds that last about a second.
// Arguments: a name for the reports, seconds, the first seed, and, to judge one program alone, its
// name: its seeds then begin anew after REPEATED rounds, so that what it needs is known soon.
// Status: 1 for a wrong answer, 2 for a round that does not end, 3 for memory that grows.
#include "../include/resident.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <malloc.h>
#include <string>
#include <thread>
#include <vector>

#define C(name, count) extern "C" int name(int, char **);
#define CPP(name, count) int name(int, char **);
PROGRAMS
#undef C
#undef CPP

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// A round of seconds that lasts so long hangs, however busy the machine is.
static const Seconds HANGS(900);
static const Seconds PAUSE(0.2), REPORT(15);

// What may be resident more at the end than once everything has run for a while: rounds differ in
// size, and the C library keeps what they have freed. Until each thread of the pool has had each
// role, it keeps more and more data for further use. That takes rounds, not time: of 290 threads,
// 108 MB were allocated after 186 rounds of the slowest program, and 111 MB after 257. So growth is
// judged from when a third of the time, a third of the rounds of each program, and so many are over.
// A leak grows with the rounds; what is kept for further use grows ever slower: where more than
// GROWTH_KIB are resident than at first, what is allocated must have grown by less than SLOWER of
// what it grew by in the second third of the time.
static const long GROWTH_KIB = 16 * 1024, WARM_ROUNDS = 200;
static const double SLOWER = 0.8;

// One program alone: its few threads soon have had each role.
static const long ALONE_KIB = 1024, ALONE_WARM_ROUNDS = 60;
static const unsigned long REPEATED = 20;

// The size is noted when these parts of the time are over: of an hour, 10, 30 and 60 minutes.
static const double NOTED[] = {1.0 / 6, 1.0 / 2, 1.0};

struct Lane {
    const char *name;
    int (*program)(int, char **);
    const char *count;
    std::atomic<unsigned long> rounds{0}, seed{0};
    std::atomic<double> began{0};

    Lane(const char *name, int (*program)(int, char **), const char *count)
        : name(name), program(program), count(count)
    {
    }
};

static Lane lanes[] = {
#define C(name, count) {#name, name, #count},
#define CPP C
    PROGRAMS
};

// The program that runs alone; null: all run side by side.
static const char *alone;

static bool runs(const Lane &lane)
{
    return !alone || strcmp(alone, lane.name) == 0;
}

static std::atomic<bool> over{false}, wrong{false};
static const Clock::time_point start = Clock::now();

static double now()
{
    return Seconds(Clock::now() - start).count();
}

static void run(Lane &lane, unsigned long first)
{
    while (!over) {
        unsigned long round = lane.rounds;
        if (alone)
            round %= REPEATED;
        unsigned long seed = first + round * strtoul(lane.count, nullptr, 10);
        lane.seed = seed;
        lane.began = now();
        std::thread([&] {
            std::string name = lane.name, count = lane.count, number = std::to_string(seed);
            char *words[] = {&name[0], &count[0], &number[0], nullptr};
            if (lane.program(3, words) != 0) {
                fprintf(stderr, "wrong: %s %s %s\n", lane.name, lane.count, number.c_str());
                wrong = true;
            }
        }).join();
        lane.rounds++;
    }
}

static long threads_of_process()
{
    char line[256];
    long threads = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        sscanf(line, "Threads: %ld", &threads);
    fclose(status);
    return threads;
}

// What is allocated, in the one arena that the command gives the process.
static long allocated()
{
    struct mallinfo2 info = mallinfo2();
    return long((info.uordblks + info.hblkhd) / 1024);
}

// The least allocated since the last report: what stays when most rounds are over.
static long least_allocated = -1;

// A report's time, and what was allocated then.
struct Kept {
    double time;
    long size;
};

static std::vector<Kept> kept;

// What was allocated at a time, as the last report before it says.
static long kept_at(double time)
{
    long size = 0;
    for (const Kept &report : kept)
        if (report.time <= time)
            size = report.size;
    return size;
}

static void report(const char *title, long size)
{
    long least = least_allocated < 0 ? allocated() : least_allocated;
    kept.push_back({now(), least});
    std::string line = std::string(title) + ": " + std::to_string(long(now())) + " s, ";
    for (Lane &lane : lanes)
        if (runs(lane))
            line += lane.name + (" " + std::to_string(lane.rounds)) + ", ";
    printf("%s%ld threads, %ld KiB resident, %ld KiB allocated\n", line.c_str(),
           threads_of_process(), size, least);
    fflush(stdout);
    least_allocated = -1;
}

// What was resident at a time, and how many rounds each program had done.
struct Sample {
    double time;
    long size;
    unsigned long rounds[sizeof lanes / sizeof *lanes];
};

static Sample sample(long size)
{
    Sample now_is = {now(), size, {}};
    for (size_t i = 0; i < std::size(lanes); i++)
        now_is.rounds[i] = lanes[i].rounds;
    return now_is;
}

// Whether the warm-up was over at `then`, of a run that ended with `last`.
static bool is_warm(const Sample &then, const Sample &last)
{
    unsigned long least = (unsigned long)(alone ? ALONE_WARM_ROUNDS : WARM_ROUNDS);
    bool warm = then.time >= last.time / 3;
    for (size_t i = 0; i < std::size(lanes); i++)
        if (runs(lanes[i]))
            warm = warm && then.rounds[i] >= least && then.rounds[i] >= last.rounds[i] / 3;
    return warm;
}

// Whether what is allocated grew less in the last third of the time than in the second.
static bool allocates_less(const char *title, double time)
{
    // The last report comes when nearly all rounds are over.
    kept.pop_back();
    long first = kept_at(time / 3), second = kept_at(time * 2 / 3), third = kept_at(time);
    printf("%s: allocated: %ld KiB after a third of the time, %ld KiB after two, %ld KiB at the"
           " end\n",
           title, first, second, third);
    return double(third - second) < SLOWER * double(second - first);
}

// Whether memory grew by more than is kept for further use, as the largest sizes tell.
static bool grows(const char *title, const std::vector<Sample> &samples)
{
    const Sample &last = samples.back();
    long early = 0, late = 0;
    for (const Sample &then : samples) {
        long &largest = is_warm(then, last) ? late : early;
        largest = std::max(largest, then.size);
    }
    if (late == 0) {
        printf("%s: too short to judge the growth of memory: a program has done fewer than %ld"
               " rounds\n",
               title, alone ? ALONE_WARM_ROUNDS : WARM_ROUNDS);
        return false;
    }
    printf("%s: largest: %ld KiB at first, later %ld KiB\n", title, early, late);
    bool slows = !alone && allocates_less(title, last.time);
    fflush(stdout);
    if (late <= early + (alone ? ALONE_KIB : GROWTH_KIB) || slows)
        return false;
    fprintf(stderr, "%s grows\n", title);
    return true;
}

static void end_if_it_hangs(const char *title)
{
    for (Lane &lane : lanes) {
        if (runs(lane) && lane.began > 0 && now() - lane.began > HANGS.count()) {
            report(title, resident());
            fprintf(stderr, "hangs: %s %s %lu\n", lane.name, lane.count, (unsigned long)lane.seed);
            _Exit(2);
        }
    }
}

int main(int count, char **words)
{
    const char *title = words[1];
    double seconds = strtod(words[2], nullptr);
    unsigned long seed = strtoul(words[3], nullptr, 10);
    alone = count > 4 ? words[4] : nullptr;
    std::vector<std::thread> threads;
    for (Lane &lane : lanes)
        if (runs(lane))
            threads.emplace_back(run, std::ref(lane), seed);
    if (threads.empty()) {
        fprintf(stderr, "%s: no such program\n", title);
        return 1;
    }
    std::vector<Sample> samples;
    double reported = 0;
    std::string noted;
    const double *next = NOTED;
    while (next != std::end(NOTED) && !wrong) {
        std::this_thread::sleep_for(PAUSE);
        end_if_it_hangs(title);
        long size = resident();
        samples.push_back(sample(size));
        long least = allocated();
        least_allocated = least_allocated < 0 || least < least_allocated ? least : least_allocated;
        if (now() - reported >= REPORT.count()) {
            reported = now();
            report(title, size);
        }
        if (now() >= *next * seconds) {
            next++;
            noted += (noted.empty() ? "" : ", ") + std::to_string(size) + " KiB after "
                + std::to_string(long(now())) + " s";
        }
    }
    over = true;
    std::atomic<size_t> left{threads.size()};
    std::thread watch([&] {
        while (left > 0) {
            std::this_thread::sleep_for(PAUSE);
            end_if_it_hangs(title);
        }
    });
    for (std::thread &thread : threads) {
        thread.join();
        left--;
    }
    watch.join();
    report(title, resident());
    printf("%s: resident: %s\n", title, noted.c_str());
    if (grows(title, samples))
        return 3;
    return wrong;
}
