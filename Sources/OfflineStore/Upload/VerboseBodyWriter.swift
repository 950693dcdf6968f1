import ODataModel
import ODataPayload
import ODataTables

/// Writes the body of a request in the verbose JSON of versions 1 to 3.
///
/// References are `__metadata` with the URI; inline entities stand as they are.
struct VerboseBodyWriter {
    private let schema: TableSchema
    private let link: (String) -> String
    private var writer = JSONWriter(capacity: 512)

    private var model: EdmModel { schema.model }

    /// Returns the JSON text of an entity.
    ///
    /// - Parameters:
    ///   - uri: Where an entity is that the service has already.
    ///   - link: Gives the URI of an entity that a navigation property is bound to.
    static func json(
        _ body: EntityBody,
        in schema: TableSchema,
        uri: String?,
        link: @escaping (String) -> String
    ) -> [UInt8] {
        var writer = VerboseBodyWriter(schema: schema, link: link)
        writer.object(body, uri: uri)
        return writer.writer.bytes
    }

    private mutating func object(_ body: EntityBody, uri: String?) {
        writer.beginObject()
        metadata(of: body, uri: uri)
        members(body.plan.members, of: body.plan.type, body: body)
        for member in body.undeclared {
            writer.name(member.name)
            writer.raw(Array(member.json.utf8).span)
        }
        writer.endObject()
    }

    /// Writes what the entity is; of one that the service has already only what a body without it would leave open.
    ///
    /// Services that take an update's `__metadata` for the whole truth refuse that of a media entity without `media_src`
    /// and `content_type`, so it is left out unless a derived type must be named.
    private mutating func metadata(of body: EntityBody, uri: String?) {
        if uri != nil, model[body.plan.type].baseType == nil { return }
        writer.name("__metadata")
        writer.beginObject()
        if let uri {
            writer.name("uri")
            writer.string(uri)
        }
        writer.name("type")
        writer.string(model[body.plan.type].name)
        writer.endObject()
    }

    private mutating func members(
        _ members: [EntityPlan.Member],
        of type: StructuredTypeID,
        body: EntityBody
    ) {
        for member in members {
            switch member.kind {
            case .scalar(let form, let slot):
                scalar(member.name, as: form, slot: slot, of: type, body: body)
            case .json(let slot): json(member.name, slot: slot, body: body)
            case .complex(let inner, let presence):
                complex(member.name, inner: inner, presence: presence, of: type, body: body)
            case .navigation(let id, let isCollection):
                navigation(member.name, id: id, isCollection: isCollection, body: body)
            case .stream: break
            }
        }
    }

    private mutating func scalar(
        _ name: String,
        as form: ScalarForm,
        slot: Int,
        of type: StructuredTypeID,
        body: EntityBody
    ) {
        // What stands for a value not known here is never sent.
        guard let item = body.values.last(where: { $0.slot == slot }),
            !form.isUnknown(item.value.storageClass)
        else { return }
        let isLocalTime = model.property(name, of: type)?.type.type == .primitive(.dateTime)
        writer.name(name)
        writer.value(
            item.value,
            exact: item.exact,
            as: JSONForm(form, in: model, style: isLocalTime ? .v2DateTime : .v2)
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
        inner: [EntityPlan.Member],
        presence: Int?,
        of type: StructuredTypeID,
        body: EntityBody
    ) {
        if let presence, body.value(of: presence) == .null {
            writer.name(name)
            return writer.null()
        }
        let isObject = presence.flatMap { body.value(of: $0) } == .integer(1)
        guard isObject || inner.contains(where: { $0.isMentioned(in: body) }),
            case .structured(let id)? = model.property(name, of: type)?.type.type
        else { return }
        writer.name(name)
        writer.beginObject()
        members(inner, of: id, body: body)
        writer.endObject()
    }

    private mutating func navigation(
        _ name: String,
        id: NavigationPropertyID,
        isCollection: Bool,
        body: EntityBody
    ) {
        let references = body.bindings.filter { $0.navigation == id }
        let inline = body.inline.filter { $0.navigation == id }
        guard !references.isEmpty || !inline.isEmpty else { return }
        writer.name(name)
        if isCollection { writer.beginArray() }
        for reference in references { self.reference(link(reference.reference)) }
        for entity in inline.flatMap(\.entities) { object(entity, uri: nil) }
        if isCollection { writer.endArray() }
        if !isCollection, references.isEmpty, inline.allSatisfy({ $0.entities.isEmpty }) {
            writer.null()
        }
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
