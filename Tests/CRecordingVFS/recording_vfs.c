#include "recording_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { kind_write, kind_truncate, kind_sync, kind_delete };

struct event {
    enum kind kind;
    char *file;
    sqlite3_int64 offset;
    int length;
    unsigned char *bytes;
};

struct recording {
    char *directory;
    struct event *events;
    int count;
    int capacity;
    struct recording *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct recording *recordings;
static sqlite3_vfs *real;
static sqlite3_vfs layer;

struct file {
    sqlite3_file base;
    char *name;
    sqlite3_file *inner;
};

static struct recording *find(const char *path)
{
    for (struct recording *item = recordings; item; item = item->next) {
        size_t length = strlen(item->directory);
        if (strncmp(path, item->directory, length) == 0 && path[length] == '/') return item;
    }
    return NULL;
}

static struct recording *of_directory(const char *directory)
{
    for (struct recording *item = recordings; item; item = item->next) {
        if (strcmp(item->directory, directory) == 0) return item;
    }
    return NULL;
}

static void note(const char *path, enum kind kind, sqlite3_int64 offset, int length, const void *bytes)
{
    if (!path) return;
    pthread_mutex_lock(&lock);
    struct recording *item = find(path);
    if (item) {
        if (item->count == item->capacity) {
            item->capacity = item->capacity ? item->capacity * 2 : 256;
            item->events = realloc(item->events, sizeof(struct event) * (size_t)item->capacity);
        }
        struct event *event = &item->events[item->count++];
        event->kind = kind;
        event->file = strdup(strrchr(path, '/') + 1);
        event->offset = offset;
        event->length = length;
        event->bytes = NULL;
        if (bytes && length > 0) {
            event->bytes = malloc((size_t)length);
            memcpy(event->bytes, bytes, (size_t)length);
        }
    }
    pthread_mutex_unlock(&lock);
}

// MARK: Methods of a file

#define INNER(file) (((struct file *)(file))->inner)
#define NAME(file) (((struct file *)(file))->name)

static int f_close(sqlite3_file *file)
{
    int code = INNER(file)->pMethods->xClose(INNER(file));
    free(NAME(file));
    return code;
}

static int f_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset)
{
    return INNER(file)->pMethods->xRead(INNER(file), bytes, length, offset);
}

static int f_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset)
{
    note(NAME(file), kind_write, offset, length, bytes);
    return INNER(file)->pMethods->xWrite(INNER(file), bytes, length, offset);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    note(NAME(file), kind_truncate, size, 0, NULL);
    return INNER(file)->pMethods->xTruncate(INNER(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    int code = INNER(file)->pMethods->xSync(INNER(file), flags);
    note(NAME(file), kind_sync, 0, 0, NULL);
    return code;
}

static int f_size(sqlite3_file *file, sqlite3_int64 *size) { return INNER(file)->pMethods->xFileSize(INNER(file), size); }
static int f_lock(sqlite3_file *file, int level) { return INNER(file)->pMethods->xLock(INNER(file), level); }
static int f_unlock(sqlite3_file *file, int level) { return INNER(file)->pMethods->xUnlock(INNER(file), level); }
static int f_reserved(sqlite3_file *file, int *result) { return INNER(file)->pMethods->xCheckReservedLock(INNER(file), result); }
static int f_sector(sqlite3_file *file) { return INNER(file)->pMethods->xSectorSize(INNER(file)); }

static int f_control(sqlite3_file *file, int operation, void *argument)
{
    return INNER(file)->pMethods->xFileControl(INNER(file), operation, argument);
}

// A disk that keeps no promise beyond its syncs.
static int f_characteristics(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static int f_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
    return INNER(file)->pMethods->xShmMap(INNER(file), page, size, extend, memory);
}

static int f_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return INNER(file)->pMethods->xShmLock(INNER(file), offset, count, flags);
}

static void f_shm_barrier(sqlite3_file *file) { INNER(file)->pMethods->xShmBarrier(INNER(file)); }
static int f_shm_unmap(sqlite3_file *file, int delete) { return INNER(file)->pMethods->xShmUnmap(INNER(file), delete); }

static const sqlite3_io_methods methods = {
    2, f_close, f_read, f_write, f_truncate, f_sync, f_size, f_lock, f_unlock, f_reserved, f_control, f_sector,
    f_characteristics, f_shm_map, f_shm_lock, f_shm_barrier, f_shm_unmap, NULL, NULL,
};

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags, int *granted)
{
    (void)vfs;
    pthread_mutex_lock(&lock);
    int is_recorded = name && find(name) != NULL;
    pthread_mutex_unlock(&lock);
    // Files of others are opened in the room that the layer asked for, and never seen again.
    if (!is_recorded) return real->xOpen(real, name, opened, flags, granted);
    struct file *file = (struct file *)opened;
    memset(file, 0, sizeof *file);
    file->inner = (sqlite3_file *)(file + 1);
    int code = real->xOpen(real, name, file->inner, flags, granted);
    if (code == SQLITE_OK) {
        file->base.pMethods = &methods;
        file->name = strdup(name);
    }
    return code;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    int code = real->xDelete(real, name, sync);
    if (code == SQLITE_OK) note(name, kind_delete, 0, 0, NULL);
    return code;
}

