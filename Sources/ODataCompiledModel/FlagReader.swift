/// Answers of yes or no, in the order in which they were written.
struct FlagReader {
    var rest: Int

    mutating func next() -> Bool {
        defer { rest >>= 1 }
        return rest & 1 == 1
    }
}
