// A tool with global objects, which live only between their constructors and destructors.
#include <cstdio>
#include <omp-tools.h>
#include <string>

namespace {

struct Life {
    std::string state;
    Life() : state("constructed, and long enough to be allocated on the heap") {}
    ~Life() { state = "destroyed"; }
};

Life life;

void say(const char *what) {
    std::printf("tool: %s %.11s\n", what, life.state.c_str());
    std::fflush(stdout);
}

int initialize(ompt_function_lookup_t, int, ompt_data_t *) {
    say("initialize");
    return 1;
}

void finalize(ompt_data_t *) { say("finalize"); }

} // namespace

extern "C" ompt_start_tool_result_t *ompt_start_tool(unsigned, const char *) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    say("start");
    return &result;
}
