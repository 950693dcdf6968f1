package import StoreRecords
import ODataBinding
import ODataSQL
import ODataText
import ODataValues
import ODataModel
import ODataURL
package import ODataTables

/// Pages that the client cuts itself: so many entities behind the last key of the page before.
///
/// It is for services that bring any result in one piece. The order is that of the key, so a page begins where the one before has
/// ended whatever comes and goes in between, which `$skip` cannot promise:
///
///     Orders?$orderby=ID&$top=2                          1, 4
///     Orders?$orderby=ID&$top=2&$filter=ID gt 4          7
///     Orders?$orderby=ID&$top=2&$filter=ID gt 7          nothing more
///
/// The end is a page without entities: some services bring fewer than they are asked for and say nothing of the rest.
package struct KeySetPaging: Sendable {
    private let schema: TableSchema
    private let type: StructuredTypeID
    private let path: String
    /// The options of the query that stay.
    private let options: [String]
    private let filter: String?
    private let order: String
    private let pageSize: Int
    private let absolute: @Sendable (String) -> String
    /// The slots of the key.
    let slots: [Int]

    /// Options that are said anew.
    private static let replaced: Set<String> = ["filter", "orderby"]

    /// Prepares the paging of a query; nil where it cannot be: for single entities, results that are cut or ordered by the query
    /// itself (`$top`, `$skip`), and keys of which not every service knows an order.
    ///
    /// - Parameter absolute: Makes the URL of a request from one relative to the service root.
    package init?(
        _ query: DefiningQuery,
        in schema: TableSchema,
        pageSize: Int,
        absolute: @escaping @Sendable (String) -> String
    ) {
        guard let asked = AddressedEntities(query.url, in: schema.model),
            Self.isCollection(asked.path, in: schema.model),
            asked.options.top == nil, asked.options.skip == nil,
            let table = asked.path.finalSource.flatMap({ schema.layout[$0] }),
            !table.keyColumns.isEmpty,
            table.keyColumns.allSatisfy({ Self.hasOrder(table.columns[$0]) })
        else { return nil }
        self.schema = schema
        self.pageSize = pageSize
        self.absolute = absolute
        type = table.entityType
        slots = table.keyColumns
        order = slots.map { table.columns[$0].path.joined(separator: "/") }.joined(separator: ",")
        let parts = URLParts(query.url)
        path = parts.path
        options = parts.options.filter { !Self.replaced.contains(URLParts.name(of: $0)) }
        let condition = parts.options.first { URLParts.name(of: $0) == "filter" }
        filter = condition.map { String($0.drop { $0 != "=" }.dropFirst()) }
    }

    private static func isCollection(_ path: EntityPath, in model: EdmModel) -> Bool {
        if case .singleton = path.source, path.steps.isEmpty { return false }
        switch path.steps.last {
        case .key, .alternateKey, .localID: return false
        case .navigation(let id, _): return model[id].isCollection
        case .cast, .complex, nil: return true
        }
    }

    private static func hasOrder(_ column: Column) -> Bool {
        switch column.form {
        case .enumeration, .binary, .json, .boolean, nil: false
        default: true
        }
    }

    /// The URL of the first page.
    package var firstPage: String { url(filter: filter) }

    /// The URL of the page behind a key; nil where a value has no literal.
    func page(after key: [Scalar]) -> String? {
        let urls = EntityURL(model: schema.model, version: schema.model.version)
        guard let parts = urls.keyLiterals(of: type, key) else { return nil }
        // Behind (a, b) is what has a greater a, and what has the same a and a greater b.
        let choices = parts.indices.map { index in
            let same = parts[..<index].map { "\($0.path) eq \($0.literal)" }
            return (same + ["\(parts[index].path) gt \(parts[index].literal)"])
                .joined(separator: " and ")
        }
        let condition =
            choices.count == 1 ? choices[0] : choices.map { "(\($0))" }.joined(separator: " or ")
        guard let filter else { return url(filter: condition) }
        return url(filter: "(\(filter)) and (\(condition))")
    }

    private func url(filter: String?) -> String {
        var parts = options
        parts.append("$orderby=" + order)
        parts.append("$top=\(pageSize)")
        if let filter { parts.append("$filter=" + filter) }
        return absolute(path + "?" + parts.joined(separator: "&"))
    }
}
