import ODataText
import ODataValues

/// Finds the place of a value by the names that lead to it; used once an entity has been refused.
struct ValueLocator {
    /// A part of a path.
    private enum Step {
        case member(String)
        case item(Int)
    }

    private let limit: Int
    private var place: Int

    /// Returns where the value of a path such as `Address/City` or `Lines[0]/ItemID` begins, seen from the value at the cursor; that
    /// of the innermost value around it where it is missing.
    static func place(of path: String, limit: Int, _ cursor: inout ByteCursor) -> Int {
        var locator = ValueLocator(limit: limit, place: cursor.index)
        // The entity has been read already: nothing in it is malformed.
        try? locator.follow(steps(path)[...], &cursor, depth: 1)
        return locator.place
    }

    private static func steps(_ path: String) -> [Step] {
        path.split(separator: "/").flatMap { part -> [Step] in
            let pieces = part.split(separator: "[")
            return pieces.enumerated().map { index, piece in
                let number = index == 0 ? nil : Int(piece.dropLast())
                return number.map(Step.item) ?? .member(String(piece))
            }
        }
    }

    private mutating func follow(
        _ steps: ArraySlice<Step>,
        _ cursor: inout ByteCursor,
        depth: Int
    ) throws {
        guard depth <= limit, let step = steps.first else { return }
        let isFound =
            switch step {
            case .member(let name): try enter(name, &cursor, depth: depth)
            case .item(let number): try enter(item: number, &cursor, depth: depth)
            }
        guard isFound else { return }
        place = cursor.index
        try follow(steps.dropFirst(), &cursor, depth: depth + 1)
    }

    /// Goes to the value of a member; false where there is none.
    private func enter(_ name: String, _ cursor: inout ByteCursor, depth: Int) throws -> Bool {
        guard cursor.byte == UInt8(ascii: "{") else { return false }
        cursor.advance()
        cursor.skipSpace()
        guard cursor.byte != UInt8(ascii: "}") else { return false }
        repeat {
            let token = try cursor.string()
            try cursor.colon()
            let found = cursor.withSpan(token) { String(decoding: $0.copied(), as: UTF8.self) }
            if found == name { return true }
            try cursor.skipValue(depth: depth + 1, limit: limit)
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma")
        return false
    }

    /// Goes to an item; versions 1 to 3 have the items of a collection inside of an object.
    private func enter(item: Int, _ cursor: inout ByteCursor, depth: Int) throws -> Bool {
        if cursor.byte == UInt8(ascii: "{") {
            guard try enter("results", &cursor, depth: depth) else { return false }
        }
        guard cursor.byte == UInt8(ascii: "[") else { return false }
        cursor.advance()
        cursor.skipSpace()
        guard cursor.byte != UInt8(ascii: "]") else { return false }
        var position = 0
        repeat {
            if position == item { return true }
            try cursor.skipValue(depth: depth + 1, limit: limit)
            position += 1
        } while try cursor.comma(or: UInt8(ascii: "]"), "a comma")
        return false
    }
}
