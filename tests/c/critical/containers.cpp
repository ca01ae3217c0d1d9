// C++: containers that only a critical protects, exceptions caught inside it, static locals.
//#Opt:-O0,-O2
//#Threads:1,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <map>
#include <omp.h>
#include <stdexcept>
#include <string>

static const std::string &name(int number)
{
    static const std::map<int, std::string> names{{0, "zero"}, {1, "one"}, {2, "two"}};
    return names.at(number);
}

int main()
{
    std::map<std::string, int> words;
    int missing = 0;
#pragma omp parallel for schedule(dynamic, 7)
    for (int i = 0; i < 3000; i++) {
#pragma omp critical(words)
        {
            try {
                words[name(i % 4)]++;
            } catch (const std::out_of_range &) {
                missing++;
            }
        }
    }
    for (const auto &[word, count] : words)
        printf("%s %d\n", word.c_str(), count);
    printf("missing %d\n", missing);
    CHECK_EQ(missing, 750);
    return check_result();
}