int recording_begin(const char *directory)
{
    pthread_mutex_lock(&lock);
    int code = SQLITE_OK;
    if (!real) {
        real = sqlite3_vfs_find(NULL);
        if (!real) {
            pthread_mutex_unlock(&lock);
            return SQLITE_ERROR;
        }
        layer = *real;
        layer.zName = "recording";
        layer.szOsFile = (int)sizeof(struct file) + real->szOsFile;
        layer.xOpen = v_open;
        layer.xDelete = v_delete;
        code = sqlite3_vfs_register(&layer, 1);
    }
    struct recording *item = calloc(1, sizeof *item);
    item->directory = strdup(directory);
    item->next = recordings;
    recordings = item;
    pthread_mutex_unlock(&lock);
    return code;
}

void recording_end(const char *directory)
{
    pthread_mutex_lock(&lock);
    for (struct recording **place = &recordings; *place; place = &(*place)->next) {
        struct recording *item = *place;
        if (strcmp(item->directory, directory) != 0) continue;
        *place = item->next;
        for (int index = 0; index < item->count; index++) {
            free(item->events[index].file);
            free(item->events[index].bytes);
        }
        free(item->events);
        free(item->directory);
        free(item);
        break;
    }
    pthread_mutex_unlock(&lock);
}

int recording_count(const char *directory)
{
    pthread_mutex_lock(&lock);
    struct recording *item = of_directory(directory);
    int count = item ? item->count : -1;
    pthread_mutex_unlock(&lock);
    return count;
}

int recording_is_sync(const char *directory, int event)
{
    pthread_mutex_lock(&lock);
    struct recording *item = of_directory(directory);
    int result = item && event >= 0 && event < item->count && item->events[event].kind == kind_sync;
    pthread_mutex_unlock(&lock);
    return result;
}

int recording_syncs(const char *directory, int count)
{
    pthread_mutex_lock(&lock);
    struct recording *item = of_directory(directory);
    int syncs = 0;
    for (int index = 0; item && index < count && index < item->count; index++) {
        syncs += item->events[index].kind == kind_sync;
    }
    pthread_mutex_unlock(&lock);
    return syncs;
}

// MARK: Rebuilding

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/// Whether an event is followed by a sync of its file before the power is cut.
static int is_durable(const struct recording *item, int event, int count)
{
    for (int index = event + 1; index < count; index++) {
        const struct event *other = &item->events[index];
        if (other->kind == kind_sync && strcmp(other->file, item->events[event].file) == 0) return 1;
    }
    return 0;
}

static int apply(const struct event *event, const char *target, int length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", target, event->file);
    if (event->kind == kind_delete) {
        remove(path);
        return 0;
    }
    FILE *file = fopen(path, "r+b");
    if (!file) file = fopen(path, "w+b");
    if (!file) return 1;
    int failed = 0;
    if (event->kind == kind_write) {
        failed = fseek(file, (long)event->offset, SEEK_SET) != 0
            || fwrite(event->bytes, 1, (size_t)length, file) != (size_t)length;
    } else if (event->kind == kind_truncate) {
        fflush(file);
        failed = ftruncate(fileno(file), (long)event->offset) != 0;
    }
    return fclose(file) != 0 || failed;
}

int recording_rebuild(
    const char *directory, const char *target, int count, enum recording_damage damage, unsigned seed)
{
    pthread_mutex_lock(&lock);
    struct recording *item = of_directory(directory);
    int failed = item == NULL || count > item->count;
    for (int index = 0; !failed && index < count; index++) {
        const struct event *event = &item->events[index];
        if (event->kind == kind_sync) continue;
        int length = event->length;
        if (event->kind != kind_delete && !is_durable(item, index, count)) {
            if (damage == recording_lost) continue;
            if (damage != recording_kept && next_random(&seed) % 2) continue;
            if (damage == recording_torn && length > 1) length = (int)(next_random(&seed) % (unsigned)length);
        }
        failed = apply(event, target, length);
    }
    pthread_mutex_unlock(&lock);
    return failed;
}
