import ODataModel
package import ODataPayload
import ODataSQL
package import ODataSQLite
package import ODataValues

/// Writes the body of a request from values, in the JSON of the service's version.
package struct EntityBodyWriter {
    let schema: TableSchema
    let dialect: BodyDialect
    var writer = JSONWriter(capacity: 512)
    var model: EdmModel { schema.model }

    /// Returns the JSON text of a body.
    package static func json(
        _ body: EntityBody,
        in schema: TableSchema,
        as dialect: BodyDialect = .v4 { $0.reference }
    ) throws -> [UInt8] {
        var writer = EntityBodyWriter(schema: schema, dialect: dialect)
        try writer.object(body, isOutermost: true)
        return writer.writer.bytes
    }

    private mutating func object(_ body: EntityBody, isOutermost: Bool) throws {
        writer.beginObject()
        head(of: body, isOutermost: isOutermost)
        try members(body.plan.members, of: body.plan.type, body: body)
        for member in body.undeclared
        where !dialect.isVerbose || DynamicTypeMember.property(of: member.name) == nil {
            writer.name(member.name)
            writer.raw(Array(member.json.utf8).span)
        }
        writer.endObject()
    }

    private mutating func members(
        _ members: [EntityPlan.Member],
        of type: StructuredTypeID,
        body: EntityBody
    ) throws {
        for member in members {
            switch member.kind {
            case .scalar(let form, let slot): scalar(member, form, slot: slot, of: type, body: body)
            case .json(let slot): json(member.name, slot: slot, body: body)
            case .complex(let inner, let presence):
                try complex(member.name, inner, presence: presence, of: type, body: body)
            case .navigation(let id, let isCollection):
                guard body.hasRelated else { continue }
                try related(member.name, id: id, isCollection: isCollection, body: body)
            case .stream: break
            }
        }
    }

    // MARK: Values

    private mutating func scalar(
        _ member: EntityPlan.Member,
        _ form: ScalarForm,
        slot: Int,
        of type: StructuredTypeID,
        body: EntityBody
    ) {
        // What stands for a value not known here is never sent.
        guard let place = body.place(of: slot),
            !form.isUnknown(body.values[place].value.storageClass)
        else { return }
        writer.name(member.written)
        let item = body.values[place]
        writer.value(item.value, exact: item.exact, as: self.form(of: member, form, in: type))
    }

    /// How a property's values are written; `Edm.DateTime` is a form of the versions before 4.
    private func form(
        of member: EntityPlan.Member,
        _ form: ScalarForm,
        in type: StructuredTypeID
    ) -> JSONForm {
        guard dialect.isVerbose else { return JSONForm(plain: form) ?? JSONForm(form, in: model) }
        let isLocalTime = model.property(member.name, of: type)?.type.type == .primitive(.dateTime)
        return JSONForm(form, in: model, style: isLocalTime ? .v2DateTime : .v2)
    }

    private mutating func json(_ name: String, slot: Int, body: EntityBody) {
        switch body.value(of: slot) {
        case .null:
            writer.name(name)
            writer.null()
        case .text(let json):
            writer.name(name)
            // Version 3 has an object around the items of a collection (JSON Verbose § 6.1.4).
            let isWrapped = dialect.isVerbose && json.hasPrefix("[")
            let text = isWrapped ? "{\"results\":\(json)}" : json
            writer.raw(Array(text.utf8).span)
        default: break
        }
    }

    private mutating func complex(
        _ name: String,
        _ members: [EntityPlan.Member],
        presence: Int?,
        of type: StructuredTypeID,
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
        try self.members(members, of: structuredType(of: name, in: type), body: body)
        writer.endObject()
    }

    /// The type of a complex property, which the form of version 4 does not ask for.
    private func structuredType(of name: String, in type: StructuredTypeID) -> StructuredTypeID {
        guard dialect.isVerbose,
            case .structured(let inner)? = model.property(name, of: type)?.type.type
        else { return type }
        return inner
    }

    // MARK: Relations

    private mutating func related(
        _ name: String,
        id: NavigationPropertyID,
        isCollection: Bool,
        body: EntityBody
    ) throws {
        let bindings = body.bindings.filter { $0.navigation == id }
        let inline = body.inline.filter { $0.navigation == id }
        switch dialect {
        case .v4(let reference):
            let references = try bindings.compactMap(reference)
            bind(name, to: references, isCollection: isCollection)
            // References stand among the bindings.
            for inline in inline where references.isEmpty || !inline.entities.isEmpty {
                try items(name, inline.entities, isCollection: isCollection)
            }
        case .verbose(_, let link):
            guard !bindings.isEmpty || !inline.isEmpty else { return }
            let uris = bindings.map { link($0.reference) }
            try items(name, inline.flatMap(\.entities), after: uris, isCollection: isCollection)
        }
    }

    /// `"Name@odata.bind":…` (OData JSON 4.01 § 8.5).
    private mutating func bind(_ name: String, to references: [String], isCollection: Bool) {
        guard !references.isEmpty else { return }
        writer.name(name + "@odata.bind")
        if isCollection { writer.beginArray() }
        for text in references { writer.string(text) }
        if isCollection { writer.endArray() }
    }

    /// Writes entities inline, behind references to others where the form has them in one list.
    private mutating func items(
        _ name: String,
        _ entities: [EntityBody],
        after uris: [String] = [],
        isCollection: Bool
    ) throws {
        writer.name(name)
        if isCollection { writer.beginArray() }
        for uri in uris { reference(uri) }
        for entity in entities { try object(entity, isOutermost: false) }
        if isCollection { writer.endArray() }
        if !isCollection, uris.isEmpty, entities.isEmpty { writer.null() }
    }
}

// MARK: - What an entity is

extension EntityBodyWriter {
    private mutating func head(of body: EntityBody, isOutermost: Bool) {
        switch dialect {
        case .v4: typeName(of: body)
        case .verbose(let uri, _): metadata(of: body, uri: isOutermost ? uri : nil)
        }
    }

    private mutating func typeName(of body: EntityBody) {
        let source = schema.plans.source(of: body.plan)
        guard body.plan.type != model.entityType(of: source) else { return }
        writer.name("@odata.type")
        writer.string("#" + model[body.plan.type].name)
    }

    /// Writes what the entity is; of one that the service has already only what a body without it would leave open.
    ///
    /// Services that take an update's `__metadata` for the whole truth refuse that of a media entity without `media_src`
    /// and `content_type`, so it is left out unless a type must be named: others want it wherever there are derived types.
    private mutating func metadata(of body: EntityBody, uri: String?) {
        let type = body.plan.type
        let table = schema.layout[schema.plans.source(of: body.plan)]
        let isInHierarchy = model[type].baseType != nil || table.map { $0.types.count > 1 } ?? false
        if uri != nil, !isInHierarchy { return }
        writer.name("__metadata")
        writer.beginObject()
        if let uri {
            writer.name("uri")
            writer.string(uri)
        }
        writer.name("type")
        writer.string(model[type].name)
        writer.endObject()
    }

    private mutating func reference(_ uri: String) {
        writer.beginObject()
        writer.name("__metadata")
        writer.beginObject()
        writer.name("uri")
        writer.string(uri)
        writer.endObject()
        writer.endObject()
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
