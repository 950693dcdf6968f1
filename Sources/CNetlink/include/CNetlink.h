#ifndef CNETLINK_H
#define CNETLINK_H

/// Opens a socket on which the kernel reports changes of links, addresses and routes; -1 where it cannot.
///
/// This function is necessary because Swift does not import <linux/netlink.h>.
int cnetlink_open(void);

/// Reads the pending reports of a socket; waits for one for at most so many milliseconds, -1 for ever.
///
/// Returns 1 where something was reported, 0 after the time, -1 once the socket has failed.
int cnetlink_wait(int descriptor, int milliseconds);

/// Closes a socket.
void cnetlink_close(int descriptor);

/// Whether an interface other than the loopback is up, runs and has an address that is not link-local.
///
/// This function is necessary because a walk of `getifaddrs` needs unions of socket addresses.
int cnetlink_is_connected(void);

#endif
