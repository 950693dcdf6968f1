import ODataModel
import ODataProtocol
import ODataTables

/// Gives the properties that a service computes (`Core.Computed`) their values in a created entity.
///
/// Instants say when an entity was changed last and are set by `EntityRules`; numbers are counted, everything else has the plainest
/// value of its type.
struct ComputedValues {
    let rows: RowEditor
    /// Ticks of 100 ns.
    let now: Int64

    /// Sets values that a body does not have.
    ///
    /// - Parameter isImport: Whether the body tells what was computed before: then only what must have a value gets one.
    func complete(_ body: inout EntityBody, in table: TableLayout, isImport: Bool) throws {
        let model = rows.layout.model
        for property in model.properties(of: body.plan.type)
        where property.annotations.isTagged(CoreTerm.computed) && !property.type.isCollection {
            guard !isImport || !property.isNullable,
                let slot = table.column(at: [property.name], of: body.plan.type, in: model),
                table.columns[slot].keyIndex == nil, body.value(of: slot) ?? .null == .null,
                let value = try value(of: property, slot, in: table)
            else { continue }
            body.set(value, slot: slot)
        }
    }

    private func value(
        of property: StructuralProperty,
        _ slot: Int,
        in table: TableLayout
    ) throws -> Scalar? {
        let (column, model) = (table.columns[slot], rows.layout.model)
        guard let form = column.form, case .scalar = column.kind else { return nil }
        if let text = property.defaultValue,
            let value = form.parse(Array(text.utf8).span, in: model)
        {
            return value.scalar
        }
        if case .integer = form { return try KeyMaker(rows: rows).nextNumber(column, table) }
        if form == .guid { return .blob(KeyMaker.randomGuid()) }
        return text(of: form).flatMap { form.parse(Array($0.utf8).span, in: model)?.scalar }
    }

    private func text(of form: ScalarForm) -> String? {
        switch form {
        case .boolean: "false"
        case .single, .double, .scaledDecimal, .decimalText: "0"
        case .string, .binary: ""
        case .duration: "PT0S"
        case .dateTimeOffset: instant
        case .date: String(instant.prefix(10))
        case .timeOfDay: String(instant.dropFirst(11).prefix(8))
        case .enumeration(let id): rows.layout.model[id].members.first?.name
        case .integer, .guid, .json: nil
        }
    }

    /// The present second.
    private var instant: String {
        let second: Int64 = 10_000_000
        var bytes: [UInt8] = []
        let ticks = now - now % second
        ScalarForm.dateTimeOffset.write(.integer(ticks), in: rows.layout.model, into: &bytes)
        return String(decoding: bytes, as: UTF8.self).replacing("\"", with: "")
    }
}
