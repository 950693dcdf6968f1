extension QueueEntry {
    /// Whether the request carries values of an entity, not a link or a stream.
    package var isChangeOfValues: Bool {
        ["POST", "PATCH", "PUT", "MERGE"].contains(method) && !isLinkChange
            && streamProperty == nil && !flags.contains(.operation)
    }

    /// Whether the request creates an entity: from values, from its stream, or by an upsert.
    package var isCreation: Bool {
        method == "POST" && !isLinkChange && !flags.contains(.operation) || flags.contains(.upsert)
    }

    /// Whether the request creates a media entity, from its stream.
    package var isMediaCreation: Bool { isCreation && streamProperty?.isEmpty == true }

    /// Whether the request deletes an entity, and no link or stream of it.
    package var isDeletion: Bool { method == "DELETE" && streamProperty == nil && !isLinkChange }

    /// Whether the request calls what is bound to no entity with a key: an import, or an operation on a collection.
    package var isUnboundCall: Bool {
        guard flags.contains(.operation) else { return false }
        let path = url.prefix { $0 != "?" }
        return path.lastIndex(of: "/").map { !path[..<$0].hasSuffix(")") } ?? true
    }

    package var isLinkChange: Bool {
        // Few URLs have the character, and to look for a text takes longer.
        url.utf8.contains(UInt8(ascii: "$")) && url.contains("/$ref")
    }
}
