import ODataModel
import ODataText
import ODataValues

/// Adds the types to complex values that are kept as JSON, for full control information (OData JSON 4.01 § 4.6.3).
final class TypedJSON: Sendable {
    private let model: EdmModel
    private let reference: TypeReference

    /// Names of the member that states the type of an object.
    private static let typeNames = ["@odata.type", "@type"]

    /// Creates a writer of values of a complex type, or of collections of them.
    init(_ reference: TypeReference, in model: EdmModel) {
        self.reference = reference
        self.model = model
    }

    /// Returns a value with the types in it.
    func typed(_ json: [UInt8]) -> [UInt8] {
        guard case .structured(let type) = reference.type, let tree = JSONTree(json) else {
            return json
        }
        var writer = JSONWriter()
        write(tree.root, of: type, in: tree, to: &writer)
        return writer.bytes
    }

    private func write(
        _ node: JSONNode,
        of type: StructuredTypeID,
        in tree: JSONTree,
        to writer: inout JSONWriter
    ) {
        if let items = node.items {
            writer.beginArray()
            for item in items { write(item, of: type, in: tree, to: &writer) }
            return writer.endArray()
        }
        guard let members = node.members else { return writer.raw(tree.text(node).span) }
        let stated = Self.typeNames.lazy.compactMap { tree.string($0, of: node) }.first
        let name = stated?.split(separator: "#").last.map(String.init)
        let own = name.flatMap(model.structuredType) ?? type
        writer.beginObject()
        writer.name("@odata.type")
        writer.string(stated ?? "#" + model[own].name)
        for member in members where !Self.typeNames.contains(member.name) {
            write(member, of: own, isAnnotated: isAnnotated(member, in: members), tree, to: &writer)
        }
        writer.endObject()
    }

    private func isAnnotated(_ member: JSONNode.Member, in members: [JSONNode.Member]) -> Bool {
        members.contains { other in Self.typeNames.contains { other.name == member.name + $0 } }
    }

    private func write(
        _ member: JSONNode.Member,
        of type: StructuredTypeID,
        isAnnotated: Bool,
        _ tree: JSONTree,
        to writer: inout JSONWriter
    ) {
        let property = model.property(member.name, of: type)
        if !isAnnotated, let name = property.flatMap({ model.typeAnnotation(of: $0.type) }) {
            writer.name(member.name + "@odata.type")
            writer.string(name)
        }
        writer.name(member.name)
        if case .structured(let inner)? = property?.type.type {
            write(member.value, of: inner, in: tree, to: &writer)
        } else {
            writer.raw(tree.text(member.value).span)
        }
    }
}
