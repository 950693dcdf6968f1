import CommandSupport

/// What is to be done with one request of the queue or of the error archive.
enum RequestAction: Sendable {
    case show(Int64)
    case drop(Int64)
    case retry(Int64)
    case split(Int64)
    case edit(Int64, body: String)
    case move(Int64, other: Int64, isBefore: Bool)

    /// The request that it is about.
    var id: Int64 {
        switch self {
        case .show(let id), .drop(let id), .retry(let id), .split(let id), .edit(let id, _),
            .move(let id, _, _):
            id
        }
    }

    /// Reads an action and its words.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where a word is missing or makes no sense.
    init(_ action: String, words: ArraySlice<String>) throws(CommandFailure) {
        let words = Array(words)
        switch action {
        case "show": self = .show(try RequestID.read(words[...]))
        case "drop", "discard": self = .drop(try RequestID.read(words[...]))
        case "retry": self = .retry(try RequestID.read(words[...]))
        case "split": self = .split(try RequestID.read(words[...]))
        case "edit":
            guard words.count == 2 else {
                throw .usage("`edit` takes the number of a request and its new body")
            }
            self = .edit(try RequestID.read(words[..<1]), body: words[1])
        default:
            guard words.count == 3, ["before", "after"].contains(words[1]) else {
                throw .usage("`move` takes ID before|after ID")
            }
            self = .move(
                try RequestID.read(words[..<1]),
                other: try RequestID.read(words[2...]),
                isBefore: words[1] == "before"
            )
        }
    }

    /// For actions that may touch a request which the service may have carried out.
    static let consent = OptionSyntax.flag(
        "even-if-unknown",
        help: "also a request whose answer was lost: the service may have carried it out"
    )
}
