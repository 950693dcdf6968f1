import ODataModel
import ODataProtocol

/// Writes the body of a request from values, as OData 4.0 JSON.
package struct EntityBodyWriter {
    private let schema: TableSchema
    private var output: [UInt8] = []
    private var needsComma = false
    /// Gives the text of a reference in the body; nil leaves the reference out.
    private let reference: (EntityBody.Binding) throws -> String?

    private init(
        _ schema: TableSchema, reference: @escaping (EntityBody.Binding) throws -> String?
    ) {
        self.schema = schema
        self.reference = reference
    }

    /// Returns the JSON text of a body.
    package static func json(
        _ body: EntityBody, in schema: TableSchema,
        reference: @escaping (EntityBody.Binding) throws -> String? = { $0.reference }
    ) throws -> [UInt8] {
        var writer = EntityBodyWriter(schema, reference: reference)
        try writer.object(body)
        return writer.output
    }

    private mutating func object(_ body: EntityBody) throws {
        open("{")
        let source = schema.plans.source(of: body.plan)
        if body.plan.type != schema.model.entityType(of: source) {
            name("@odata.type")
            string("#" + schema.model[body.plan.type].name)
        }
        try members(body.plan.members, body)
        for member in body.undeclared {
            name(member.name)
            raw(member.json)
        }
        close("}")
    }

    private mutating func members(_ members: [EntityPlan.Member], _ body: EntityBody) throws {
        for member in members {
            switch member.kind {
            case .scalar(let form, let slot): scalar(member.name, form, slot, body)
            case .json(let slot): json(member.name, slot, body)
            case .complex(let inner, let presence): try complex(member.name, inner, presence, body)
            case .navigation(let id, let isCollection):
                try navigation(member.name, id, isCollection, body)
            case .stream: break
            }
        }
    }

    private mutating func scalar(_ name: String, _ form: ScalarForm, _ slot: Int, _ body: EntityBody) {
        guard let item = body.values.last(where: { $0.slot == slot }),
            !form.isUnknown(item.value.storageClass)
        else { return }
        self.name(name)
        if item.value == .null { return raw("null") }
        if case .text(let text) = item.value, form == .string { return string(text) }
        if form.isQuoted(item.value) { output.append(UInt8(ascii: "\"")) }
        form.write(item.value, exact: item.exact, in: schema.model, into: &output)
        if form.isQuoted(item.value) { output.append(UInt8(ascii: "\"")) }
        needsComma = true
    }

    private mutating func json(_ name: String, _ slot: Int, _ body: EntityBody) {
        switch body.value(of: slot) {
        case .null:
            self.name(name)
            raw("null")
        case .text(let json):
            self.name(name)
            raw(json)
        default: break
        }
    }

    private mutating func complex(
        _ name: String, _ members: [EntityPlan.Member], _ presence: Int?, _ body: EntityBody
    ) throws {
        if let presence, body.value(of: presence) == .null {
            self.name(name)
            return raw("null")
        }
        guard members.contains(where: { $0.isMentioned(in: body) }) else { return }
        self.name(name)
        open("{")
        try self.members(members, body)
        close("}")
    }

    private mutating func navigation(
        _ name: String, _ id: NavigationPropertyID, _ isCollection: Bool, _ body: EntityBody
    ) throws {
        let references = try body.bindings.filter { $0.navigation == id }.compactMap(reference)
        if !references.isEmpty {
            self.name(name + "@odata.bind")
            if isCollection { open("[") }
            for text in references { separatedString(text) }
            if isCollection { close("]") }
        }
        for inline in body.inline where inline.navigation == id {
            self.name(name)
            if isCollection { open("[") }
            for entity in inline.entities { try object(entity) }
            if isCollection { close("]") }
            if !isCollection, inline.entities.isEmpty { raw("null") }
        }
    }

    // MARK: Text

    private mutating func separate() {
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func open(_ bracket: String) {
        separate()
        output += bracket.utf8
    }

    private mutating func close(_ bracket: String) {
        output += bracket.utf8
        needsComma = true
    }

    private mutating func name(_ name: String) {
        separatedString(name)
        output.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func separatedString(_ text: String) {
        separate()
        string(text)
    }

    private mutating func string(_ text: String) {
        var writer = JSONWriter(bytes: output)
        output = []
        writer.quoted(Array(text.utf8).span)
        output = writer.bytes
        needsComma = true
    }

    private mutating func raw(_ json: String) {
        output += json.utf8
        needsComma = true
    }
}

extension EntityPlan.Member {
    /// Whether a body has a value for the member.
    fileprivate func isMentioned(in body: EntityBody) -> Bool {
        switch kind {
        case .scalar(_, let slot), .json(let slot): body.value(of: slot) != nil
        case .complex(let members, let presence):
            presence.flatMap { body.value(of: $0) } != nil
                || members.contains { $0.isMentioned(in: body) }
        case .navigation, .stream: false
        }
    }
}

extension Scalar {
    /// The class in which SQLite stores the value.
    var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}

extension ScalarForm {
    /// Whether a value of this form is a JSON string.
    func isQuoted(_ value: Scalar) -> Bool {
        switch (self, value) {
        case (.boolean, _), (.json, _), (.integer, _), (.scaledDecimal, _), (.decimalText, _): false
        case (.single, .real(let number)), (.double, .real(let number)): !number.isFinite
        default: true
        }
    }
}
