import ODataProtocol
public import OfflineOData

/// What a request makes of the links of an entity.
public struct ChangedLink: Sendable, Equatable {
    /// The navigation property.
    public let property: String
    /// What it leads to then.
    public let mine: String

    /// Returns the changes of links in a request: by `@odata.bind`, or of the links alone by `$ref`.
    public static func all(in request: OfflineODataRequest) -> [ChangedLink] {
        let body = request.body.flatMap { ODataValue(json: $0) }
        let path = request.url.prefix { $0 != "?" }
        guard path.hasSuffix("/$ref") else { return bound(in: body) }
        let target = body?["@odata.id"]?.stringValue
        let segment = path.dropLast("/$ref".count).split(separator: "/").last ?? ""
        return [
            ChangedLink(
                property: String(segment.prefix { $0 != "(" }),
                mine: request.method == "DELETE" ? "taken away" : target ?? "-"
            )
        ]
    }

    private static func bound(in body: ODataValue?) -> [ChangedLink] {
        guard case .object(let members)? = body else { return [] }
        return members.compactMap { name, value in
            let suffix = ["@odata.bind", "@bind"].first { name.hasSuffix($0) }
            guard let suffix else { return nil }
            let targets = (value.items ?? [value]).map { $0.stringValue ?? "nothing" }
            return ChangedLink(
                property: String(name.dropLast(suffix.count)),
                mine: targets.joined(separator: ", ")
            )
        }
    }
}
