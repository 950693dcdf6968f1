import CommandSupport
import ODataModel
import ODataProtocol

/// A model as the page draws it: types with what they declare themselves, and the sets.
struct ModelJSON {
    let model: EdmModel
    /// Names of the sets that every store has beside those of its service.
    var builtInSets: Set<String> = []

    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.objects("types", items: model.structuredTypes) { write($1, to: &$0) }
        writer.objects("enumerations", items: model.enumTypes) { writer, type in
            writer.member("name", value: type.name)
            writer.member("members", values: type.members.map(\.name))
        }
        writer.objects("sets", items: sources) { writer, source in
            writer.member("name", value: source.name)
            writer.member("kind", value: source.kind)
            writer.member("type", value: model[source.type].name)
            writer.member("builtIn", value: builtInSets.contains(source.name))
        }
        writer.endObject()
        return writer.bytes
    }

    private var sources: [(name: String, kind: String, type: StructuredTypeID)] {
        model.container.entitySets.map { ($0.name, "set", $0.type) }
            + model.container.singletons.map { ($0.name, "singleton", $0.type) }
    }

    private func write(_ type: StructuredType, to writer: inout JSONWriter) {
        writer.member("name", value: type.name)
        writer.member("kind", value: type.kind == .entity ? "entity" : "complex")
        writer.optional("base", value: type.baseType.map { model[$0].name })
        writer.member("abstract", value: type.isAbstract)
        writer.member("media", value: type.hasStream)
        writer.member("key", values: type.key.map(\.path))
        writer.objects("properties", items: type.properties) { writer, property in
            writer.member("name", value: property.name)
            writer.member("type", value: name(of: property.type))
            writer.member("nullable", value: property.isNullable)
        }
        writer.objects("relations", items: type.navigationProperties) { writer, property in
            writer.member("name", value: property.name)
            writer.member(
                "type",
                value: property.target.map { model[$0].name } ?? property.targetName
            )
            writer.member("collection", value: property.isCollection)
            writer.member("contained", value: property.containsTarget)
        }
    }

    private func name(of type: TypeReference) -> String {
        let name = name(of: type.type)
        return type.isCollection ? "Collection(\(name))" : name
    }

    private func name(of type: NamedType) -> String {
        switch type {
        case .primitive(let primitive): primitive.rawValue
        case .enumeration(let id): model[id].name
        case .definition(let id): model[id].name
        case .structured(let id): model[id].name
        case .untyped(let name), .unresolved(let name): name
        }
    }
}
