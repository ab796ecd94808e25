// Simulates a slower disk: when preloaded, every sync of a file takes SLOW_SYNC_MICROSECONDS longer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int file) {
  const char *wanted = getenv("SLOW_SYNC_MICROSECONDS");
  long more = wanted ? atol(wanted) : 0;
  struct timespec pause = {more / 1000000, more % 1000000 * 1000};
  int (*sync_file)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = sync_file(file);
  if (more > 0) nanosleep(&pause, NULL);
  return result;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
