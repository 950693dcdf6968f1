import ODataModel
package import ODataPayload

/// Writes the body of a request from values, as OData 4.0 JSON.
package struct EntityBodyWriter {
    private let schema: TableSchema
    private var writer = JSONWriter(capacity: 512)
    /// Gives the text of a reference in the body; nil leaves the reference out.
    private let reference: (EntityBody.Binding) throws -> String?

    private init(
        _ schema: TableSchema,
        reference: @escaping (EntityBody.Binding) throws -> String?
    ) {
        self.schema = schema
        self.reference = reference
    }

    /// Returns the JSON text of a body.
    package static func json(
        _ body: EntityBody,
        in schema: TableSchema,
        reference: @escaping (EntityBody.Binding) throws -> String? = { $0.reference }
    ) throws -> [UInt8] {
        var writer = EntityBodyWriter(schema, reference: reference)
        try writer.object(body)
        return writer.writer.bytes
    }

    private mutating func object(_ body: EntityBody) throws {
        writer.beginObject()
        let source = schema.plans.source(of: body.plan)
        if body.plan.type != schema.layout.model.entityType(of: source) {
            writer.name("@odata.type")
            writer.string("#" + schema.model[body.plan.type].name)
        }
        try members(body.plan.members, body: body)
        for member in body.undeclared {
            writer.name(member.name)
            writer.raw(Array(member.json.utf8).span)
        }
        writer.endObject()
    }

    private mutating func members(_ members: [EntityPlan.Member], body: EntityBody) throws {
        for member in members {
            switch member.kind {
            case .scalar(let form, let slot):
                scalar(member.written, as: form, slot: slot, body: body)
            case .json(let slot): json(member.name, slot: slot, body: body)
            case .complex(let inner, let presence):
                try complex(member.name, members: inner, presence: presence, body: body)
            case .navigation(let id, let isCollection):
                guard body.hasRelated else { continue }
                try navigation(member.name, id: id, isCollection: isCollection, body: body)
            case .stream: break
            }
        }
    }

    private mutating func scalar(
        _ name: JSONName,
        as form: ScalarForm,
        slot: Int,
        body: EntityBody
    ) {
        guard let place = body.place(of: slot),
            !form.isUnknown(body.values[place].value.storageClass)
        else { return }
        writer.name(name)
        writer.value(
            body.values[place].value,
            exact: body.values[place].exact,
            as: JSONForm(plain: form) ?? JSONForm(form, in: schema.layout.model)
        )
    }

    private mutating func json(_ name: String, slot: Int, body: EntityBody) {
        switch body.value(of: slot) {
        case .null:
            writer.name(name)
            writer.null()
        case .text(let json):
            writer.name(name)
            writer.raw(Array(json.utf8).span)
        default: break
        }
    }

    private mutating func complex(
        _ name: String,
        members: [EntityPlan.Member],
        presence: Int?,
        body: EntityBody
    ) throws {
        if let presence, body.value(of: presence) == .null {
            writer.name(name)
            return writer.null()
        }
        // An object may be there without values.
        let isObject = presence.flatMap { body.value(of: $0) } == .integer(1)
        guard isObject || members.contains(where: { $0.isMentioned(in: body) }) else { return }
        writer.name(name)
        writer.beginObject()
        try self.members(members, body: body)
        writer.endObject()
    }

    private mutating func navigation(
        _ name: String,
        id: NavigationPropertyID,
        isCollection: Bool,
        body: EntityBody
    ) throws {
        let references = try body.bindings.filter { $0.navigation == id }.compactMap(reference)
        if !references.isEmpty {
            writer.name(name + "@odata.bind")
            if isCollection { writer.beginArray() }
            for text in references { writer.string(text) }
            if isCollection { writer.endArray() }
        }
        // References stand among the bindings.
        for inline in body.inline
        where inline.navigation == id && (references.isEmpty || !inline.entities.isEmpty) {
            writer.name(name)
            if isCollection { writer.beginArray() }
            for entity in inline.entities { try object(entity) }
            if isCollection { writer.endArray() }
            if !isCollection, inline.entities.isEmpty { writer.null() }
        }
    }
}

extension EntityPlan.Member {
    /// Whether a body has a value for the member.
    package func isMentioned(in body: EntityBody) -> Bool {
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
    package var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}
