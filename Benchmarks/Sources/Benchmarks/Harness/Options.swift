/// Options of the form `--name value`.
struct Options {
    private var values: [String: String] = [:]

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else {
                throw BenchmarkError("expected --name value, found '\(name)'")
            }
            values[String(name.dropFirst(2))] = value
        }
    }

    /// Returns a number, or the default where the option is not given.
    func number(_ name: String, default fallback: Int) throws -> Int {
        guard let text = values[name] else { return fallback }
        guard let number = Int(text), number > 0 else {
            throw BenchmarkError("--\(name) wants a positive number, not '\(text)'")
        }
        return number
    }

    /// Returns a number that may be 0, which it is where the option is not given.
    func count(_ name: String) throws -> Int {
        values[name] == nil ? 0 : try number(name, default: 0)
    }

    /// Returns a text, or the default where the option is not given.
    func text(_ name: String, default fallback: String) -> String {
        values[name] ?? fallback
    }

    /// Returns a text that must be given.
    func text(_ name: String) throws -> String {
        guard let value = values[name] else { throw BenchmarkError("--\(name) is missing") }
        return value
    }
}
