/// Makes the boundaries of multipart bodies.
public struct BatchBoundary: Sendable {
    private let next: @Sendable (_ kind: Kind) -> String

    /// What a boundary is for.
    public enum Kind: String, Sendable {
        /// A whole batch.
        case batch
        /// One change set.
        case changeSet = "changeset"
    }

    /// Creates a maker from a function that answers another boundary at each call.
    ///
    /// A boundary has 1 to 70 letters, digits, `-` or `_` (all that RFC 2046 § 5.1.1 allows unquoted).
    public init(next: @escaping @Sendable (_ kind: Kind) -> String) {
        self.next = next
    }

    /// 128 random bits each.
    public static let random = BatchBoundary { kind in
        let number = UInt128.random(in: .min ... .max)
        let digits = String(number, radix: 16)
        return "\(kind.rawValue)_" + String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }

    /// Returns a boundary that no line of the contents begins with.
    ///
    /// - Throws: ``BatchError`` where the maker has made only unusable ones.
    func unused(_ kind: Kind, in contents: [[UInt8]]) throws(BatchError) -> String {
        for _ in 0..<Self.attempts {
            let boundary = next(kind)
            guard Self.isUsable(boundary) else { break }
            let line = Array("--\(boundary)".utf8)
            if !contents.contains(where: { hasLine(in: $0, startingWith: line) }) {
                return boundary
            }
        }
        throw BatchError(.cannotBeWritten, "no boundary could be made")
    }

    private static let attempts = 100

    private static func isUsable(_ boundary: String) -> Bool {
        (1...70).contains(boundary.utf8.count)
            && boundary.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}

private func hasLine(in content: [UInt8], startingWith start: [UInt8]) -> Bool {
    var line = 0
    while line < content.count {
        if content[line...].starts(with: start) { return true }
        guard let end = content[line...].firstIndex(of: 0x0A) else { return false }
        line = end + 1
    }
    return false
}
