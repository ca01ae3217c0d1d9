// Interoperability routines without an object, and the identifiers of devices.
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#Threads:1
//#NoStderr
//#ReferenceFails:libgomp 12 does not have them, libomp has them empty
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

// Weak, under names of their own: the runtimes that the compilers link with have not all, and their
// headers declare different types.
#define ROUTINE(symbol, result, name, ...)                                                                 \
    extern result name(__VA_ARGS__) __asm__(symbol) __attribute__((weak))

ROUTINE("omp_get_num_interop_properties", int, num_properties, const void *);
ROUTINE("omp_get_interop_int", intptr_t, get_int, const void *, int, int *);
ROUTINE("omp_get_interop_ptr", void *, get_ptr, const void *, int, int *);
ROUTINE("omp_get_interop_str", const char *, get_str, const void *, int, int *);
ROUTINE("omp_get_interop_name", const char *, get_name, const void *, int);
ROUTINE("omp_get_interop_type_desc", const char *, get_type, const void *, int);
ROUTINE("omp_get_interop_rc_desc", const char *, get_result, const void *, int);
ROUTINE("omp_get_uid_from_device", const char *, uid_of, int);
ROUTINE("omp_get_device_from_uid", int, device_of, const char *);

// Under the names of Fortran: LLVM's take what C's take; gfortran's return address and length.
ROUTINE("omp_get_num_interop_properties_", int, num_properties_, const void *);
ROUTINE("omp_get_interop_int_", intptr_t, get_int_, const void *, int, int *);
ROUTINE("omp_get_interop_ptr_", void *, get_ptr_, const void *, int, int *);
ROUTINE("omp_get_interop_str_", const char *, get_str_, const void *, int, int *);
ROUTINE("omp_get_interop_name_", const char *, get_name_, const void *, int);
ROUTINE("omp_get_interop_type_desc_", const char *, get_type_, const void *, int);
ROUTINE("omp_get_interop_rc_desc_", const char *, get_result_, const void *, int);
ROUTINE("omp_get_uid_from_device_", const char *, uid_of_, int);
ROUTINE("omp_get_device_from_uid_", int, device_of_, const char *);
ROUTINE("omp_get_uid_from_device_8_", void, uid_of_8_, const char **, size_t *, int64_t);

// dlvsym(3), without the declarations that need another standard of C.
extern void *dlvsym(void *, const char *, const char *);

static int is(const char *text, const char *expected)
{
    return text != NULL && strcmp(text, expected) == 0;
}

static void gfortran(int host)
{
    const char *text;
    size_t length;
    int result = 7;
    void (*str)(const char **, size_t *, const void *, int, int *) =
        dlvsym(NULL, "omp_get_interop_str_", "GOMP_5.1.3");
    str(&text, &length, NULL, -2, &result);
    CHECK(text == NULL && length == 0 && result == -1);
    void (*name)(const char **, size_t *, const void *, int) =
        dlvsym(NULL, "omp_get_interop_name_", "GOMP_5.1.3");
    name(&text, &length, NULL, -4);
    CHECK(is(text, "vendor_name") && length == 11);
    void (*type)(const char **, size_t *, const void *, int) =
        dlvsym(NULL, "omp_get_interop_type_desc_", "GOMP_5.1.3");
    type(&text, &length, NULL, -4);
    CHECK(text == NULL && length == 0);
    void (*meaning)(const char **, size_t *, const void *, int) =
        dlvsym(NULL, "omp_get_interop_rc_desc_", "GOMP_5.1.3");
    meaning(&text, &length, NULL, 0);
    CHECK(is(text, "successful") && length == 10);
    void (*uid)(const char **, size_t *, int) = dlvsym(NULL, "omp_get_uid_from_device_", "GOMP_6.0");
    uid(&text, &length, host);
    CHECK(is(text, "HOST") && length == 4);
    uid(&text, &length, host + 1);
    CHECK(text == NULL && length == 0);
    uid_of_8_(&text, &length, host);
    CHECK(is(text, "HOST") && length == 4);
    uid_of_8_(&text, &length, (int64_t)1 << 32 | host);
    CHECK(text == NULL);
    int (*device)(const char *, size_t) = dlvsym(NULL, "omp_get_device_from_uid_", "GOMP_6.0");
    CHECK_EQ(device("HOST and more", 4), host);
    CHECK_EQ(device("HOST   ", 7), host);
    CHECK(device("HOST and more", 13) < -1);
}

int main(void)
{
    const char *names[] = {"fr_id",    "fr_name", "vendor",         "vendor_name", "device_num",
                           "platform", "device",  "device_context", "targetsync"};
    CHECK_EQ(num_properties(NULL), 0);
    CHECK_EQ(num_properties_(NULL), 0);
    for (int property = -1; property >= -9; property--) {
        int result[6] = {7, 7, 7, 7, 7, 7};
        CHECK_EQ(get_int(NULL, property, &result[0]), 0);
        CHECK(get_ptr(NULL, property, &result[1]) == NULL);
        CHECK(get_str(NULL, property, &result[2]) == NULL);
        CHECK_EQ(get_int_(NULL, property, &result[3]), 0);
        CHECK(get_ptr_(NULL, property, &result[4]) == NULL);
        CHECK(get_str_(NULL, property, &result[5]) == NULL);
        for (int i = 0; i < 6; i++)
            CHECK_EQ(result[i], -1);
        CHECK(is(get_name(NULL, property), names[-1 - property]));
        CHECK(is(get_name_(NULL, property), names[-1 - property]));
        CHECK(get_type(NULL, property) == NULL && get_type_(NULL, property) == NULL);
    }
    CHECK_EQ(get_int(NULL, -1, NULL), 0);
    CHECK(get_name(NULL, 0) == NULL && get_name(NULL, -10) == NULL);
    CHECK(get_name(NULL, 0x7fffffff) == NULL && get_name(NULL, -0x7fffffff - 1) == NULL);
    for (int result = 1; result >= -6; result--)
        CHECK(get_result(NULL, result) != NULL && is(get_result_(NULL, result), get_result(NULL, result)));
    CHECK(get_result(NULL, 2) == NULL && get_result(NULL, -7) == NULL);
    CHECK(get_result(NULL, -0x7fffffff - 1) == NULL);

    int host = omp_get_initial_device();
    CHECK(is(uid_of(host), "HOST") && is(uid_of_(host), "HOST") && is(uid_of(-1), "HOST"));
    CHECK(uid_of(host + 1) == NULL && uid_of(-5) == NULL);
    CHECK_EQ(device_of("HOST"), host);
    CHECK_EQ(device_of_("HOST"), host);
    CHECK(device_of("HOS") < -1 && device_of("") < -1 && device_of(NULL) < -1);
    gfortran(host);
    return check_result();
}
