/* What somebody might put beside an application: it shows that it was loaded. */
#include <stdlib.h>

__attribute__((constructor)) static void show(void) {
    setenv("VISOR_TEST_PLANTED", "planted", 1);
}
