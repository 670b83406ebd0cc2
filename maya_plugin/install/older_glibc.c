// What g++'s C++ library takes from newer versions of glibc than Maya's systems have.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/// Whether there is one thread only, so that counting references needs no atomic operations (glibc 2.32): never.
char __libc_single_threaded = 0;

/// A random number for std::random_device (glibc 2.36).
uint32_t arc4random(void) {
    uint32_t number;
    if (getentropy(&number, sizeof number) != 0)
        abort();
    return number;
}
