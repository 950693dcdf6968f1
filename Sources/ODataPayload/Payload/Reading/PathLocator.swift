import ODataText
import ODataValues

/// Finds the names that lead to a place inside a value; used once a payload has failed.
struct PathLocator {
    private let target: Int
    private let limit: Int
    private(set) var path = ""

    private init(target: Int, limit: Int) {
        self.target = target
        self.limit = limit
    }

    /// Returns the path from the value at the cursor to a place, such as `/Address/City` or `[3]/Name`.
    static func path(to target: Int, limit: Int, _ cursor: inout ByteCursor) -> String {
        var locator = PathLocator(target: target, limit: limit)
        // Whatever is malformed lies at the target or behind it.
        try? locator.descend(&cursor, depth: 1)
        return locator.path
    }

    private mutating func descend(_ cursor: inout ByteCursor, depth: Int) throws {
        guard depth <= limit else { return }
        switch cursor.byte {
        case UInt8(ascii: "{"): try descendObject(&cursor, depth: depth)
        case UInt8(ascii: "["): try descendArray(&cursor, depth: depth)
        default: break
        }
    }

    private mutating func descendObject(_ cursor: inout ByteCursor, depth: Int) throws {
        cursor.advance()
        cursor.skipSpace()
        let before = path
        repeat {
            guard cursor.index <= target else { return path = before }
            let token = try cursor.string()
            path = before + "/"
            path += cursor.withSpan(token) { String(decoding: $0.copied(), as: UTF8.self) }
            try cursor.colon()
            if try passes(&cursor, depth: depth) { return }
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma")
        path = before
    }

    private mutating func descendArray(_ cursor: inout ByteCursor, depth: Int) throws {
        cursor.advance()
        cursor.skipSpace()
        let before = path
        var position = 0
        repeat {
            guard cursor.index <= target else { return path = before }
            path = before + "[\(position)]"
            if try passes(&cursor, depth: depth) { return }
            position += 1
        } while try cursor.comma(or: UInt8(ascii: "]"), "a comma")
        path = before
    }

    /// Passes a value, or goes into it where the target is inside; true when the path is found.
    private mutating func passes(_ cursor: inout ByteCursor, depth: Int) throws -> Bool {
        let start = cursor.index
        if (try? cursor.skipValue(depth: depth + 1, limit: limit)) != nil, cursor.index <= target {
            return false
        }
        cursor.move(to: start)
        try descend(&cursor, depth: depth + 1)
        return true
    }
}
