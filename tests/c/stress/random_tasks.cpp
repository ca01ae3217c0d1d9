// Random trees of tasks with dependences of every kind, detached, undeferred, final and untied
// ones, with taskwaits, taskgroups, taskloops, reductions and regions in between, checked against
// the order that the specification demands. Arguments: the number of graphs, the first seed; a seed
// always makes the same graph, and a failure names it. To run for long: more graphs, other seeds,
// more threads than processors, each wait policy, with a tool.
//#Vary:OMP_NUM_THREADS=1|2|3|8|32
//#Vary:OMP_WAIT_POLICY=active|passive
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#Args:150
//#Flags:-pthread -Wno-uninitialized -Wno-sign-compare
//#Timeout:120
//#ReferenceFails[gcc]:libgomp 12 knows no inoutset, and waits for ever for events of other threads
//#ReferenceFails[clang]:libomp crashes, or waits for ever
//#NoStderr
#include "check.h"
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <omp.h>
#include <thread>
#include <unistd.h>
#include <vector>

enum Kind { IN, OUT, INOUT, MUTEX, SET, KINDS };
enum { LOCATIONS = 8, ELEMENTS = LOCATIONS + 4 };

enum class Step { Task, Wait, WaitDepend, PassDepend, Yield, Group, Loop, Reduction, Region };
enum class Form { Tied, Mergeable, Untied, Detached, DetachedUntied };
enum class Fulfils { Itself, Maker, Sibling, Foreigner };

// A reproducible sequence (splitmix64).
struct Random {
    uint64_t state;

    unsigned below(unsigned bound)
    {
        uint64_t z = state += 0x9e3779b97f4a7c15ul;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
        return unsigned((z ^ (z >> 31)) >> 11) % bound;
    }

    bool once_in(unsigned times)
    {
        return below(times) == 0;
    }
};

// A task, or another step of the task that generates it.
struct Node {
    // What it is.
    Step step = Step::Task;
    Form form = Form::Tied;
    Fulfils fulfils = Fulfils::Itself;
    Node *parent = nullptr;
    unsigned number = 0;
    // Locations by kind, as bits, and how many of them are named twice.
    unsigned locations[KINDS] = {0}, again = 0;
    bool all_memory = false, undeferred = false, final = false, in_final = false, yields = false;
    bool waits = false, sleeps = false, nogroup = false;
    int priority = 0, work = 0, iterations = 0, grain = 1;
    // The number of steps that a group or region has, of those that follow.
    unsigned length = 0;
    std::vector<Node> steps;

    // What was seen: times of begin and end of the body, of the event, and after the construct.
    int runs = 0, maker = -1, runner = -1;
    long begin = 0, over = 0, fulfilled = 0, after = 0;
    unsigned seen = 0, cells[LOCATIONS] = {0};
    int looped = 0, looped_at_end = 0;

    bool depends() const
    {
        unsigned any = all_memory;
        for (unsigned of_kind : locations)
            any |= of_kind;
        return any != 0;
    }

    long end() const
    {
        return over > fulfilled ? over : fulfilled;
    }

    bool descends_from(const Node *other) const
    {
        const Node *at = this;
        while (at && at != other)
            at = at->parent;
        return at != nullptr;
    }
};

static long clock_of_all;
// Only the addresses count; tasks of all generating tasks depend on the same ones.
static char names[LOCATIONS];
// The youngest tied task on the thread's stack.
static thread_local Node *top;

static long now()
{
    return __atomic_add_fetch(&clock_of_all, 1, __ATOMIC_ACQ_REL);
}

static unsigned mix(unsigned a, unsigned b)
{
    return (a ^ b) * 2654435761u + 12345;
}

// Fulfils events on a thread that OpenMP does not know.
class Foreigner {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<Node *, omp_event_handle_t>> events;
    bool over = false;
    std::thread thread{[this] { serve(); }};

    void serve()
    {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            changed.wait(lock, [this] { return over || !events.empty(); });
            if (events.empty())
                return;
            auto [node, event] = events.front();
            events.pop_front();
            lock.unlock();
            node->fulfilled = now();
            omp_fulfill_event(event);
            lock.lock();
        }
    }

