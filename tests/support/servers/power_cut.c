/* A disk that keeps only what was written out: for LD_PRELOAD.

   With each fsync or fdatasync of a file in the folder POWER_CUT_FROM, the content of the file at that moment is copied to the
   folder POWER_CUT_TO. After a power failure nothing else would be certain to exist. Files in subfolders are not copied. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

/* The path of the copy of a file; 0 for a file elsewhere. */
static int find_copy(const char *path, char *copy) {
    const char *from = getenv("POWER_CUT_FROM"), *to = getenv("POWER_CUT_TO");
    if (from == NULL || to == NULL) return 0;
    size_t length = strlen(from);
    if (strncmp(path, from, length) != 0 || path[length] != '/' || strchr(path + length + 1, '/') != NULL) return 0;
    return snprintf(copy, PATH_MAX, "%s%s", to, path + length) < PATH_MAX - 8;
}

static void copy_content(int file) {
    char link[64], path[PATH_MAX], copy[PATH_MAX], draft[PATH_MAX + 8], piece[65536];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = '\0';
    if (!find_copy(path, copy)) return;
    snprintf(draft, sizeof draft, "%s.draft", copy);
    /* One at a time: an older copy must not replace a newer one. */
    pthread_mutex_lock(&copying);
    int out = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0) abort();
    off_t at = 0;
    ssize_t got;
    /* Read through the caller's descriptor: closing another one would release the locks that SQLite holds on the file. */
    while ((got = pread(file, piece, sizeof piece, at)) > 0) {
        if (write(out, piece, (size_t)got) != got) abort();
        at += got;
    }
    if (got < 0 || close(out) != 0 || rename(draft, copy) != 0) abort();
    pthread_mutex_unlock(&copying);
}

int fsync(int file) {
    copy_content(file);
    int (*original)(int) = dlsym(RTLD_NEXT, "fsync");
    return original(file);
}

int fdatasync(int file) {
    copy_content(file);
    int (*original)(int) = dlsym(RTLD_NEXT, "fdatasync");
    return original(file);
}

int unlink(const char *path) {
    char copy[PATH_MAX];
    int (*original)(const char *) = dlsym(RTLD_NEXT, "unlink");
    int result = original(path);
    if (result == 0 && find_copy(path, copy)) original(copy);
    return result;
}
