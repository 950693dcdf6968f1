#define _GNU_SOURCE

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

enum { maximum_arguments = 32 };

extern char **environ;

static void own_path(char *path, uint32_t capacity) {
#ifdef __APPLE__
    if (_NSGetExecutablePath(path, &capacity) != 0) path[0] = 0;
#else
    ssize_t length = readlink("/proc/self/exe", path, capacity - 1);
    path[length < 0 ? 0 : length] = 0;
#endif
}

static int spawn(char *const arguments[], const int input[2], const int output[2], yardstick_child *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    pid_t process = 0;
    int status = posix_spawn(&process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    child->process = process;
    child->input = input[1];
    child->output = output[0];
    return status;
}

static int start(char *path, const char *arguments, yardstick_child *child) {
    char *copy = strdup(arguments);
    if (copy == NULL) return ENOMEM;
    char *list[maximum_arguments + 2] = {path};
    int count = path == NULL ? 0 : 1;
    char *rest = copy, *argument;
    while (count <= maximum_arguments && (argument = strsep(&rest, "\n")) != NULL) list[count++] = argument;

    int input[2], output[2];
    if (pipe(input) != 0 || pipe(output) != 0) {
        free(copy);
        return errno;
    }
    // A child must not keep the other ends open, or a server would never see the end of its input.
    fcntl(input[1], F_SETFD, FD_CLOEXEC);
    fcntl(output[0], F_SETFD, FD_CLOEXEC);
    int status = spawn(list, input, output, child);
    close(input[0]);
    close(output[1]);
    free(copy);
    return status;
}

int yardstick_start_child(const char *arguments, yardstick_child *child) {
    char path[4096];
    own_path(path, sizeof path);
    return start(path, arguments, child);
}

int yardstick_start_program(const char *arguments, yardstick_child *child) {
    return start(NULL, arguments, child);
}

void yardstick_stop(yardstick_child *child) {
    kill(child->process, SIGTERM);
}

int yardstick_read_line(yardstick_child *child, char *line, int capacity) {
    int length = 0;
    char byte;
    while (read(child->output, &byte, 1) == 1) {
        if (byte == '\n') {
            line[length] = 0;
            return 1;
        }
        if (length < capacity - 1) line[length++] = byte;
    }
    return 0;
}

void yardstick_close_input(yardstick_child *child) {
    if (child->input >= 0) close(child->input);
    child->input = -1;
}

int yardstick_wait(yardstick_child *child) {
    yardstick_close_input(child);
    int status = 0;
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR) {
    }
    close(child->output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
