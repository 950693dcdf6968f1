import ODataBinding
import ODataModel
import ODataPayload
import ODataSQL
import ODataTables
import ODataText
import ODataValues

/// Chooses items of a collection of primitive or complex values (OData 4.01 Part 1 § 11.2.6).
struct ItemAnswer {
    let read: ReadAnswer
    let source: QueryCompiler.ItemSource
    let options: BoundOptions

    init(
        _ read: ReadAnswer,
        of row: RowReference,
        at path: EntityPath,
        _ names: [String],
        _ options: BoundOptions
    ) {
        self.read = read
        self.options = options
        // A cast behind the collection is among the conditions.
        let isCast = names.last?.contains(".") ?? false
        source = QueryCompiler.ItemSource(
            row: row,
            type: path.entityType(in: read.model),
            property: isCast ? names.dropLast() : names
        )
    }

    /// The number of items that meet the condition; nil where it was not asked for.
    func total() throws -> Int64? {
        options.count ? try read.query.itemCount(of: source, options) : nil
    }

    /// Returns the array of the chosen items, as much of them as is selected.
    func chosen(from json: [UInt8]) throws -> [UInt8] {
        try refuseUnoffered()
        guard options.items.isEmpty else {
            throw ServiceError(
                501,
                "a collection inside of the items of a collection is answered whole"
            )
        }
        guard let tree = JSONTree(json), let items = tree.root.items else { return json }
        let isChoice = options.choosesItems
        let places = isChoice ? try read.query.items(of: source, options) : Array(items.indices)
        var writer = JSONWriter()
        writer.beginArray()
        for place in places where items.indices.contains(place) {
            writer.raw(selected(items[place], tree).span)
        }
        writer.endArray()
        return writer.bytes
    }

    /// Returns the object of a single complex value, as much of it as is selected.
    func chosen(fromSingle json: [UInt8]) throws -> [UInt8] {
        try refuseUnoffered()
        let json = try options.items.reduce(json) { try chosen($1, from: $0) }
        guard let tree = JSONTree(json) else { return json }
        return selected(tree.root, tree)
    }

    /// Returns a complex value with the chosen items of a collection in it.
    private func chosen(_ items: BoundItems, from json: [UInt8]) throws -> [UInt8] {
        guard let tree = JSONTree(json) else { return json }
        var inner = source
        inner.property += items.path
        let choice = ItemChoice(
            path: items.memberPath.joined(separator: "/"),
            places: try read.query.items(of: inner, items.options),
            count: items.options.count ? try read.query.itemCount(of: inner, items.options) : nil
        )
        return choice.written(tree)
    }

    private func refuseUnoffered() throws {
        guard options.apply.isEmpty, options.compute.isEmpty, options.expand.isEmpty else {
            throw ServiceError(
                501,
                "complex values take $select, collections of values also $filter, $search, $orderby, $top, $skip and $count"
            )
        }
    }

    /// An item with the members that are selected.
    private func selected(_ item: JSONNode, _ tree: JSONTree) -> [UInt8] {
        guard case .paths(let paths) = options.select, let selection = MemberSelection(paths) else {
            return tree.text(item)
        }
        return selection.written(item, in: tree)
    }
}
