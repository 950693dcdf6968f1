#include "CNetlink.h"

#if defined(__linux__)

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

int cnetlink_open(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE
        | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

int cnetlink_wait(int descriptor, int milliseconds) {
    struct pollfd waited = { descriptor, POLLIN, 0 };
    int ready;
    do ready = poll(&waited, 1, milliseconds); while (ready < 0 && errno == EINTR);
    if (ready <= 0) return ready;
    // What is reported does not matter: the state is asked for afterwards.
    char buffer[8192];
    ssize_t count;
    do count = recv(descriptor, buffer, sizeof buffer, 0); while (count > 0);
    // The kernel drops reports when they are not read in time (ENOBUFS); the state may have changed then, too.
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == EINTR ? 1 : -1;
}

void cnetlink_close(int descriptor) {
    close(descriptor);
}

static int is_useful(const struct sockaddr *address) {
    if (address == NULL) return 0;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        // 169.254/16 is link-local (RFC 3927).
        return (ntohl(v4->sin_addr.s_addr) >> 16) != 0xA9FE;
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        return !IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr);
    }
    return 0;
}

int cnetlink_is_connected(void) {
    struct ifaddrs *all;
    // An unknown state counts as connected, so that requests are tried.
    if (getifaddrs(&all) != 0) return 1;
    int found = 0;
    for (struct ifaddrs *one = all; one != NULL && !found; one = one->ifa_next) {
        unsigned int flags = one->ifa_flags;
        if ((flags & IFF_LOOPBACK) || !(flags & IFF_UP) || !(flags & IFF_RUNNING)) continue;
        found = is_useful(one->ifa_addr);
    }
    freeifaddrs(all);
    return found;
}

#else

int cnetlink_open(void) { return -1; }
int cnetlink_wait(int descriptor, int milliseconds) { (void)descriptor; (void)milliseconds; return -1; }
void cnetlink_close(int descriptor) { (void)descriptor; }
int cnetlink_is_connected(void) { return 1; }

#endif
