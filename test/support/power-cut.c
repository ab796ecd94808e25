/*
 * Preloaded into a process, this library journals the changes that the process makes to the files of one folder and has
 * not synced. POWER_CUT_FOLDER is the watched folder. POWER_CUT_JOURNALS holds one journal per file, which a sync of the
 * file empties, and an empty `NAME.made` for each name that was created since the folder was last synced. A power cut may
 * lose what the journals contain when the process is killed; power.ts reverts it.
 *
 * A record: 'W' (write) or 'T' (truncation), four numbers of 8 bytes (offset, bytes written, file size before, number of
 * overwritten bytes), the overwritten bytes, the bytes written.
 *
 * SQLite's shared memory (-shm) is mapped and not watched: a power cut makes it meaningless, and power.ts removes it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 65536
#define HEAD 33

struct watched {
  dev_t device;
  ino_t inode;
  int journal; /* 0 when the file of the descriptor is not watched */
};

static struct watched table[MOST];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define REAL(result, name, ...)                                                \
  static result (*real)(__VA_ARGS__);                                          \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int real_open(const char *path, int flags, mode_t mode) {
  REAL(int, "open64", const char *, int, ...);
  return real(path, flags, mode);
}

static int real_close(int fd) {
  REAL(int, "close", int);
  return real(fd);
}

static ssize_t real_write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return real(fd, bytes, length);
}

/** Returns the file's name in the watched folder; "" for the folder itself, NULL for a path that is not watched. */
static const char *name_of(const char *path) {
  const char *folder = getenv("POWER_CUT_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  if (!length || strncmp(path, folder, length) != 0) return NULL;
  if (path[length] == 0) return "";
  const char *name = path + length + 1;
  return path[length] != '/' || strchr(name, '/') || strstr(name, "-shm") ? NULL : name;
}

static int journal(const char *name, const char *suffix, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", getenv("POWER_CUT_JOURNALS"), *name ? name : "folder", suffix);
  int fd = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0600);
  if (fd < 0) abort();
  return fd;
}

static int opened(const char *path, int flags, mode_t mode) {
  const char *name = path[0] == '/' ? name_of(path) : NULL;
  if (!name) return real_open(path, flags, mode);
  pthread_mutex_lock(&turn);
  int made = (flags & O_CREAT) && access(path, F_OK) != 0;
  if (made) real_close(journal(name, ".made", 0));
  int log = journal(name, "", made ? O_TRUNC : 0);
  int fd = real_open(path, flags, mode);
  struct stat now;
  if (fd >= 0 && fd < MOST && fstat(fd, &now) == 0) table[fd] = (struct watched){now.st_dev, now.st_ino, log};
  else real_close(log);
  pthread_mutex_unlock(&turn);
  return fd;
}

#define WITH_MODE                                                              \
  va_list more;                                                                \
  va_start(more, flags);                                                       \
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                    \
  va_end(more)

int open(const char *path, int flags, ...) {
  WITH_MODE;
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  WITH_MODE;
  return opened(path, flags, mode);
}

/* A name that `link` creates is lost with the same probability as that of a created file; its old name may survive. */
int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  const char *name = to[0] == '/' ? name_of(to) : NULL;
  if (!name) return real(from, to);
  pthread_mutex_lock(&turn);
  int result = real(from, to);
  if (result == 0) real_close(journal(name, ".made", 0));
  pthread_mutex_unlock(&turn);
  return result;
}

int close(int fd) {
  if (fd < 0 || fd >= MOST || !table[fd].journal) return real_close(fd);
  pthread_mutex_lock(&turn);
  int log = table[fd].journal;
  table[fd].journal = 0;
  real_close(log);
  int result = real_close(fd);
  pthread_mutex_unlock(&turn);
  return result;
}

/** Returns the journal of the descriptor's file, and its state in `now`; 0 when the file is not watched. */
static int journal_of(int fd, struct stat *now) {
  if (fd < 0 || fd >= MOST || !table[fd].journal || fstat(fd, now)) return 0;
  /* Another file may have got the descriptor through a system call that is not watched. */
  return now->st_ino == table[fd].inode && now->st_dev == table[fd].device ? table[fd].journal : 0;
}

/** Appends a record of a change at offset `place` to the journal, with the bytes it will overwrite or cut off. */
static void remember(int log, char kind, int fd, uint64_t size, const void *bytes, uint64_t length, uint64_t place) {
  uint64_t there = size > place ? size - place : 0;
  uint64_t was = kind == 'W' && there > length ? length : there;
  uint64_t numbers[4] = {place, length, size, was};
  char *whole = malloc(HEAD + was + length);
  whole[0] = kind;
  memcpy(whole + 1, numbers, sizeof numbers);
  /* Reads by the same descriptor: closing another one would drop the locks that SQLite has on the file. */
  if (was && pread(fd, whole + HEAD, was, place) != (ssize_t)was) abort();
  if (length) memcpy(whole + HEAD + was, bytes, length);
  if (real_write(log, whole, HEAD + was + length) != (ssize_t)(HEAD + was + length)) abort();
  free(whole);
}

/* The mutex keeps a change and its record together: a sync in between would empty the journal of an unsynced change. */
#define CHANGE(type, kind, change, bytes, length, place)                       \
  struct stat now;                                                             \
  pthread_mutex_lock(&turn);                                                   \
  int log = journal_of(fd, &now);                                              \
  if (log) remember(log, kind, fd, now.st_size, bytes, length, place);         \
  type outcome = change;                                                       \
  pthread_mutex_unlock(&turn);                                                 \
  return outcome

ssize_t write(int fd, const void *bytes, size_t length) {
  if (fd < 0 || fd >= MOST || !table[fd].journal) return real_write(fd, bytes, length);
  CHANGE(ssize_t, 'W', real_write(fd, bytes, length), bytes, length,
         fcntl(fd, F_GETFL) & O_APPEND ? now.st_size : lseek(fd, 0, SEEK_CUR));
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t place) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  if (fd < 0 || fd >= MOST || !table[fd].journal) return real(fd, bytes, length, place);
  CHANGE(ssize_t, 'W', real(fd, bytes, length, place), bytes, length, place);
}

int ftruncate64(int fd, off64_t size) {
  REAL(int, "ftruncate64", int, off64_t);
  if (fd < 0 || fd >= MOST || !table[fd].journal) return real(fd, size);
  CHANGE(int, 'T', real(fd, size), NULL, 0, size);
}

/** Removes the marks `NAME.made`: the folder was synced, so the names of its files survive a power cut. */
static void keep_names(void) {
  DIR *folder = opendir(getenv("POWER_CUT_JOURNALS"));
  if (!folder) abort();
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strstr(entry->d_name, ".made")) unlinkat(dirfd(folder), entry->d_name, 0);
  }
  closedir(folder);
}

static int synced(int fd, int (*real)(int)) {
  if (fd < 0 || fd >= MOST || !table[fd].journal) return real(fd);
  struct stat now;
  /* 2 ms, about the time that a disk takes, so that a kill finds unsynced changes. */
  usleep(2000);
  pthread_mutex_lock(&turn);
  int log = journal_of(fd, &now), result = real(fd);
  if (log && result == 0) {
    if (S_ISDIR(now.st_mode)) keep_names();
    else if (ftruncate(log, 0)) abort();
  }
  pthread_mutex_unlock(&turn);
  return result;
}

int fsync(int fd) {
  REAL(int, "fsync", int);
  return synced(fd, real);
}

int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return synced(fd, real);
}
