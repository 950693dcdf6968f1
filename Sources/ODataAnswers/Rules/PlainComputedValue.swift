package import ODataSQL
package import ODataValues
package import ODataModel

/// The plainest values of properties that a service computes (`Core.Computed`), as far as they are the same in all entities.
package struct PlainComputedValue {
    private let layout: Layout
    /// Ticks of 100 ns.
    private let now: Int64

    package init(layout: Layout, now: Int64) {
        self.layout = layout
        self.now = now
    }

    /// Values of the properties that cannot be null, by their places.
    package func required(of type: StructuredTypeID, in table: TableLayout) -> [Int: Scalar] {
        var values: [Int: Scalar] = [:]
        for property in layout.model.properties(of: type)
        where property.annotations.isTagged(CoreTerm.computed) && !property.isNullable
            && !property.type.isCollection
        {
            guard let slot = table.column(at: [property.name], of: type, in: layout.model),
                table.columns[slot].keyIndex == nil
            else { continue }
            values[slot] = value(of: property, table.columns[slot])
        }
        return values
    }

    /// The declared default or the plainest value; nil where each entity has one of its own.
    package func value(of property: StructuralProperty, _ column: Column) -> Scalar? {
        guard let form = column.form, case .scalar = column.kind else { return nil }
        let declared = property.defaultValue.flatMap { scalar($0, as: form) }
        return declared ?? text(of: form).flatMap { scalar($0, as: form) }
    }

    private func scalar(_ text: String, as form: ScalarForm) -> Scalar? {
        form.parse(Array(text.utf8).span, in: layout.model)?.scalar
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
        case .enumeration(let id): layout.model[id].members.first?.name
        case .integer, .guid, .json: nil
        }
    }

    /// The present second.
    private var instant: String {
        let second: Int64 = 10_000_000
        var bytes: [UInt8] = []
        let ticks = now - now % second
        ScalarForm.dateTimeOffset.write(.integer(ticks), in: layout.model, into: &bytes)
        return String(decoding: bytes, as: UTF8.self).replacing("\"", with: "")
    }
}
