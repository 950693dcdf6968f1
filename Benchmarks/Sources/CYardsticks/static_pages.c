// MSG_NOSIGNAL and friends are not part of strict C.
#define _GNU_SOURCE

#include "static_pages.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { maximum_request = 16 * 1024, maximum_target = 512 };

/// A file in memory and the request target that it answers.
typedef struct {
    char target[maximum_target];
    char type[128];
    const char *bytes;
    size_t length;
} page;

static page *pages;
static size_t page_count;
static atomic_llong requests;
static atomic_llong bytes_sent;

static int map_file(const char *path, page *page) {
    int file = open(path, O_RDONLY);
    struct stat information;
    if (file < 0 || fstat(file, &information) != 0) return 0;
    page->length = (size_t)information.st_size;
    void *bytes = mmap(NULL, page->length, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    page->bytes = bytes;
    return bytes != MAP_FAILED;
}

static int load_pages(const char *directory) {
    char path[4096], line[2048], file[512];
    snprintf(path, sizeof path, "%s/index.tsv", directory);
    FILE *index = fopen(path, "r");
    if (index == NULL) return 0;
    int worked = 1;
    while (worked && fgets(line, sizeof line, index) != NULL) {
        page *grown = realloc(pages, (page_count + 1) * sizeof *pages);
        if (grown == NULL) break;
        pages = grown;
        page *page = &pages[page_count++];
        worked = sscanf(line, "%511[^\t]\t%511[^\t]\t%127[^\n]", page->target, file, page->type) == 3;
        snprintf(path, sizeof path, "%s/%s", directory, file);
        worked = worked && map_file(path, page);
    }
    fclose(index);
    return worked && page_count > 0;
}

static int send_all(int socket, const char *bytes, size_t length, int flags) {
    while (length > 0) {
        ssize_t sent = send(socket, bytes, length, flags | MSG_NOSIGNAL);
        if (sent <= 0) return 0;
        bytes += sent;
        length -= (size_t)sent;
    }
    return 1;
}

/// Turns `%24` into `$`, which is all that matters here.
static void unescape_dollars(char *text) {
    char *out = text;
    for (const char *in = text; *in != 0; in++) {
        if (strncmp(in, "%24", 3) == 0) {
            *out++ = '$';
            in += 2;
        } else {
            *out++ = *in;
        }
    }
    *out = 0;
}

/// Reduces `/Set?a=b&$skiptoken=5&c` to `Set?$skiptoken=5`; the service root stays `/`.
static void reduce_target(char *target) {
    unescape_dollars(target);
    char token[128] = "";
    char *query = strchr(target, '?');
    if (query != NULL) {
        char *found = strstr(query, "$skiptoken=");
        if (found != NULL) sscanf(found, "%127[^&]", token);
        *query = 0;
    }
    char path[maximum_target];
    snprintf(path, sizeof path, "%s", target + (target[0] == '/'));
    const char *name = path[0] == 0 ? "/" : path;
    snprintf(target, maximum_target, "%.300s%s%s", name, token[0] == 0 ? "" : "?", token);
}

static const page *find_page(const char *target) {
    for (size_t index = 0; index < page_count; index++) {
        if (strcmp(pages[index].target, target) == 0) return &pages[index];
    }
    return NULL;
}

/// Sends the beginning of a page and then nothing, until the other side gives up.
static int stall(int socket, const page *page, size_t length) {
    char byte;
    if (!send_all(socket, page->bytes, length, 0)) return 0;
    while (recv(socket, &byte, 1, 0) > 0) {
    }
    return 0;
}

/// How much of each body the request wants before the answer stops; a very large number where it says nothing.
static size_t wanted_bytes(const char *request) {
    const char *found = strcasestr(request, "\r\nX-Stall-After: ");
    unsigned long long length = ~0ull;
    if (found != NULL) sscanf(found + 17, "%llu", &length);
    return (size_t)length;
}

static int answer(int socket, char *request) {
    size_t wanted = wanted_bytes(request);
    char method[16], target[maximum_target];
    if (sscanf(request, "%15s %511s", method, target) != 2) return 0;
    reduce_target(target);
    const page *page = strcmp(method, "GET") == 0 ? find_page(target) : NULL;
    char header[512];
    int length = snprintf(
        header, sizeof header,
        "HTTP/1.1 %s\r\nContent-Type: %s\r\nOData-Version: 4.0\r\nContent-Length: %zu\r\n\r\n",
        page ? "200 OK" : "404 Not Found", page ? page->type : "text/plain", page ? page->length : 0);
    atomic_fetch_add(&requests, 1);
    atomic_fetch_add(&bytes_sent, length + (page ? (long long)page->length : 0));
#ifdef MSG_MORE
    int more = page ? MSG_MORE : 0;
#else
    int more = 0;
#endif
    if (!send_all(socket, header, (size_t)length, more)) return 0;
    if (page != NULL && wanted < page->length) return stall(socket, page, wanted);
    return page == NULL || send_all(socket, page->bytes, page->length, 0);
}

/// Answers the requests of one connection, one after the other; they have no bodies.
static void *serve_connection(void *argument) {
    int socket = (int)(intptr_t)argument;
    char request[maximum_request + 1];
    size_t used = 0;
    for (;;) {
        request[used] = 0;
        char *end = strstr(request, "\r\n\r\n");
        if (end == NULL) {
            ssize_t got = used < maximum_request ? recv(socket, request + used, maximum_request - used, 0) : 0;
            if (got <= 0) break;
            used += (size_t)got;
            continue;
        }
        end[2] = 0;
        int closes = strcasestr(request, "\r\nConnection: close") != NULL;
        if (!answer(socket, request) || closes) break;
        size_t consumed = (size_t)(end + 4 - request);
        memmove(request, end + 4, used - consumed);
        used -= consumed;
    }
    close(socket);
    return NULL;
}

static void *accept_connections(void *argument) {
    int listener = (int)(intptr_t)argument;
    for (;;) {
        int socket = accept(listener, NULL, NULL);
        if (socket < 0) return NULL;
        int one = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve_connection, (void *)(intptr_t)socket) != 0) {
            close(socket);
        } else {
            pthread_detach(thread);
        }
    }
}

static int listen_on_loopback(int *port) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0
        || listen(listener, 64) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int static_pages_serve(const char *directory) {
    int port = 0;
    if (!load_pages(directory)) {
        fprintf(stderr, "no pages in %s\n", directory);
        return 1;
    }
    int listener = listen_on_loopback(&port);
    pthread_t thread;
    if (listener < 0 || pthread_create(&thread, NULL, accept_connections, (void *)(intptr_t)listener) != 0) {
        perror("listen");
        return 1;
    }
    printf("port %d\n", port);
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    printf("requests %lld bytes %lld cpu %.6f\n", (long long)requests, (long long)bytes_sent, cpu_seconds());
    fflush(stdout);
    return 0;
}
