import ODataText
import ODataValues
import ODataPayload

/// The outer object of a JSON batch: one list of objects and what else stands beside it.
///
/// Values are kept as places in the body; each has been passed over with a full check of its syntax.
struct JSONBatchDocument {
    /// A member of an object.
    struct Member {
        let name: String
        let value: Range<Int>
    }

    /// The objects of the list that came whole.
    private(set) var elements: [Range<Int>] = []
    /// The other members.
    private(set) var members: [Member] = []
    /// Why the rest could not be read.
    private(set) var problem: BatchError?
    private var hasList = false

    /// Reads a body whose list has this name.
    init(_ bytes: [UInt8], list: String, limits: BatchLimits) {
        ByteCursor.with(bytes.span) { cursor in
            do throws(PayloadFault) {
                try read(&cursor, bytes: bytes, list: list, limits: limits)
            } catch {
                let isCut = cursor.isAtEnd || error.index >= bytes.count
                problem = BatchError(
                    error.code == .limitExceeded ? .tooLarge : isCut ? .incomplete : .malformed,
                    error.message,
                    offset: min(error.index, bytes.count)
                )
            }
        }
        if problem == nil, !hasList {
            problem = BatchError(.malformed, "the list of the batch is missing")
        }
    }

    private mutating func read(
        _ cursor: inout ByteCursor,
        bytes: [UInt8],
        list: String,
        limits: BatchLimits
    ) throws(PayloadFault) {
        // A fault inside of a request or an answer concerns that one alone: its own reader checks the names.
        cursor.allowsDuplicateNames = true
        var names: Set<[UInt8]> = []
        cursor.skipSpace()
        try cursor.expect(UInt8(ascii: "{"), what: "an object")
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "}") {
            cursor.advance()
        } else {
            repeat {
                let name = try Self.name(&cursor, bytes: bytes, notIn: &names)
                if name == list {
                    hasList = true
                    try readList(&cursor, limits: limits)
                } else {
                    members.append(try Self.member(name, from: &cursor, depth: 1, limits: limits))
                }
            } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
        }
        cursor.skipSpace()
        guard cursor.isAtEnd else { throw cursor.unexpected("the end of the batch") }
    }

    private mutating func readList(
        _ cursor: inout ByteCursor,
        limits: BatchLimits
    ) throws(PayloadFault) {
        try cursor.expect(UInt8(ascii: "["), what: "an array")
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "]") { return cursor.advance() }
        repeat {
            let start = cursor.index
            guard cursor.byte == UInt8(ascii: "{") else { throw cursor.unexpected("an object") }
            try cursor.skipValue(depth: 2, limit: limits.jsonDepth)
            guard elements.count < limits.parts else {
                throw PayloadFault(.limitExceeded, at: start, "more than \(limits.parts) requests")
            }
            elements.append(start..<cursor.index)
        } while try cursor.comma(or: UInt8(ascii: "]"), "a comma or the end of the array")
    }

    // MARK: - Values inside

    /// Returns the members of an object that has been checked; none may come twice.
    static func members(
        of bytes: [UInt8],
        _ range: Range<Int>,
        limits: BatchLimits
    ) throws(BatchError) -> [Member] {
        try reading(bytes, in: range) { cursor throws(PayloadFault) in
            var members: [Member] = []
            var names: Set<[UInt8]> = []
            try cursor.expect(UInt8(ascii: "{"), what: "an object")
            cursor.skipSpace()
            if cursor.byte == UInt8(ascii: "}") { return members }
            repeat {
                let name = try name(&cursor, bytes: bytes, notIn: &names)
                members.append(try member(name, from: &cursor, depth: 3, limits: limits))
            } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
            return members
        }
    }

    /// Returns the strings of an array that has been checked.
    static func strings(
        of bytes: [UInt8],
        _ range: Range<Int>
    ) throws(BatchError) -> [String] {
        try reading(bytes, in: range) { cursor throws(PayloadFault) in
            var strings: [String] = []
            try cursor.expect(UInt8(ascii: "["), what: "an array")
            cursor.skipSpace()
            if cursor.byte == UInt8(ascii: "]") { return strings }
            repeat {
                strings.append(try text(&cursor, bytes: bytes))
            } while try cursor.comma(or: UInt8(ascii: "]"), "a comma or the end of the array")
            return strings
        }
    }

    /// Returns a string that has been checked.
    static func string(
        of bytes: [UInt8],
        _ range: Range<Int>
    ) throws(BatchError) -> String {
        try reading(bytes, in: range) { cursor throws(PayloadFault) in
            try text(&cursor, bytes: bytes)
        }
    }

    private static func reading<Value>(
        _ bytes: [UInt8],
        in range: Range<Int>,
        read: (inout ByteCursor) throws(PayloadFault) -> Value
    ) throws(BatchError) -> Value {
        let result = ByteCursor.with(bytes.span) { cursor -> Result<Value, PayloadFault> in
            cursor.allowsDuplicateNames = true
            cursor.move(to: range.lowerBound)
            do throws(PayloadFault) {
                return .success(try read(&cursor))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let fault):
            throw BatchError(.malformed, fault.message, offset: fault.index)
        }
    }

    /// Reads a name that the object has not had yet.
    private static func name(
        _ cursor: inout ByteCursor,
        bytes: [UInt8],
        notIn names: inout Set<[UInt8]>
    ) throws(PayloadFault) -> String {
        let start = cursor.index
        let name = try text(&cursor, bytes: bytes)
        // Not by `String`, to which a composed and a decomposed letter are one.
        guard names.insert(Array(name.utf8)).inserted else {
            throw PayloadFault(.duplicateMember, at: start, "a second member of the same name")
        }
        try cursor.colon()
        return name
    }

    private static func member(
        _ name: String,
        from cursor: inout ByteCursor,
        depth: Int,
        limits: BatchLimits
    ) throws(PayloadFault) -> Member {
        let start = cursor.index
        try cursor.skipValue(depth: depth, limit: limits.jsonDepth)
        return Member(name: name, value: start..<cursor.index)
    }

    private static func text(
        _ cursor: inout ByteCursor,
        bytes: [UInt8]
    ) throws(PayloadFault) -> String {
        let token = try cursor.string()
        var plain: [UInt8] = []
        let fault = cursor.withSpan(token) { JSONString.unescape($0, into: &plain) }
        if let fault { throw PayloadFault(.malformed, at: token.start + fault, "no such escape") }
        guard let text = String(validating: plain, as: UTF8.self) else {
            throw PayloadFault(.malformed, at: token.start, "a string is no UTF-8")
        }
        return text
    }
}
