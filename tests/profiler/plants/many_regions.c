/* Sixty-four loops over a few cells, none of which takes much time: starting and ending them does. */
//#Says:all regions
//#Says:starting and ending 64 regions
//#Repair:one region around the loops
enum { CELLS = 24, STEPS = 1500 };

static double cells[CELLS];

#ifdef REPAIRED
#define LOOP _Pragma("omp for") for (int cell = 0; cell < CELLS; cell++) cells[cell] += cell;
#else
#define LOOP \
    _Pragma("omp parallel for num_threads(2)") \
    for (int cell = 0; cell < CELLS; cell++) cells[cell] += cell;
#endif
/* Each in a line of its own. */
#define EIGHT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define DECLARE(NAME) static void NAME(void) { LOOP }

DECLARE(a0) DECLARE(a1) DECLARE(a2) DECLARE(a3) DECLARE(a4) DECLARE(a5) DECLARE(a6) DECLARE(a7)
DECLARE(b0) DECLARE(b1) DECLARE(b2) DECLARE(b3) DECLARE(b4) DECLARE(b5) DECLARE(b6) DECLARE(b7)
DECLARE(c0) DECLARE(c1) DECLARE(c2) DECLARE(c3) DECLARE(c4) DECLARE(c5) DECLARE(c6) DECLARE(c7)
DECLARE(d0) DECLARE(d1) DECLARE(d2) DECLARE(d3) DECLARE(d4) DECLARE(d5) DECLARE(d6) DECLARE(d7)
DECLARE(e0) DECLARE(e1) DECLARE(e2) DECLARE(e3) DECLARE(e4) DECLARE(e5) DECLARE(e6) DECLARE(e7)
DECLARE(f0) DECLARE(f1) DECLARE(f2) DECLARE(f3) DECLARE(f4) DECLARE(f5) DECLARE(f6) DECLARE(f7)
DECLARE(g0) DECLARE(g1) DECLARE(g2) DECLARE(g3) DECLARE(g4) DECLARE(g5) DECLARE(g6) DECLARE(g7)
DECLARE(h0) DECLARE(h1) DECLARE(h2) DECLARE(h3) DECLARE(h4) DECLARE(h5) DECLARE(h6) DECLARE(h7)

#define CALL_A(N) a##N();
#define CALL_B(N) b##N();
#define CALL_C(N) c##N();
#define CALL_D(N) d##N();
#define CALL_E(N) e##N();
#define CALL_F(N) f##N();
#define CALL_G(N) g##N();
#define CALL_H(N) h##N();

static void step(void)
{
    EIGHT(CALL_A) EIGHT(CALL_B) EIGHT(CALL_C) EIGHT(CALL_D)
    EIGHT(CALL_E) EIGHT(CALL_F) EIGHT(CALL_G) EIGHT(CALL_H)
}

int main(void)
{
#ifdef REPAIRED
#pragma omp parallel num_threads(2)
#endif
    for (int round = 0; round < STEPS; round++)
        step();
    return cells[1] > 0 ? 0 : 1;
}
