#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Points in time as ticks of 100 ns since 0001-01-01T00:00:00Z.
package enum Instant {
    package static let ticksPerSecond = ClockTime.ticksPerSecond
    package static let ticksPerDay = ClockTime.ticksPerDay

    /// 1970-01-01T00:00:00Z in ticks.
    package static let unixEpoch: Int64 = 719_162 * ticksPerDay

    /// The present instant in ticks.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return unixEpoch + Int64(time.tv_sec) * ticksPerSecond + Int64(time.tv_nsec) / 100
    }
}
