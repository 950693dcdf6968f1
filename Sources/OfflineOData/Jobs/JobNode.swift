import ODataText
import OfflineValues
import ODataValues
import ODataModel

/// A value of a job with its path, for messages that name line, path and what was expected.
struct JobNode {
    let node: JSONNode
    let path: String

    /// Says what is wrong with the value.
    func failure(_ message: String) -> OfflineODataError {
        let place = path.isEmpty ? "" : ", \(path)"
        return OfflineODataError(
            .invalidInput,
            "line \(node.line)\(place): \(message)",
            place: .init(line: node.line, path: path)
        )
    }

    private func wrong(_ expected: String) -> OfflineODataError {
        failure("expected \(expected), found \(node.kind)")
    }

    // MARK: Objects and arrays

    /// The members of an object whose names are known.
    func members(_ known: [String]) throws(OfflineODataError) -> [(name: String, value: JobNode)] {
        let members = try members("an object with " + known.joined(separator: ", "))
        for member in members where !known.contains(member.name) {
            let nearest = NearestName.of(member.name, among: known)
            throw member.value.failure(
                "'\(member.name)' is unknown"
                    + (nearest.map { "; did you mean '\($0)'?" }
                        ?? "; expected one of " + known.joined(separator: ", "))
            )
        }
        return members
    }

    /// The members of an object of any names.
    func members(
        _ expected: String = "an object",
        atMost limit: Int = 1_000
    ) throws(OfflineODataError) -> [(name: String, value: JobNode)] {
        guard let members = node.members else { throw wrong(expected) }
        guard members.count <= limit else { throw failure("expected at most \(limit) members") }
        return members.map { member in
            let path = path.isEmpty ? member.name : path + "/" + member.name
            return (member.name, JobNode(node: member.value, path: path))
        }
    }

    func items(
        _ expected: String,
        atMost limit: Int
    ) throws(OfflineODataError) -> [JobNode] {
        guard let items = node.items else { throw wrong(expected) }
        guard items.count <= limit else { throw failure("expected at most \(limit) items") }
        return items.enumerated().map { JobNode(node: $0.element, path: "\(path)[\($0.offset)]") }
    }

    // MARK: Values

    func text(_ expected: String = "a text") throws(OfflineODataError) -> String {
        guard let text = node.text else { throw wrong(expected) }
        guard !text.isEmpty, text.utf8.count <= 16_384, !text.utf8.contains(0) else {
            throw failure("expected \(expected) of 1 to 16,384 bytes")
        }
        return text
    }

    func texts(_ expected: String) throws(OfflineODataError) -> [String] {
        try items(expected, atMost: 1_000).map { item throws(OfflineODataError) in
            try item.text()
        }
    }

    func textMembers() throws(OfflineODataError) -> [String: String] {
        var result: [String: String] = [:]
        for member in try members("an object of texts") {
            result[member.name] = try member.value.text()
        }
        return result
    }

    func number(_ range: ClosedRange<Int>) throws(OfflineODataError) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let digits) = node.value else { throw wrong(expected) }
        guard let number = Int(digits), range.contains(number) else {
            throw failure("expected \(expected), found \(digits)")
        }
        return number
    }

    func boolean() throws(OfflineODataError) -> Bool {
        guard case .bool(let flag) = node.value else { throw wrong("true or false") }
        return flag
    }

    /// A time as `90s`, `15m`, `12h` or `7d`, or a number of seconds.
    func duration() throws(OfflineODataError) -> Duration {
        let expected = "a time such as 90s, 15m, 12h or 7d, or a number of seconds"
        switch node.value {
        case .number(let digits):
            if let seconds = Int64(digits), (0...Self.longest).contains(seconds) {
                return .seconds(seconds)
            }
        case .string(let text):
            if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int64(text.dropLast()),
                (0...Self.longest / unit).contains(count)
            {
                return .seconds(count * unit)
            }
        default: throw wrong(expected)
        }
        throw failure("expected \(expected)")
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    /// A hundred years, in seconds.
    private static let longest: Int64 = 3_153_600_000

    func choice<Value: CaseIterable & RawRepresentable>(
        of type: Value.Type
    ) throws(OfflineODataError) -> Value where Value.RawValue == String {
        let known = type.allCases.map(\.rawValue)
        let expected = known.joined(separator: " or ")
        let text = try text(expected)
        guard let value = Value(rawValue: text) else {
            throw failure("expected \(expected), found '\(text)'")
        }
        return value
    }

    /// A reference to a secret; a text that is none may be the secret, and is not repeated.
    func secret() throws(OfflineODataError) -> OfflineODataJobSecret {
        let expected = "a reference, @FILE or env:NAME"
        guard let secret = OfflineODataJobSecret(try text(expected)) else {
            throw failure("expected \(expected), not the secret itself")
        }
        return secret
    }
}
