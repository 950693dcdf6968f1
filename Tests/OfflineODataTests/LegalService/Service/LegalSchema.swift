/// What kinds of entities the legal service has.
struct LegalSchema {
    enum KeyKind { case integer, guid, text }

    /// An entity set, or the contained collection of items.
    struct EntitySet {
        var key: String
        var kind: KeyKind
        /// Properties beside the key.
        var properties: [String]
        /// Stream properties; the empty name is that of the media stream.
        var streams: [String] = []
    }

    static let sets: [String: EntitySet] = [
        "Customers": EntitySet(
            key: "ID",
            kind: .integer,
            properties: ["Name", "Note", "Amount", "Nicks"],
            streams: ["Picture", "Logo"]
        ),
        "Orders": EntitySet(
            key: "ID",
            kind: .guid,
            properties: ["Name", "Note", "Open", "CustomerID"]
        ),
        "Items": EntitySet(key: "Number", kind: .integer, properties: ["Name", "Note"]),
        "Tags": EntitySet(key: "Code", kind: .text, properties: ["Name", "Note"]),
        "Photos": EntitySet(
            key: "ID",
            kind: .integer,
            properties: ["Name", "Note"],
            streams: ["", "Thumb"]
        ),
        "Me": EntitySet(key: "ID", kind: .integer, properties: ["Name", "Note"]),
    ]

    /// The set that a navigation property leads to.
    static func target(_ set: String, _ property: String) -> String? {
        switch (set, property) {
        case ("Customers", "Orders"): "Orders"
        case ("Customers", "Tags"): "Tags"
        case ("Tags", "Customers"): "Customers"
        case ("Orders", "Customer"): "Customers"
        case ("Orders", "Items"): "Items"
        default: nil
        }
    }

    static func isCollection(_ property: String) -> Bool { property != "Customer" }

    /// The key literal of a value; nil where it is no key of this kind.
    static func literal(_ value: LegalValue?, _ kind: KeyKind) -> String? {
        switch (kind, value) {
        case (.integer, .number(let text)?): Int(text).map { String($0) }
        case (.guid, .string(let text)?): text.utf8.count == 36 ? text.lowercased() : nil
        case (.text, .string(let text)?): "'" + text.replacing("'", with: "''") + "'"
        default: nil
        }
    }

    /// The value that a key literal stands for.
    static func value(_ literal: String, _ kind: KeyKind) -> LegalValue {
        switch kind {
        case .integer: .number(literal)
        case .guid: .string(literal)
        case .text: .string(String(literal.dropFirst().dropLast()).replacing("''", with: "'"))
        }
    }
}
