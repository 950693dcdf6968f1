#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

/// What `cmhd_start` gives to the library; each callback gets `context` first.
struct cmhd_settings {
    void *context;
    MHD_AccessHandlerCallback answer;
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    size_t connection_memory;
    unsigned int connection_limit;
    unsigned int idle_seconds;
};

/// Leaves a text as it came; OData keys may hold an escaped slash, which must stay escaped.
static inline size_t cmhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// This function is necessary because `MHD_start_daemon` is variadic. It listens on 127.0.0.1 only.
static inline struct MHD_Daemon *_Nullable cmhd_start(uint16_t port, struct cmhd_settings settings) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL,
        settings.answer, settings.context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_URI_LOG_CALLBACK, settings.begin, settings.context,
        MHD_OPTION_UNESCAPE_CALLBACK, &cmhd_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, settings.completed, settings.context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings.connection_memory,
        MHD_OPTION_CONNECTION_LIMIT, settings.connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds,
        MHD_OPTION_END);
}

/// This function is necessary because `MHD_get_daemon_info` is variadic. Zero where unknown.
static inline uint16_t cmhd_port(struct MHD_Daemon *_Nonnull daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/// This function is necessary because `MHD_get_connection_info` is variadic. -1 where unknown.
static inline int cmhd_socket(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

#endif
