import ODataValues

/// What a service holds, in the plainest terms: it applies what the service said that it committed.
struct OracleModel {
    /// A work order and one of the parts that it needs, by name.
    struct Link: Hashable {
        var order: String
        var part: String

        /// Links have two ends that can each be named first.
        init(_ one: String, _ other: String) {
            (order, part) = one.hasPrefix("WorkOrders") ? (one, other) : (other, one)
        }
    }

    enum Change: Sendable {
        case create(String, [String: String])
        case update(String, [String: String?])
        case delete(String)
        case link(Link)
        case unlink(Link)

        /// The values that it wrote.
        var values: [String] {
            switch self {
            case .create(_, let values): Array(values.values)
            case .update(_, let values): values.values.compactMap { $0 }
            case .delete, .link, .unlink: []
            }
        }
    }

    private(set) var entities: [String: [String: String]] = [:]
    private(set) var links: Set<Link> = []

    /// The properties that are compared, by set.
    static let properties: [String: [String]] = [
        "WorkOrders": ["Title", "Description", "Discount", "Weather"],
        "Tasks": ["Title", "Notes", "WorkOrderID"], "Parts": ["Name", "Description", "InStock"],
    ]

    static func name(_ set: String, _ key: [Scalar]) -> String {
        let parts = key.map { value in
            if case .text(let text) = value { "'\(text)'" } else { value.plainText ?? "?" }
        }
        return "\(set)(\(parts.joined(separator: ",")))"
    }

    static func set(of name: String) -> String { String(name.prefix { $0 != "(" }) }

    init(_ changes: [Change]) {
        for change in changes { apply(change) }
    }

    private mutating func apply(_ change: Change) {
        switch change {
        case .create(let name, let values): entities[name] = values
        case .update(let name, let values):
            for (property, value) in values { entities[name]?[property] = value }
        case .delete(let name): remove(name)
        case .link(let link): links.insert(link)
        case .unlink(let link): links.remove(link)
        }
    }

    /// The tasks of a work order go with it, and links with either end.
    private mutating func remove(_ name: String) {
        let key = name.split(whereSeparator: { "()".contains($0) }).last.map { String($0) }
        if name.hasPrefix("WorkOrders") {
            entities = entities.filter {
                !($0.key.hasPrefix("Tasks") && $0.value["WorkOrderID"] == key)
            }
        }
        entities[name] = nil
        links = links.filter { $0.order != name && $0.part != name }
    }

    /// Everything in lines that can be compared.
    var lines: [String] {
        let entities = entities.map { name, values in
            let texts = (Self.properties[Self.set(of: name)] ?? []).map { values[$0] ?? "-" }
            return ([name] + texts).joined(separator: " ")
        }
        return (entities + links.map { "\($0.order)-\($0.part)" }).sorted()
    }
}
