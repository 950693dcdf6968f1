#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes values of an application's own types, whose coding keys are the properties' names; the reverse of `ODataValueDecoder`.
struct ODataValueEncoder {
    /// Returns the members of a value that encodes itself as an object.
    ///
    /// - Throws: ``OfflineODataError`` where it is something else, or what the value's encoding throws.
    static func members<Value: Encodable>(of value: Value) throws -> [(
        name: String, value: ODataValue
    )] {
        guard case .object(let members) = try Self.value(of: value, at: []) else {
            throw OfflineODataError(.invalidInput, "only values with properties can be entities")
        }
        return members
    }

    /// Returns a value of any type.
    static func value<Value: Encodable>(of value: Value, at path: [any CodingKey]) throws
        -> ODataValue
    {
        switch value {
        case let value as ODataValue: return value
        case let value as Date: return ODataValue(value)
        case let value as UUID: return ODataValue(value)
        case let value as Decimal: return ODataValue(value)
        case let value as Data: return ODataValue(value)
        case let value as Duration: return ODataValue(value)
        case let value as URL: return .string(value.absoluteString)
        default: break
        }
        let node = EncodedNode()
        try value.encode(to: NodeEncoder(node: node, codingPath: path))
        return node.value
    }
}

/// What a value has encoded so far.
private final class EncodedNode {
    enum Content {
        case nothing
        case plain(ODataValue)
        case items([EncodedNode])
        case members([(name: String, node: EncodedNode)])
    }

    var content: Content = .nothing

    var value: ODataValue {
        switch content {
        case .nothing: .null
        case .plain(let value): value
        case .items(let nodes): .collection(nodes.map(\.value))
        case .members(let members): .object(members.map { (name: $0.name, value: $0.node.value) })
        }
    }

    func becomeObject() { if case .members = content {} else { content = .members([]) } }
    func becomeCollection() { if case .items = content {} else { content = .items([]) } }

    func add(_ name: String) -> EncodedNode {
        let node = EncodedNode()
        if case .members(var members) = content {
            members.removeAll { $0.name == name }
            members.append((name, node))
            content = .members(members)
        }
        return node
    }

    func addItem() -> EncodedNode {
        let node = EncodedNode()
        if case .items(let items) = content { content = .items(items + [node]) }
        return node
    }

    var itemCount: Int { if case .items(let items) = content { items.count } else { 0 } }
}

private struct NodeEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(KeyedNodes<Key>(node: node, codingPath: codingPath))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeCollection()
        return ItemNodes(node: node, codingPath: codingPath)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer {
        PlainNode(node: node, codingPath: codingPath)
    }
}

private struct KeyedNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.add(key.stringValue).content = .plain(.null) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let path = codingPath + [key]
        node.add(key.stringValue).content = .plain(try ODataValueEncoder.value(of: value, at: path))
    }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    {
        NodeEncoder(node: node.add(key.stringValue), codingPath: codingPath + [key]).container(
            keyedBy: type
        )
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.add(key.stringValue), codingPath: codingPath + [key])
            .unkeyedContainer()
    }
    func superEncoder() -> any Encoder { NodeEncoder(node: node, codingPath: codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder {
        NodeEncoder(node: node.add(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct ItemNodes: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var count: Int { node.itemCount }

    func encodeNil() { node.addItem().content = .plain(.null) }
    func encode<T: Encodable>(_ value: T) throws {
        node.addItem().content = .plain(try ODataValueEncoder.value(of: value, at: codingPath))
    }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
        Nested
    > { NodeEncoder(node: node.addItem(), codingPath: codingPath).container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.addItem(), codingPath: codingPath).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { NodeEncoder(node: node.addItem(), codingPath: codingPath) }
}

private struct PlainNode: SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    private func set(_ value: ODataValue) { node.content = .plain(value) }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) { set(.double(value)) }
    func encode(_ value: Float) { set(.double(Double(value.description) ?? Double(value))) }
    func encode(_ value: Int) { set(.integer(Int64(value))) }
    func encode(_ value: Int8) { set(.integer(Int64(value))) }
    func encode(_ value: Int16) { set(.integer(Int64(value))) }
    func encode(_ value: Int32) { set(.integer(Int64(value))) }
    func encode(_ value: Int64) { set(.integer(value)) }
    func encode(_ value: UInt) { set(ODataValue(numberText: String(value))) }
    func encode(_ value: UInt8) { set(.integer(Int64(value))) }
    func encode(_ value: UInt16) { set(.integer(Int64(value))) }
    func encode(_ value: UInt32) { set(.integer(Int64(value))) }
    func encode(_ value: UInt64) { set(ODataValue(numberText: String(value))) }
    func encode<T: Encodable>(_ value: T) throws {
        set(try ODataValueEncoder.value(of: value, at: codingPath))
    }
}
