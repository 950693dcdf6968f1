import ODataHTTP

/// The order in which requests of a change set can be carried out: what is referred to comes first, else the order stays.
enum ChangeSetOrder {
    /// Returns the places of the parts.
    ///
    /// - Throws: `ServiceError` where references run in a circle.
    static func order(of parts: [BatchPart]) throws -> [Int] {
        let places = Dictionary(
            parts.enumerated().compactMap { place, part in part.contentID.map { ($0, place) } }
        ) { first, _ in first }
        var order: [Int] = []
        order.reserveCapacity(parts.count)
        var states = [State](repeating: .new, count: parts.count)
        for place in parts.indices {
            try visit(place, parts: parts, places: places, states: &states, order: &order)
        }
        return order
    }

    private enum State {
        case new, begun, done
    }

    /// Appends a part after those that it refers to; without recursion, since a chain of references may be as long as the change set.
    private static func visit(
        _ first: Int,
        parts: [BatchPart],
        places: [String: Int],
        states: inout [State],
        order: inout [Int]
    ) throws {
        guard states[first] == .new else { return }
        var path: [(place: Int, rest: [Int])] = []
        func enter(_ place: Int) {
            states[place] = .begun
            let referred = references(parts[place].request).compactMap { places[$0] }
            path.append((place, referred.filter { $0 != place }.sorted(by: >)))
        }
        enter(first)
        while let top = path.last {
            guard let next = top.rest.last else {
                states[top.place] = .done
                order.append(top.place)
                path.removeLast()
                continue
            }
            path[path.count - 1].rest.removeLast()
            switch states[next] {
            case .done: continue
            case .new: enter(next)
            case .begun: throw ServiceError(400, "references in the change set run in a circle")
            }
        }
    }

    /// The ids that a request names: its URL begins with `$id`, or its body has the string `$id` or a path from it, or `If-Match`.
    private static func references(_ request: HTTPRequest) -> Set<String> {
        var found: Set<String> = []
        if let reference = ContentIDReference(request.url) { found.insert(reference.id) }
        if let tag = request.headers["If-Match"], tag.hasPrefix("$") {
            found.insert(String(tag.dropFirst()))
        }
        let body = request.body
        for place in body.indices where body[place] == UInt8(ascii: "\"") {
            var text = body[(place + 1)...]
            if text.first == UInt8(ascii: "/") { text = text.dropFirst() }
            if text.first == UInt8(ascii: "$") { found.insert(name(text.dropFirst())) }
        }
        return found
    }

    /// The text up to the end of a path segment or a string.
    private static func name(_ text: ArraySlice<UInt8>) -> String {
        let end = text.prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "\"")
        }
        return String(decoding: end, as: UTF8.self)
    }
}