public:
    void give(Node *node, omp_event_handle_t event)
    {
        std::lock_guard<std::mutex> lock(mutex);
        events.emplace_back(node, event);
        changed.notify_one();
    }

    ~Foreigner()
    {
        {
            std::lock_guard<std::mutex> lock(mutex);
            over = true;
            changed.notify_one();
        }
        thread.join();
    }
};

static Foreigner *foreigner;

// ---------------------------------------------------------------------------------------------
// Graphs.

static void make_dependences(Random &random, Node &node, unsigned locations)
{
    if (random.once_in(40)) {
        node.all_memory = true;
        return;
    }
    unsigned many = random.once_in(8) ? 6 : 3;
    for (unsigned i = random.below(many) + 1; i > 0; i--)
        node.locations[random.below(KINDS)] |= 1u << random.below(locations);
    node.again = random.once_in(10) ? random.below(3) + 1 : 0;
}

static void make_task(Random &random, Node &node, unsigned locations, int depth);

// The steps of `parent`, which lies where it stays.
static void make_steps(Random &random, Node &parent, unsigned count, int depth)
{
    unsigned locations = 1 + random.below(LOCATIONS);
    parent.steps.resize(count);
    unsigned until_group_ends = 0;
    for (unsigned i = 0; i < count; i++) {
        Node &node = parent.steps[i];
        node.parent = &parent;
        node.number = i;
        node.in_final = parent.step != Step::Region && (parent.in_final || parent.final);
        unsigned choice = random.below(100);
        if (choice < 3) {
            node.step = Step::Wait;
        } else if (choice < 6) {
            node.step = random.once_in(2) ? Step::WaitDepend : Step::PassDepend;
            make_dependences(random, node, locations);
            // A taskwait does not know the kind.
            node.locations[MUTEX] = 0;
        } else if (choice < 8) {
            node.step = Step::Yield;
        } else if (choice < 11 && until_group_ends == 0) {
            node.step = Step::Group;
            node.length = random.below(count - i < 12 ? count - i : 12);
            until_group_ends = node.length + 1;
        } else if (choice < 13) {
            node.step = Step::Loop;
            node.iterations = int(random.below(30));
            node.grain = int(1 + random.below(8));
            node.nogroup = random.once_in(2);
        } else if (choice < 15) {
            node.step = Step::Reduction;
            node.iterations = int(random.below(12));
            node.grain = int(1 + random.below(4));
        } else if (choice < 16 && depth < 2 && random.once_in(4)) {
            node.step = Step::Region;
            make_steps(random, node, 1 + random.below(10), depth + 1);
        } else {
            make_task(random, node, locations, depth);
        }
        until_group_ends -= until_group_ends > 0;
    }
}

static void make_task(Random &random, Node &node, unsigned locations, int depth)
{
    node.form = Form(random.once_in(3) ? random.below(5) : 0);
    node.fulfils = Fulfils(random.below(4));
    if (!random.once_in(5))
        make_dependences(random, node, locations);
    node.undeferred = random.once_in(12);
#ifdef __clang__
    // Its code for an undeferred task gives the dependences to a taskwait, so that nobody can wait
    // for the task's event.
    if (node.undeferred && node.depends())
        node.fulfils = Fulfils::Itself;
#endif
    node.final = random.once_in(16);
    node.priority = random.once_in(8) ? random.below(4) : 0;
    node.yields = random.once_in(8);
    node.waits = random.once_in(2);
    node.work = random.below(150);
    node.sleeps = random.once_in(150);
    if (depth < 3 && random.once_in(7))
        make_steps(random, node, 1 + random.below(14), depth + 1);
}

// ---------------------------------------------------------------------------------------------
// Their execution.

static void generate(Node *parent, unsigned from, unsigned to);

// Readers read, writers mix in, members of a set add what does not depend on their order.
static unsigned act(const Node &node, unsigned *cells)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < LOCATIONS; i++) {
        auto has = [&](Kind kind) { return node.locations[kind] >> i & 1; };
        if (has(IN) || has(INOUT) || node.all_memory)
            seen = mix(seen, cells[i]);
        if (has(OUT) || has(INOUT) || node.all_memory)
            cells[i] = mix(node.number, has(INOUT) || node.all_memory ? cells[i] : 1);
        if (has(MUTEX))
            cells[i] += mix(node.number, 7);
        if (has(SET))
            __atomic_fetch_add(&cells[i], mix(node.number, 9), __ATOMIC_RELAXED);
    }
    return seen;
}

