import ODataBinding
import ODataModel
import ODataPayload
import ODataSQL
import ODataTables
import ODataValues

/// Completes the complex values of an update that are kept as JSON with what the entity has already.
struct PartialChange {
    let write: WriteAnswer

    /// Returns a body whose complex values have the members that a request does not name.
    ///
    /// - Parameter names: The path of the property whose value is replaced; nil where everything is merged.
    func completed(_ body: EntityBody, at path: EntityPath, replacing names: [String]? = nil) throws
        -> EntityBody
    {
        guard let source = path.finalSource, let table = write.schema.layout[source],
            body.values.contains(where: { complexType(of: $0, in: table, body) != nil })
        else { return body }
        let reading = try write.reading()
        guard let row = try reading.query.rows(path).first else { return body }
        var body = body
        for item in body.values {
            guard let type = complexType(of: item, in: table, body),
                case .text(let change) = item.value,
                case .text(let present)? = try reading.rows.value(
                    table.columns[item.slot].sql,
                    of: row.row,
                    in: table
                )
            else { continue }
            let depth = names.map { $0.count - table.columns[item.slot].path.count }
            let merge = ComplexMerge(
                model: write.model,
                keepsNulls: write.context.options.keepsRemovedMembers
            )
            guard let merged = merge.merged(change, into: present, type: type, replacingAt: depth)
            else { continue }
            body.set(.text(merged), slot: item.slot)
        }
        return body
    }

    /// The type of a single complex value that has one column for all of it.
    private func complexType(
        of item: EntityBody.SlotValue,
        in table: TableLayout,
        _ body: EntityBody
    ) -> StructuredTypeID? {
        let column = table.columns[item.slot]
        guard case .json = column.kind,
            let reference = write.model.property(column.path, of: body.plan.type)?.type,
            !reference.isCollection, case .structured(let type) = reference.type
        else { return nil }
        return type
    }
}
