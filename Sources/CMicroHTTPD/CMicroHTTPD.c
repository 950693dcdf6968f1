#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>

#ifdef __APPLE__
#define LIBRARY "libmicrohttpd.12.dylib"
#else
#define LIBRARY "libmicrohttpd.so.12"
#endif

#define FUNCTIONS(EACH) \
    EACH(MHD_start_daemon) EACH(MHD_get_daemon_info) EACH(MHD_quiesce_daemon) EACH(MHD_stop_daemon) \
    EACH(MHD_get_connection_info) EACH(MHD_suspend_connection) EACH(MHD_resume_connection) \
    EACH(MHD_get_connection_values) EACH(MHD_create_response_from_callback) EACH(MHD_destroy_response) \
    EACH(MHD_add_response_header) EACH(MHD_queue_response) EACH(MHD_set_connection_option)

#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open = 0;

static void open_library(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(name) \
    p_##name = (__typeof__(p_##name))dlsym(library, #name); \
    if (!p_##name) return;
    FUNCTIONS(FIND)
    is_open = 1;
}

int cmhd_open(void) {
    pthread_once(&once, open_library);
    return is_open;
}

/// Leaves a text as it came; OData keys may hold an escaped slash, which must stay escaped.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

static unsigned int at_most(unsigned int value, unsigned int limit) { return value < limit ? value : limit; }

/// Gives a new connection some time to say something, little when places become scarce: silent ones must not take them all.
/// The context holds the number of places and both times in seconds, so that nothing has to be kept for it.
static void connection_changed(
    void *context, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode code) {
    (void)slot;
    if (code != MHD_CONNECTION_NOTIFY_STARTED) return;
    uintptr_t packed = (uintptr_t)context;
    const union MHD_ConnectionInfo *info = p_MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON);
    if (!info || !info->daemon) return;
    const union MHD_DaemonInfo *load = p_MHD_get_daemon_info(info->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    int is_crowded = load && 2 * (uintptr_t)load->num_connections > (packed >> 32);
    unsigned int seconds = (unsigned int)(is_crowded ? packed & 0xFFFF : (packed >> 16) & 0xFFFF);
    p_MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

struct MHD_Daemon *cmhd_start(uint16_t port, struct cmhd_settings settings) {
    uintptr_t crowded = at_most(settings.first_seconds, 0xFFFF);
    uintptr_t roomy = at_most(settings.roomy_first_seconds, 0xFFFF);
    uintptr_t places = at_most(settings.connection_limit, 0x7FFF);
    void *pressure = (void *)((places << 32) | (roomy << 16) | crowded);
    struct sockaddr_in address;
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return p_MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL,
        settings.answer, settings.context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_URI_LOG_CALLBACK, settings.begin, settings.context,
        MHD_OPTION_UNESCAPE_CALLBACK, &keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, settings.completed, settings.context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings.connection_memory,
        MHD_OPTION_CONNECTION_LIMIT, settings.connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds,
        MHD_OPTION_NOTIFY_CONNECTION, &connection_changed, pressure,
        MHD_OPTION_END);
}

uint16_t cmhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = p_MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

int cmhd_quiesce(struct MHD_Daemon *daemon) { return p_MHD_quiesce_daemon(daemon); }
void cmhd_stop(struct MHD_Daemon *daemon) { p_MHD_stop_daemon(daemon); }

void cmhd_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
    p_MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        p_MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

void cmhd_suspend(struct MHD_Connection *connection) { p_MHD_suspend_connection(connection); }
void cmhd_resume(struct MHD_Connection *connection) { p_MHD_resume_connection(connection); }

void cmhd_each_header(struct MHD_Connection *connection, MHD_KeyValueIterator body, void *context) {
    p_MHD_get_connection_values(connection, MHD_HEADER_KIND, body, context);
}

struct MHD_Response *cmhd_response(
    uint64_t size, size_t block, MHD_ContentReaderCallback body, void *context,
    MHD_ContentReaderFreeCallback release) {
    return p_MHD_create_response_from_callback(size, block, body, context, release);
}

void cmhd_release(struct MHD_Response *response) { p_MHD_destroy_response(response); }

void cmhd_add_header(struct MHD_Response *response, const char *name, const char *value) {
    p_MHD_add_response_header(response, name, value);
}

enum MHD_Result cmhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return p_MHD_queue_response(connection, status, response);
}
