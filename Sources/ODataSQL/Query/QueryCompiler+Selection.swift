import ODataBinding
import ODataValues

/// The properties of rows that a statement selects.
struct SelectedProperties {
    /// Places of the columns in the table.
    var places: [Int]
    /// What is selected for each.
    var sql: [String]
    /// Places of the collections with `$count=true`.
    var counted: [Int] = []
    /// Their counts.
    var counts: [String] = []
}

extension QueryCompiler {
    /// Columns to read: the key and all selected properties, with nested options applied to collections.
    func selectedProperties(_ options: BoundOptions, in scope: QueryScope) throws
        -> SelectedProperties
    {
        let places = selectedPlaces(options.select, in: scope)
        var selected = SelectedProperties(places: places, sql: places.map(scope.reference))
        guard !options.items.isEmpty else { return selected }
        for (index, place) in places.enumerated() {
            let path = scope.table.columns[place].path
            for item in options.items where item.memberPath.starts(with: path) {
                let way = Array(item.memberPath.dropFirst(path.count))
                let column = ItemColumn(scope: scope, place: place, way: way)
                let chosen = try chosenItems(of: column, from: selected.sql[index], item.options)
                selected.sql[index] = chosen
                guard way.isEmpty, item.options.count else { continue }
                selected.counted.append(place)
                selected.counts.append(try itemCount(of: column, item.options))
            }
        }
        return selected
    }

    private func selectedPlaces(_ select: BoundSelect, in scope: QueryScope) -> [Int] {
        guard case .paths(let paths) = select else { return Array(scope.table.columns.indices) }
        return scope.table.columns.indices.filter { place in
            let column = scope.table.columns[place]
            return column.keyIndex != nil
                || paths.contains { $0.starts(with: column.path) || column.path.starts(with: $0) }
        }
    }
}
