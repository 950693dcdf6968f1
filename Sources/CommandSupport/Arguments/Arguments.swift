/// What was given to a command, held against its syntax.
public struct Arguments: Sendable {
    /// Words that are no options, in order.
    public var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// Whether an option without value was given.
    public func has(_ name: String) -> Bool { flags.contains(name) }

    /// Whether an option was given, with a value or without.
    public func contains(_ name: String) -> Bool { has(name) || values[name] != nil }

    /// Returns the value of an option that can be given once.
    public func value(_ name: String) -> String? { values[name]?.last }

    /// Returns the values of an option in the order given.
    public func all(_ name: String) -> [String] { values[name] ?? [] }

    mutating func set(_ flag: String) { flags.insert(flag) }

    mutating func append(_ value: String, to name: String) {
        values[name, default: []].append(value)
    }

    /// Returns the value of an option as a number.
    ///
    /// - Throws: ``CommandFailure`` where it is none or out of range.
    public func number(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let most = range.upperBound == Int.max ? "" : " to \(range.upperBound)"
            throw .usage(
                "--\(name) takes a whole number from \(range.lowerBound)\(most), not '\(text)'"
            )
        }
        return number
    }

    /// Returns the value of an option as a time in seconds, which may have a fraction.
    ///
    /// - Throws: ``CommandFailure`` where it is none.
    public func seconds(_ name: String) throws(CommandFailure) -> Duration? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), number >= 0, number <= 86_400 * 365 else {
            throw .usage("--\(name) takes a number of seconds, not '\(text)'")
        }
        return .milliseconds(Int((number * 1_000).rounded()))
    }

    /// Returns the value of an option that has a fixed set of values.
    ///
    /// - Throws: ``CommandFailure`` that lists them.
    public func choice<Choice>(
        _ name: String,
        of choices: [(name: String, value: Choice)]
    ) throws(CommandFailure) -> Choice? {
        guard let text = value(name) else { return nil }
        if let found = choices.first(where: { $0.name == text }) { return found.value }
        let names = choices.map(\.name).joined(separator: ", ")
        throw .usage("--\(name) takes one of \(names), not '\(text)'")
    }
}
