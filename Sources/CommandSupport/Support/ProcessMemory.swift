#if canImport(Glibc)
    import CMalloc
#endif

/// How the process takes memory from the system.
public enum ProcessMemory {
    /// Lets all threads take memory from one heap, which grows by a megabyte.
    ///
    /// With glibc each thread otherwise gets a heap of its own, which grows by a page and a system call at a time: hundreds of calls
    /// before a process that answers one question is done.
    public static func useOneHeap() {
        #if canImport(Glibc)
            _ = mallopt(M_ARENA_MAX, 1)
            _ = mallopt(M_TOP_PAD, 1 << 20)
        #endif
    }
}
