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
                try read(&cursor, list: list, limits: limits)
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
        list: String,
        limits: BatchLimits
    ) throws(PayloadFault) {
        // A fault inside of a request or an answer concerns that one alone: its own reader checks the names.
        cursor.allowsDuplicateNames = true
        var names: Set<[UInt8]> = []
        cursor.skipSpace()
        try cursor.forEachMember { cursor, token throws(PayloadFault) in
            let name = try Self.name(token, of: cursor, notIn: &names)
            guard name == list else {
                let value = try cursor.place(depth: 1, limit: limits.jsonDepth)
                return members.append(Member(name: name, value: value))
            }
            hasList = true
            try readList(&cursor, limits: limits)
        }
        cursor.skipSpace()
        guard cursor.isAtEnd else { throw cursor.unexpected("the end of the batch") }
    }

    private mutating func readList(
        _ cursor: inout ByteCursor,
        limits: BatchLimits
    ) throws(PayloadFault) {
        try cursor.forEachItem { cursor throws(PayloadFault) in
            guard cursor.byte == UInt8(ascii: "{") else { throw cursor.unexpected("an object") }
            let element = try cursor.place(depth: 2, limit: limits.jsonDepth)
            guard elements.count < limits.parts else {
                throw PayloadFault(
                    .limitExceeded,
                    at: element.lowerBound,
                    "more than \(limits.parts) requests"
                )
            }
            elements.append(element)
        }
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
            try cursor.forEachMember { cursor, token throws(PayloadFault) in
                let name = try name(token, of: cursor, notIn: &names)
                let value = try cursor.place(depth: 3, limit: limits.jsonDepth)
                members.append(Member(name: name, value: value))
            }
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
            try cursor.forEachItem { cursor throws(PayloadFault) in
                strings.append(try text(cursor.string(), of: cursor))
            }
            return strings
        }
    }

    /// Returns a string that has been checked.
    static func string(
        of bytes: [UInt8],
        _ range: Range<Int>
    ) throws(BatchError) -> String {
        try reading(bytes, in: range) { cursor throws(PayloadFault) in
            try text(cursor.string(), of: cursor)
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

    /// Returns a name that the object has not had yet.
    private static func name(
        _ token: ByteCursor.Token,
        of cursor: borrowing ByteCursor,
        notIn names: inout Set<[UInt8]>
    ) throws(PayloadFault) -> String {
        let name = try text(token, of: cursor)
        // Not by `String`, to which a composed and a decomposed letter are one.
        guard names.insert(Array(name.utf8)).inserted else {
            throw PayloadFault(
                .duplicateMember,
                at: token.start - 1,
                "a second member of the same name"
            )
        }
        return name
    }

    private static func text(
        _ token: ByteCursor.Token,
        of cursor: borrowing ByteCursor
    ) throws(PayloadFault) -> String {
        var plain: [UInt8] = []
        let fault = cursor.withSpan(token) { JSONString.unescape($0, into: &plain) }
        if let fault { throw PayloadFault(.malformed, at: token.start + fault, "no such escape") }
        guard let text = String(validating: plain, as: UTF8.self) else {
            throw PayloadFault(.malformed, at: token.start, "a string is no UTF-8")
        }
        return text
    }
}
