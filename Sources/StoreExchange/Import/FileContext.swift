/// The context URL that a file begins with (OData JSON 4.01 § 4.6.1): answers of services and exports of stores have one.
struct FileContext {
    let url: String

    /// Bytes in which the context stands, at the beginning of the file.
    private static let headBytes = 16 << 10

    /// Reads the context of a file; nil where there is none.
    init?(_ json: [UInt8]) {
        let head = String(decoding: json.prefix(Self.headBytes), as: UTF8.self)
        guard
            let member = head.firstRange(of: "@odata.context\"")
                ?? head.firstRange(of: "@context\"")
        else { return nil }
        let rest = head[member.upperBound...].drop { $0 == ":" || $0.isWhitespace }
        guard rest.first == "\"" else { return nil }
        url = String(rest.dropFirst().prefix { $0 != "\"" })
    }
}
