internal import CFuzzer

/// Hands inputs to a function until one breaks it or the time is over; the arguments are libFuzzer's.
public enum FuzzDriver {
    /// Runs the fuzzer with the arguments of the process.
    @unsafe public static func run(
        _ callback: @escaping @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) {
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, callback)
    }
}
