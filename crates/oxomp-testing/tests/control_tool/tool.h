/* The functions that the tool shows to the program. */
#include <stdint.h>

/* Commands of the tool: answer with the modifier; call omp_control_tool in the callback; end the
 * tool in the callback; print the arguments. */
enum { COMMAND_ANSWER = 64, COMMAND_NEST = 71, COMMAND_FINALIZE = 72, COMMAND_PRINT = 73 };

/* The last call of the callback. */
struct seen {
    int calls;
    uint64_t command, modifier;
    void *arg;
    const void *codeptr;
    int has_enter_frame, state;
};
extern struct seen seen;

/* About the calling thread's task, without a callback. */
int has_enter_frame(void);
int state(void);
