extension ODataQuery: Hashable {
    /// Whether both ask for the same in the same words.
    public static func == (left: Self, right: Self) -> Bool {
        left.path == right.path && left.url() == right.url()
    }

    /// Hashes the URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url()) }
}

extension ODataQuery: CustomStringConvertible {
    /// The query as a URL of version 4, percent-encoded.
    public var description: String { url() }
}
