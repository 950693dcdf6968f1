#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>
#include <stdint.h>

// libmicrohttpd is opened when the first listener starts: with the libraries that it brings it takes longer to load than
// the rest of a program that never listens. Each function here hands its arguments on; variadic ones, which Swift cannot
// call, have a form of their own.

/// What `cmhd_start` gives to the library; each callback gets `context` first.
struct cmhd_settings {
    void *_Nullable context;
    MHD_AccessHandlerCallback _Nullable answer;
    void *_Nullable (*_Nullable begin)(void *_Nullable context, const char *_Nullable target, struct MHD_Connection *_Nullable connection);
    MHD_RequestCompletedCallback _Nullable completed;
    size_t connection_memory;
    unsigned int connection_limit;
    /// Time for the head of a connection's first request while more than half of all places are taken.
    unsigned int first_seconds;
    /// The same while there is room.
    unsigned int roomy_first_seconds;
    unsigned int idle_seconds;
};

/// Opens the library; 0 where it is missing. Call it before all others.
int cmhd_open(void);

/// Listens on 127.0.0.1 only.
struct MHD_Daemon *_Nullable cmhd_start(uint16_t port, struct cmhd_settings settings);
/// Zero where unknown.
uint16_t cmhd_port(struct MHD_Daemon *_Nonnull daemon);
int cmhd_quiesce(struct MHD_Daemon *_Nonnull daemon);
void cmhd_stop(struct MHD_Daemon *_Nonnull daemon);

/// Gives a connection that has shown itself alive another time-out.
void cmhd_set_timeout(struct MHD_Connection *_Nonnull connection, unsigned int seconds);
/// -1 where unknown.
int cmhd_socket(struct MHD_Connection *_Nonnull connection);
void cmhd_suspend(struct MHD_Connection *_Nonnull connection);
void cmhd_resume(struct MHD_Connection *_Nonnull connection);
void cmhd_each_header(struct MHD_Connection *_Nonnull connection, MHD_KeyValueIterator _Nonnull body, void *_Nullable context);

struct MHD_Response *_Nullable cmhd_response(
    uint64_t size, size_t block, MHD_ContentReaderCallback _Nonnull body, void *_Nullable context,
    MHD_ContentReaderFreeCallback _Nonnull release);
void cmhd_release(struct MHD_Response *_Nonnull response);
void cmhd_add_header(struct MHD_Response *_Nonnull response, const char *_Nonnull name, const char *_Nonnull value);
enum MHD_Result cmhd_queue(
    struct MHD_Connection *_Nonnull connection, unsigned int status, struct MHD_Response *_Nonnull response);

#endif
