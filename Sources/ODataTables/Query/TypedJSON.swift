import ODataModel
import ODataPayload
import ODataText
import ODataValues

/// Writes values that are kept as JSON as a client wants them: the members that it selects, with their types for full control
/// information (OData JSON 4.01 § 4.6.3), and with Int64 and Decimal as strings (§ 3.2); verbose JSON has an object around the items
/// of a collection (OData 3.0, JSON Verbose § 6.1.4).
final class TypedJSON: Sendable {
    private let model: EdmModel
    private let reference: TypeReference
    private let showsTypes: Bool
    private let numbers: WideNumbers?
    /// Whether numbers stand in quotation marks; else decimals are written without exponents.
    private let isQuoted: Bool
    private let selection: MemberSelection?
    private let isWrapped: Bool

    /// Creates a writer of values of a type, or of collections of them; nil where they are written as they are kept.
    init?(
        _ reference: TypeReference,
        selection: MemberSelection?,
        in model: EdmModel,
        format: AnswerFormat
    ) {
        let isComplex = if case .structured = reference.type { true } else { false }
        showsTypes = format.version.isV4 && format.metadata == .full && isComplex
        isQuoted = format.isIEEE754Compatible
        numbers =
            isQuoted || !format.hasExponentialDecimals && !format.isData
            ? WideNumbers(reference, in: model) : nil
        self.reference = reference
        self.model = model
        self.selection = selection
        isWrapped = format.isVerbose && reference.isCollection
        guard showsTypes || numbers != nil || selection != nil || isWrapped else { return nil }
    }

    /// Returns a value as the client wants it.
    func written(_ json: [UInt8]) -> [UInt8] {
        let json = showsTypes ? typed(selected(json)) : selected(json)
        let value = (isQuoted ? numbers?.strings(json) : numbers?.withoutExponents(json)) ?? json
        guard isWrapped, value.first == UInt8(ascii: "[") else { return value }
        return Array("{\"results\":".utf8) + value + Array("}".utf8)
    }

    private func selected(_ json: [UInt8]) -> [UInt8] {
        guard let selection, let tree = JSONTree(json) else { return json }
        return selection.written(tree.root, in: tree)
    }

    /// Returns a value with the types in it.
    private func typed(_ json: [UInt8]) -> [UInt8] {
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
        writer.rewrite(node, in: tree) { object, members, writer in
            let own = model.statedType(of: object) ?? type
            writer.name("@odata.type")
            writer.string(object.statedType ?? "#" + model[own].name)
            for member in members where !JSONNode.typeNames.contains(member.name) {
                let isAnnotated = isAnnotated(member, in: members)
                write(member, of: own, isAnnotated: isAnnotated, tree, to: &writer)
            }
        }
    }

    private func isAnnotated(_ member: JSONNode.Member, in members: [JSONNode.Member]) -> Bool {
        members.contains { other in JSONNode.typeNames.contains { other.name == member.name + $0 } }
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
