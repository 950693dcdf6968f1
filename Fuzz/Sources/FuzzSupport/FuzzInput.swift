/// What the fuzzer hands over, as an array.
public enum FuzzInput {
    /// Copies the bytes, so that a reader that goes past their end is found out.
    @unsafe public static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
