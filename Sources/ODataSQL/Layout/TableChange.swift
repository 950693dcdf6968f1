import ODataModel

/// What an upgrade of the model changes in a table that exists.
package struct TableChange: Sendable {
    package let old: TableLayout
    package let new: TableLayout
    /// Places of columns that the table lacks.
    package let added: [Int]
    /// Added columns whose values another column holds in another form, turned by SQL.
    package let converted: [Pair]
    /// Places of old columns whose values have to be read and written anew.
    package let reread: Set<Int>
    /// Of each added column, the places of the old columns that hold what it is to hold; none where the property is new.
    package let formers: [Int: [Int]]
    /// Whether dynamic properties may be declared now.
    package let takesDynamic: Bool
    /// Columns that entities of more types have now, with the codes of the types that had them.
    package let widened: [(column: Column, codes: [Int])]

    /// A column and the one that takes its place.
    package struct Pair: Sendable {
        package var old: Column
        package var new: Column
    }

    /// Compares a table's layouts of two models.
    package init(old: TableLayout, in oldLayout: Layout, new: TableLayout, in newLayout: Layout) {
        self.old = old
        self.new = new
        let present = Set(old.columns.map(\.name))
        let current = Set(new.columns.map(\.name))
        added = new.columns.indices.filter { !present.contains(new.columns[$0].name) }
        let retired = old.columns.indices.filter { !current.contains(old.columns[$0].name) }
        var converted: [Pair] = []
        var formers: [Int: [Int]] = [:]
        for place in added {
            let column = new.columns[place]
            let former = retired.filter {
                Self.holds(old.columns[$0], new: column)
                    && Self.areRelated(
                        old.columns[$0].declaringType,
                        oldLayout: oldLayout,
                        new: column.declaringType,
                        newLayout: newLayout
                    )
            }
            formers[place] = former
            if former.count == 1, old.columns[former[0]].conversion(to: column) != nil {
                converted.append(Pair(old: old.columns[former[0]], new: column))
            }
        }
        self.converted = converted
        self.formers = formers
        reread = Set(formers.values.joined())
        takesDynamic =
            formers.values.contains(where: \.isEmpty)
            && old.declaringTypes.contains { oldLayout.model[$0].isOpen }
        let former = Dictionary(old.columns.map { ($0.name, $0.declaringType) }) { first, _ in first
        }
        widened = new.columns.compactMap { column in
            guard let type = former[column.name],
                oldLayout.model[type].name != newLayout.model[column.declaringType].name
            else { return nil }
            let codes = old.types.indices.filter {
                oldLayout.hierarchy.type(old.types[$0], isOrExtends: type)
            }
            return (column, codes)
        }
    }

    /// Names of the properties that are new, for which entities of open types may have dynamic values.
    package var declaredNames: Set<String> {
        Set(added.filter { formers[$0]?.isEmpty ?? true }.map { new.columns[$0].path[0] })
    }

    /// The names among these that a type declares, or inherits.
    package func declaredNames(ofType name: String, in layout: Layout) -> Set<String> {
        guard let type = layout.model.structuredType(named: name) else { return declaredNames }
        let own = added.filter {
            (formers[$0]?.isEmpty ?? true)
                && layout.hierarchy.type(type, isOrExtends: new.columns[$0].declaringType)
        }
        return Set(own.map { new.columns[$0].path[0] })
    }

    /// Whether nothing is to be done to the table.
    package var isEmpty: Bool { added.isEmpty && widened.isEmpty }

    /// Whether the key's columns are others.
    package var changesKey: Bool {
        old.keyColumns.map { old.columns[$0].name } != new.keyColumns.map { new.columns[$0].name }
    }

    /// Whether a column holds what another is to hold: the same property, its leaves, or the complex value around it.
    private static func holds(_ old: Column, new: Column) -> Bool {
        old.path == new.path || new.kind == .json && old.path.starts(with: new.path)
            || old.kind == .json && new.path.starts(with: old.path)
    }

    /// Whether entities can have the properties of both types; types are the same where their names are.
    private static func areRelated(
        _ old: StructuredTypeID,
        oldLayout: Layout,
        new: StructuredTypeID,
        newLayout: Layout
    ) -> Bool {
        guard let same = newLayout.model.structuredType(named: oldLayout.model[old].name) else {
            return false
        }
        return newLayout.hierarchy.type(same, isOrExtends: new)
            || newLayout.hierarchy.type(new, isOrExtends: same)
    }
}