static void fulfil(Node *node, omp_event_handle_t event)
{
    node->fulfilled = now();
    omp_fulfill_event(event);
}

static void begin(Node *node)
{
    node->begin = now();
    node->runs++;
    node->runner = omp_get_thread_num();
    CHECK_EQ(omp_in_final() != 0, node->final || node->in_final);
}

static void middle(Node *node)
{
    for (volatile int i = 0; i < node->work; i = i + 1) {
    }
    if (node->sleeps)
        usleep(20);
    node->seen = act(*node, node->parent->cells);
    generate(node, 0, node->steps.size());
    if (node->waits) {
#pragma omp taskwait
    }
}

static void end(Node *node)
{
    node->over = now();
}

// The body of a tied task: it stays on its thread, on which only its ancestors are suspended.
static void body(Node *node)
{
    Node *below = top;
    CHECK(!below || node->descends_from(below));
    top = node;
    begin(node);
    if (node->yields) {
#pragma omp taskyield
    }
    middle(node);
    CHECK_EQ(omp_get_thread_num(), node->runner);
    CHECK(top == node);
    top = below;
    end(node);
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define OF(kind, name) depend(iterator(int i = 0 : lists.count[kind]), name : *lists.at[kind][i])
#ifdef __clang__
#define SETS OF(SET, inoutset)
#define ALL_MEMORY depend(out : omp_all_memory)
#else
// gcc 12 knows neither; these are the objects of later versions.
#define SETS depend(iterator(int i = 0 : lists.count[SET]), depobj : lists.sets[i])
#define ALL_MEMORY depend(depobj : lists.all)
#endif
#define WAIT_LISTS OF(IN, in) OF(OUT, out) OF(INOUT, inout) SETS
#define LISTS WAIT_LISTS OF(MUTEX, mutexinoutset)
#define TASK(...) PRAGMA(omp task if (defers) final(is_final) priority(priority) __VA_ARGS__)

// A node's locations as the clauses want them.
struct Lists {
    int count[KINDS] = {0};
    char *at[KINDS][ELEMENTS];
#ifndef __clang__
    omp_depend_t sets[ELEMENTS], all;

    static omp_depend_t object(char *location, intptr_t kind)
    {
        omp_depend_t made;
        intptr_t words[2] = {(intptr_t)location, kind};
        static_assert(sizeof made == sizeof words, "a depend object is two words");
        __builtin_memcpy(&made, words, sizeof made);
        return made;
    }
#endif

    explicit Lists(const Node &node)
    {
        for (int kind = 0; kind < KINDS; kind++) {
            int &n = count[kind];
            // Not in the order of addresses.
            for (int i = 0; i < LOCATIONS; i++) {
                int location = (i * 5 + node.number) % LOCATIONS;
                if (node.locations[kind] >> location & 1)
                    at[kind][n++] = &names[location];
            }
            for (unsigned i = 0; n > 0 && i < node.again; i++) {
                at[kind][n] = at[kind][i];
                n++;
            }
        }
#ifndef __clang__
        for (int i = 0; i < count[SET]; i++)
            sets[i] = object(at[SET][i], 5);
        all = object(nullptr, 3);
#endif
    }
};

static void make(Node *node)
{
    Lists lists(*node);
    bool defers = !node->undeferred, is_final = node->final;
    int priority = node->priority;
    omp_event_handle_t event = omp_event_handle_t();
    bool is_detached = false;
    node->maker = omp_get_thread_num();
    if (node->all_memory) {
        TASK(ALL_MEMORY)
        body(node);
    } else if (node->form == Form::Tied && !node->depends()) {
        TASK()
        body(node);
    } else if (node->form == Form::Tied) {
        TASK(LISTS)
        body(node);
    } else if (node->form == Form::Mergeable) {
        TASK(LISTS mergeable)
        body(node);
    } else if (node->form == Form::Untied) {
        TASK(LISTS untied)
        {
            begin(node);
#pragma omp taskyield
            middle(node);
#pragma omp taskyield
            end(node);
        }
    } else if (node->form == Form::Detached) {
        is_detached = true;
        TASK(LISTS detach(event))
        {
            if (node->fulfils == Fulfils::Itself)
                fulfil(node, event);
            body(node);
        }
    } else {
        is_detached = true;
        TASK(LISTS detach(event) untied)
        {
            begin(node);
            middle(node);
#pragma omp taskyield
            if (node->fulfils == Fulfils::Itself)
                fulfil(node, event);
            end(node);
        }
    }
    node->after = now();
    if (is_detached && node->fulfils == Fulfils::Maker)
        fulfil(node, event);
    if (is_detached && node->fulfils == Fulfils::Foreigner)
        foreigner->give(node, event);
    if (is_detached && node->fulfils == Fulfils::Sibling) {
#pragma omp task firstprivate(node, event)
        fulfil(node, event);
    }
}

static void wait_depend(Node *node)
{
    Lists lists(*node);
    bool passes = node->step == Step::PassDepend;
    if (node->all_memory) {
        PRAGMA(omp taskwait ALL_MEMORY)
#ifdef __clang__
    } else if (passes) {
        // Nobody waits, but tasks are ordered by it.
        PRAGMA(omp taskwait WAIT_LISTS nowait)
#endif
    } else if (node->depends()) {
        PRAGMA(omp taskwait WAIT_LISTS)
    }
    (void)passes;
    node->after = now();
}

static void loop(Node *node)
{
    int iterations = node->iterations, grain = node->grain;
    if (node->nogroup) {
#pragma omp taskloop nogroup grainsize(grain) firstprivate(node)
        for (int i = 0; i < iterations; i++)
            __atomic_fetch_add(&node->looped, i + 1, __ATOMIC_RELAXED);
    } else {
#pragma omp taskloop num_tasks(grain) firstprivate(node)
        for (int i = 0; i < iterations; i++)
            __atomic_fetch_add(&node->looped, i + 1, __ATOMIC_RELAXED);
        node->looped_at_end = __atomic_load_n(&node->looped, __ATOMIC_RELAXED);
    }
}

static void reduce(const Node *node)
{
    int iterations = node->iterations, grain = node->grain;
    long sum = 5, product = 1;
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < iterations; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
        {
            sum += i;
#pragma omp task in_reduction(+ : sum) if (i % 3)
            sum += 100;
#pragma omp taskyield
            sum += i;
        }
    }
    CHECK_EQ(sum, 5 + iterations * (99l + iterations));
#pragma omp taskloop reduction(* : product) grainsize(grain)
    for (int i = 0; i < iterations; i++)
        product *= 3;
    for (int i = 0; i < iterations; i++)
        product /= 3;
    CHECK_EQ(product, 1);
}

