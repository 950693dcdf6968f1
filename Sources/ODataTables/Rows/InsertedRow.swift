package import ODataSQL
import ODataValues
import ODataModel
import ODataPayload

/// A row as it was inserted, for those who want to see it without reading it back.
package struct InsertedRow: Sendable {
    private let body: EntityBody
    private let system: SystemValues
    private let table: TableLayout

    /// Takes a row of a table whose rows are nothing but values in columns; nil for one of any other.
    package init?(
        _ body: EntityBody,
        system: SystemValues,
        in table: TableLayout,
        layout: Layout
    ) {
        guard table.typeColumns(of: body.plan.type, in: layout.model).isFlat else { return nil }
        (self.body, self.system, self.table) = (body, system, table)
    }

    /// The JSON object that an answer would have for the row.
    package func object(in layout: Layout) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        if table.types.first != body.plan.type {
            writer.name("@odata.type")
            writer.string("#" + layout.model[body.plan.type].name)
        }
        if let control = system.control {
            writer.rawMembers(Array(control.utf8.dropFirst().dropLast()))
        }
        system.state.write(to: &writer)
        write(body.plan.members, in: layout, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func write(
        _ members: [EntityPlan.Member],
        in layout: Layout,
        to writer: inout JSONWriter
    ) {
        for member in members {
            switch member.kind {
            case .scalar(let form, let slot):
                let place = body.place(of: slot)
                let value = place.map { body.values[$0].value } ?? .null
                guard !form.isUnknown(value.storageClass) else { continue }
                writer.name(member.written)
                let exact = place.flatMap { body.values[$0].exact }
                writer.value(value, exact: exact, as: JSONForm(form, in: layout.model))
            case .complex(let inner, let presence):
                writer.name(member.written)
                guard let presence, let value = body.value(of: presence), value != .null else {
                    writer.null()
                    continue
                }
                writer.beginObject()
                write(inner, in: layout, to: &writer)
                writer.endObject()
            // A flat table has no JSON; what is related is not in the row.
            case .json, .navigation, .stream: break
            }
        }
    }
}
