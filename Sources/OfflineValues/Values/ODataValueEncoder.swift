#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes values of an application's own types, whose coding keys are the properties' names; the reverse of `ODataValueDecoder`.
package struct ODataValueEncoder {
    /// Returns the members of a value that encodes itself as an object.
    ///
    /// - Parameter target: The entity that they are for; nil where it is not known.
    /// - Throws: ``OfflineODataError`` where it is something else, or what the value's encoding throws.
    package static func members<Value: Encodable>(
        of value: Value,
        for target: EncodingTarget? = nil
    ) throws -> [(name: String, value: ODataValue)] {
        let node = EncodedNode(path: [], target: target)
        try node.take(value)
        guard case .object(let members) = node.value else {
            throw OfflineODataError(.invalidInput, "only values with properties can be entities")
        }
        return members
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
    let path: [any CodingKey]
    let target: EncodingTarget?

    init(path: [any CodingKey], target: EncodingTarget?) {
        self.path = path
        self.target = target
    }

    var value: ODataValue {
        switch content {
        case .nothing: .null
        case .plain(let value): value
        case .items(let nodes): .collection(nodes.map(\.value))
        case .members(let members): .object(members.map { (name: $0.name, value: $0.node.value) })
        }
    }

    // MARK: Values

    /// Takes a value of any type.
    func take<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let value as ODataValue: content = .plain(value)
        case let value as Date:
            keep(value, encoded: target?.encoded(value, at: path) ?? ODataValue(value))
        case let value as UUID: content = .plain(ODataValue(value))
        case let value as Decimal: keep(value, encoded: ODataValue(value))
        case let value as Data: keep(value, encoded: ODataValue(value))
        case let value as Duration: keep(value, encoded: ODataValue(value))
        case let value as URL: content = .plain(.string(value.absoluteString))
        default: try value.encode(to: NodeEncoder(node: self))
        }
    }

    /// Takes a value, or what the entity has for it where that is read as the same: no digit of it is lost then.
    func keep<Value: Decodable & Equatable>(_ value: Value, encoded: ODataValue) {
        content = .plain(target?.kept(value, at: path) ?? encoded)
    }

    // MARK: Members and items

    func becomeObject() { if case .members = content {} else { content = .members([]) } }
    func becomeCollection() { if case .items = content {} else { content = .items([]) } }

    func add(_ key: any CodingKey) -> EncodedNode {
        let node = EncodedNode(path: path + [key], target: target)
        if case .members(var members) = content {
            members.removeAll { $0.name == key.stringValue }
            members.append((key.stringValue, node))
            content = .members(members)
        }
        return node
    }

    /// Adds an item, which has the path of its collection: all of them have one type.
    func addItem() -> EncodedNode {
        let node = EncodedNode(path: path, target: target)
        if case .items(let items) = content { content = .items(items + [node]) }
        return node
    }

    var itemCount: Int { if case .items(let items) = content { items.count } else { 0 } }
}

private struct NodeEncoder: Encoder {
    let node: EncodedNode
    var codingPath: [any CodingKey] { node.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(KeyedNodes<Key>(node: node))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeCollection()
        return ItemNodes(node: node)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer { PlainNode(node: node) }
}

private struct KeyedNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    var codingPath: [any CodingKey] { node.path }

    func encodeNil(forKey key: Key) { node.add(key).content = .plain(.null) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try node.add(key).take(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    { NodeEncoder(node: node.add(key)).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.add(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { NodeEncoder(node: node) }
    func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.add(key)) }
}

private struct ItemNodes: UnkeyedEncodingContainer {
    let node: EncodedNode
    var codingPath: [any CodingKey] { node.path }
    var count: Int { node.itemCount }

    func encodeNil() { node.addItem().content = .plain(.null) }
    func encode<T: Encodable>(_ value: T) throws { try node.addItem().take(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
        Nested
    > { NodeEncoder(node: node.addItem()).container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.addItem()).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { NodeEncoder(node: node.addItem()) }
}

private struct PlainNode: SingleValueEncodingContainer {
    let node: EncodedNode
    var codingPath: [any CodingKey] { node.path }

    private func set(_ value: ODataValue) { node.content = .plain(value) }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) { node.keep(value, encoded: .double(value)) }
    func encode(_ value: Float) { node.keep(value, encoded: ODataValue(value)) }
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
    func encode<T: Encodable>(_ value: T) throws { try node.take(value) }
}
