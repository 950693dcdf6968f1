package import ODataSQL
import ODataValues
package import ODataModel
package import ODataPayload
package import ODataTables

/// An entity's properties as a local change takes them.
extension EntityValue {
    /// The properties as a body, without the detour by JSON; nil where one of them is more than a plain value of a declared
    /// property, or is none of its type: then the JSON text says what it is, or what is wrong with it.
    package func plainBody(_ plan: EntityPlan, in layout: Layout) -> EntityBody? {
        let members = members
        var body = EntityBody(plan: plan)
        body.values.reserveCapacity(members.count + 2)
        var seen: [Bool] = Array(repeating: false, count: plan.members.count)
        var expected = 0
        for member in members {
            guard let index = plan.index(of: member.name, from: expected), !seen[index] else {
                if member.name.isAnnotation, member.name != "@odata.type" { continue }
                return nil
            }
            guard case .scalar(let form, let slot) = plan.members[index].kind,
                let value = form.plainValue(member.value, slot: slot, in: layout)
            else { return nil }
            seen[index] = true
            expected = index + 1
            body.values.append(value)
        }
        return body
    }
}

extension EntityValue {
    /// Returns the entity with days in place of dates that properties of the type Edm.Date were given.
    package func withDays(of type: StructuredTypeID, in model: EdmModel) -> EntityValue {
        guard case .object(let given) = ODataValue.object(members).withDays(of: type, in: model)
        else { return self }
        return EntityValue(entitySet: entitySet, members: given)
    }
}

extension ODataValue {
    fileprivate func withDays(of type: StructuredTypeID, in model: EdmModel) -> ODataValue {
        switch self {
        case .collection(let items):
            .collection(items.map { $0.withDays(of: type, in: model) })
        case .object(let members):
            .object(
                members.map { ($0.name, $0.value.withDays(of: $0.name, of: type, in: model)) }
            )
        default: self
        }
    }

    private func withDays(
        of property: String,
        of type: StructuredTypeID,
        in model: EdmModel
    ) -> ODataValue {
        if let inner = model.structuredType(of: property, in: type) {
            return withDays(of: inner, in: model)
        }
        guard model.property(property, of: type)?.type.primitive(in: model)?.type == .date else {
            return self
        }
        return day
    }

    /// The day of a date that was made a value, or those of a collection of them.
    private var day: ODataValue {
        switch self {
        case .string(let text): DateText.day(ofWritten: text).map { .string($0) } ?? self
        case .collection(let items): .collection(items.map(\.day))
        default: self
        }
    }
}

extension String {
    /// Whether it is the name of control information or an annotation, no property's.
    fileprivate var isAnnotation: Bool { utf8.first == UInt8(ascii: "@") }
}

extension EntityPlan {
    /// The place of a member; those that follow the expected one are looked at first.
    fileprivate func index(of name: String, from expected: Int) -> Int? {
        for offset in members.indices {
            let place = expected + offset
            let index = place < members.count ? place : place - members.count
            if members[index].name.utf8.elementsEqual(name.utf8) { return index }
        }
        return nil
    }
}

extension ScalarForm {
    /// What a payload with the value would give to a slot; nil where that takes the payload's reader to say.
    fileprivate func plainValue(
        _ value: ODataValue,
        slot: Int,
        in layout: Layout
    ) -> EntityBody.SlotValue? {
        switch (value, self) {
        case (.null, _): .init(slot: slot, value: .null)
        case (.string(let text), .string): .init(slot: slot, value: .text(text))
        case (.boolean(let flag), .boolean): .init(slot: slot, value: .integer(flag ? 1 : 0))
        case (.integer(let number), .integer(let type)) where type.holds(number):
            .init(slot: slot, value: .integer(number))
        case (.double(let number), .double) where number.isFinite && number != 0:
            .init(slot: slot, value: .real(number))
        case (.integer(let number), .scaledDecimal), (.integer(let number), .decimalText):
            parsed(number.description, slot: slot, in: layout)
        case (.double(let number), .scaledDecimal), (.double(let number), .decimalText):
            number.isFinite ? parsed(number.description, slot: slot, in: layout) : nil
        case (.string(let text), .date):
            parsed(text, slot: slot, in: layout)
                ?? DateText.day(ofWritten: text).flatMap { parsed($0, slot: slot, in: layout) }
        case (.string(let text), .guid), (.string(let text), .timeOfDay),
            (.string(let text), .duration), (.string(let text), .dateTimeOffset):
            parsed(text, slot: slot, in: layout)
        default: nil
        }
    }

    private func parsed(_ text: String, slot: Int, in layout: Layout) -> EntityBody.SlotValue? {
        guard let value = parse(Array(text.utf8).span, in: layout.model) else { return nil }
        return .init(slot: slot, value: value.scalar, exact: value.needsExact ? text : nil)
    }
}
