/*
 * A model of power loss. Preloaded into a process, it keeps beside each file of one directory what a power
 * cut would leave of it: its content when it was last synchronised. What was only written is not in it.
 *
 * LAST_SYNCED_FROM is the directory, LAST_SYNCED_TO where the copies go; files in folders are left out.
 * A file is copied through the descriptor that was synchronised: closing another one would let go of the
 * locks that SQLite holds on it (POSIX, fcntl).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the copy of `path` goes, or 0 where it is none of ours. */
static int copy_of(const char *path, char *to) {
  const char *from = getenv("LAST_SYNCED_FROM");
  const char *into = getenv("LAST_SYNCED_TO");
  size_t length = from == NULL ? 0 : strlen(from);
  if (length == 0 || into == NULL || strncmp(path, from, length) != 0 || path[length] != '/' ||
      strchr(path + length + 1, '/') != NULL)
    return 0;
  return snprintf(to, PATH_MAX, "%s/%s", into, path + length + 1) < PATH_MAX;
}

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void keep_copy(int fd) {
  static char buffer[1 << 20];
  char link[64], path[PATH_MAX], to[PATH_MAX], draft[PATH_MAX + 8];
  struct stat stat;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || fstat(fd, &stat) != 0 || !S_ISREG(stat.st_mode)) return;
  path[length] = 0;
  if (!copy_of(path, to)) return;
  snprintf(draft, sizeof draft, "%s.draft", to);
  int out = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out < 0) return;
  off_t at = 0;
  ssize_t got;
  while ((got = pread(fd, buffer, sizeof buffer, at)) > 0) {
    if (write(out, buffer, (size_t)got) != got) abort();
    at += got;
  }
  close(out);
  /* In one step: the process may be killed at any moment. */
  if (got == 0) rename(draft, to);
  else unlink(draft);
}

/* Threads synchronise, too. */
static void keep(int fd) {
  pthread_mutex_lock(&one_at_a_time);
  keep_copy(fd);
  pthread_mutex_unlock(&one_at_a_time);
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}

int unlink(const char *path) {
  static int (*real)(const char *);
  char to[PATH_MAX];
  if (real == NULL) real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  int result = real(path);
  if (result == 0 && copy_of(path, to)) real(to);
  return result;
}
