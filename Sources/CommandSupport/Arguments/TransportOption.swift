import ODataProtocol
import OfflineOData

/// `--transport curl|urlsession`: what carries the requests.
public enum TransportOption: Sendable {
    /// libcurl.
    case curl
    /// Foundation's `URLSession`.
    case urlSession

    static let syntax = OptionSyntax.value(
        "transport",
        placeholder: "curl|urlsession",
        help: "what carries the requests (curl; on Apple's systems urlsession)"
    )

    static func read(_ arguments: Arguments) throws(CommandFailure) -> TransportOption? {
        try arguments.choice("transport", of: [("curl", .curl), ("urlsession", .urlSession)])
    }

    /// Whether a command line asks for what this program may not have linked; other faults of it are reported later.
    public static func asksForURLSession(_ words: [String]) -> Bool {
        let options = words.prefix { $0 != "--" }
        return options.contains("--transport=urlsession")
            || zip(options, options.dropFirst()).contains {
                ($0, $1) == ("--transport", "urlsession")
            }
    }
}