static void generate(Node *parent, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        Node *node = &parent->steps[i];
        switch (node->step) {
        case Step::Task:
            make(node);
            break;
        case Step::Wait: {
#pragma omp taskwait
            node->after = now();
            break;
        }
        case Step::WaitDepend:
        case Step::PassDepend:
            wait_depend(node);
            break;
        case Step::Yield: {
#pragma omp taskyield
            break;
        }
        case Step::Group:
#pragma omp taskgroup
            generate(parent, i + 1, i + 1 + node->length);
            node->after = now();
            i += node->length;
            break;
        case Step::Loop:
            loop(node);
            break;
        case Step::Reduction:
            reduce(node);
            break;
        case Step::Region:
#pragma omp parallel num_threads(2)
#pragma omp master
            generate(node, 0, node->steps.size());
            node->after = now();
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// What must have happened.

struct Graph {
    unsigned seed;
    Node root;

    explicit Graph(unsigned seed) : seed(seed)
    {
        Random random{seed};
        unsigned most = random.once_in(80) ? 2500 : random.once_in(3) ? 60 : 20;
        make_steps(random, root, 1 + random.below(most), 0);
    }

    void run()
    {
        generate(&root, 0, root.steps.size());
    }

    void check()
    {
        int before = check_failures;
        check_steps(root);
        if (check_failures != before)
            fprintf(stderr, "graph %u is wrong\n", seed);
    }

private:
    static bool is_ordered(const Node &a, const Node &b)
    {
        if (a.all_memory || b.all_memory)
            return a.depends() && b.depends();
        for (int one = 0; one < KINDS; one++)
            for (int other = 0; other < KINDS; other++) {
                bool side_by_side = one == other && (one == IN || one == MUTEX || one == SET);
                if (!side_by_side && (a.locations[one] & b.locations[other]))
                    return true;
            }
        return false;
    }

    static void check_over(const Node &node, long when)
    {
        CHECK(node.end() < when);
        for (const Node &inner : node.steps)
            check_over(inner, when);
    }

    // The event may come after an undeferred task, its body not.
    static void check_task(const Node &node)
    {
        CHECK_EQ(node.runs, 1);
        CHECK(node.begin < node.over);
        if (node.undeferred || node.in_final) {
            CHECK(node.over < node.after);
            CHECK_EQ(node.runner, node.maker);
        }
    }

    void check_steps(Node &parent)
    {
        std::vector<Node> &steps = parent.steps;
        unsigned cells[LOCATIONS] = {0};
        for (unsigned j = 0; j < steps.size(); j++) {
            Node &node = steps[j];
            if (node.step == Step::Task) {
                check_task(node);
                CHECK_EQ(node.seen, act(node, cells));
            }
            for (unsigned i = 0; i < j; i++)
                check_pair(steps[i], node);
            if (node.step == Step::Group)
                for (unsigned i = j + 1; i <= j + node.length; i++)
                    check_over(steps[i], node.after);
            if (node.step == Step::Region)
                for (const Node &inner : node.steps)
                    check_over(inner, node.after);
            if (node.step == Step::Loop) {
                int all = node.iterations * (node.iterations + 1) / 2;
                CHECK_EQ(node.looped, all);
                CHECK(node.nogroup || node.looped_at_end == all);
            }
            check_steps(node);
        }
        for (unsigned i = 0; i < LOCATIONS; i++)
            CHECK_EQ(parent.cells[i], cells[i]);
    }

    // `a` was generated before `b`.
    static void check_pair(const Node &a, Node &b)
    {
        if (a.step == Step::Task && b.step == Step::Wait)
            CHECK(a.end() < b.after);
        bool both = a.step == Step::Task || a.step == Step::PassDepend;
        if (!both || !is_ordered(a, b)) {
            if (a.step == Step::Task && b.step == Step::Task && a.locations[MUTEX] & b.locations[MUTEX])
                CHECK(a.over < b.begin || b.over < a.begin);
            return;
        }
        switch (b.step) {
        case Step::Task:
            CHECK(a.end() < b.begin);
            break;
        case Step::WaitDepend:
            CHECK(a.end() < b.after);
            break;
        case Step::PassDepend:
            // It ends when those before it have.
            if (b.over < a.end())
                b.over = a.end();
            break;
        default:
            break;
        }
    }
};

// Who generates the graphs of a round, and where their tasks are waited for.
static void run(unsigned way, std::vector<std::unique_ptr<Graph>> &graphs)
{
    int count = int(graphs.size());
    switch (way) {
    case 0:
#pragma omp parallel
#pragma omp single
        for (auto &graph : graphs) {
#pragma omp taskgroup
            graph->run();
        }
        break;
    case 1:
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(i) shared(graphs)
            graphs[i]->run();
        }
        break;
    case 2:
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < count; i++)
            graphs[i]->run();
        break;
    case 3:
#pragma omp parallel
        {
#pragma omp for nowait
            for (int i = 0; i < count; i++)
                graphs[i]->run();
#pragma omp barrier
#pragma omp single
            for (auto &graph : graphs)
                CHECK(graph->root.steps[0].step != Step::Task || graph->root.steps[0].over);
        }
        break;
    case 4:
        for (auto &graph : graphs) {
#pragma omp taskgroup
            graph->run();
        }
        break;
    case 5:
#pragma omp parallel for num_threads(2) schedule(dynamic)
        for (int i = 0; i < count; i++) {
#pragma omp parallel num_threads(2)
#pragma omp master
            graphs[i]->run();
        }
        break;
    }
    for (auto &graph : graphs)
        graph->check();
}

int main(int count, char **arguments)
{
    unsigned graphs = count > 1 ? atoi(arguments[1]) : 300;
    unsigned seed = count > 2 ? atoi(arguments[2]) : 1;
    Foreigner of_this_run;
    foreigner = &of_this_run;
    enum { WAYS = 6, TOGETHER = 5 };
    for (unsigned from = 0; from < graphs; from += TOGETHER) {
        std::vector<std::unique_ptr<Graph>> round;
        for (unsigned i = from; i < graphs && i < from + TOGETHER; i++)
            round.push_back(std::unique_ptr<Graph>(new Graph(seed + i)));
        run((seed + from) / TOGETHER % WAYS, round);
    }
    return check_result();
}
