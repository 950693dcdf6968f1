import ODataText

/// The request whose changes are tracked: what its delta links repeat, and what their tokens belong to.
package struct TrackedRequest {
    private let context: ServiceContext

    /// Options that say which part of a result or which form is wanted, and so no part of what is tracked.
    private static let untracked: Set<String> = [
        "skiptoken", "deltatoken", "count", "orderby", "top", "skip",
    ]

    package init(_ context: ServiceContext) {
        self.context = context
    }

    /// The request without what does not decide on its changes; tokens are sealed for it.
    package var text: String { url.url(without: Self.untracked.union(["format"])) }

    /// The URL of the changes themselves: `/$count` on a delta link asks for their number (OData 4.01 Part 1 § 11.3.2).
    private var url: URLParts {
        let suffix = "/$count"
        var url = context.url
        if url.path.hasSuffix(suffix) { url.path.removeLast(suffix.count) }
        return url
    }

    /// The link with a token, to the changes or to a further page of them.
    package func link(_ token: DeltaToken) -> String {
        context.service.root
            + url.url(
                without: Self.untracked,
                adding: "$deltatoken=" + token.text(for: text)
            )
    }
}
