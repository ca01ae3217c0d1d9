// The same with a tool that registers callbacks without endpoints: the ids are the runtime's.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Flags:-rdynamic
#define TARGET_TOOL 2
#include "known.c"
