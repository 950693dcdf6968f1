#define _GNU_SOURCE

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { maximum_arguments = 32 };

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double cpu_seconds(const struct rusage *usage) {
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec)
        + (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

int yardstick_run_program(const char *arguments, yardstick_program *result) {
    char *copy = strdup(arguments);
    if (copy == NULL) return ENOMEM;
    char *list[maximum_arguments + 1] = {NULL};
    int count = 0;
    char *rest = copy, *argument;
    while (count < maximum_arguments && (argument = strsep(&rest, "\n")) != NULL) list[count++] = argument;

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    double start = now();
    int problem = posix_spawnp(&process, list[0], &actions, NULL, list, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(copy);
    if (problem != 0) return problem;

    int status = 0;
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    while (wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    result->seconds = now() - start;
    result->cpu_seconds = cpu_seconds(&usage);
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return 0;
}
