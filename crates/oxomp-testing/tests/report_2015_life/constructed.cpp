// A tool of the 2015 report with a global object, which must be alive when the tool is called.
#include <cstdio>
#include <ompt.h>
#include <string>

static std::string state("constructed, by more text than a short string holds");

static void say(const char *what) {
    std::printf("tool: %s %s\n", what, state.substr(0, 11).c_str());
    std::fflush(stdout);
}

static void runtime_shutdown() { say("shutdown"); }

static void initialize(ompt_function_lookup_t lookup, const char *, unsigned) {
    say("initialize");
    auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    set_callback(ompt_event_runtime_shutdown, runtime_shutdown);
}

extern "C" ompt_initialize_fn_t ompt_tool(void) {
    say("asked");
    return initialize;
}
