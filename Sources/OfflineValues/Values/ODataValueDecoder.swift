import ODataValues
import ODataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CodingUserInfoKey {
    /// The model that a value is of, an `EdmModel`.
    package static let edmModel = CodingUserInfoKey(rawValue: "EdmModel")
}

/// Reads the application's own types from OData values.
struct ODataValueDecoder: Decoder {
    let value: ODataValue
    let codingPath: [any CodingKey]
    /// Returns the model that the value is of, where it is known: one reference, since each member is given it.
    let model: (() -> EdmModel)?

    init(_ value: ODataValue, at path: [any CodingKey], in model: (() -> EdmModel)? = nil) {
        self.value = value
        codingPath = path
        self.model = model
    }

    var userInfo: [CodingUserInfoKey: Any] {
        guard let model, let key = CodingUserInfoKey.edmModel else { return [:] }
        return [key: model()]
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch(ODataValue.self) }
        return KeyedDecodingContainer(
            KeyedValues<Key>(members: members, codingPath: codingPath, model: model)
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .collection(let items) = value else { throw mismatch([ODataValue].self) }
        return ItemValues(items: items, codingPath: codingPath, model: model)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleValue(decoder: self)
    }

    // MARK: Values

    /// Types whose own decoding knows nothing of OData's texts are read here.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        let special: Any?
        switch type {
        case is Date.Type: special = date
        case is Decimal.Type: special = decimal
        case is Data.Type: special = data
        case is Duration.Type: special = self.value.durationValue
        case is ODataValue.Type: special = self.value
        case is URL.Type: special = self.value.stringValue.flatMap { URL(string: $0) }
        default: return try Value(from: self)
        }
        guard let special = special as? Value else { throw mismatch(type) }
        return special
    }

    func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        // More than 64 bits with a sign hold stands digit by digit.
        if case .number(let text) = value, let number = Number(text) { return number }
        guard let whole = value.integerValue else { throw mismatch(type) }
        guard let number = Number(exactly: whole) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "the number does not fit \(type)")
            )
        }
        return number
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "the value is no \(type)"
        )
        return value.isNull
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private var decimal: Decimal? {
        switch value {
        case .integer(let value): Decimal(value)
        case .double(let value): Decimal(string: "\(value)")
        case .number(let text), .string(let text): Decimal(string: text)
        default: nil
        }
    }

    /// An instant, or the beginning of a day in UTC.
    private var date: Date? { value.dateValue }

    private var data: Data? {
        guard let text = value.stringValue,
            case .blob(let bytes)? = ScalarForm.binary.value(of: Array(text.utf8))
        else { return nil }
        return Data(bytes)
    }
}

extension ScalarForm {
    /// The scalar that a payload's text says.
    fileprivate func value(of text: [UInt8]) -> Scalar? {
        parse(text.span, in: .init(version: .v4))?.scalar
    }
}

/// The members of an object.
private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [(name: String, value: ODataValue)]
    let codingPath: [any CodingKey]
    let model: (() -> EdmModel)?

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    private func member(_ key: Key) -> ODataValue? {
        members.last { $0.name == key.stringValue }?.value
    }

    private func decoder(_ key: Key) throws -> ODataValueDecoder {
        guard let value = member(key) else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)")
            )
        }
        return ODataValueDecoder(value, at: codingPath + [key], in: model)
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { member(key)?.isNull ?? true }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).value(of: type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder {
        ODataValueDecoder(.object(members), at: codingPath, in: model)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// The items of a collection.
private struct ItemValues: UnkeyedDecodingContainer {
    let items: [ODataValue]
    let codingPath: [any CodingKey]
    let model: (() -> EdmModel)?
    var currentIndex = 0

    init(items: [ODataValue], codingPath: [any CodingKey], model: (() -> EdmModel)?) {
        self.items = items
        self.codingPath = codingPath
        self.model = model
    }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex >= items.count }

    private mutating func next() throws -> ODataValueDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: codingPath, debugDescription: "the collection has no more items")
            )
        }
        defer { currentIndex += 1 }
        return ODataValueDecoder(items[currentIndex], at: codingPath, in: model)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, items[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().value(of: type) }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
        -> KeyedDecodingContainer<Nested>
    { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

/// One value.
private struct SingleValue: SingleValueDecodingContainer {
    let decoder: ODataValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool {
        guard let value = decoder.value.booleanValue else { throw decoder.mismatch(type) }
        return value
    }
    func decode(_ type: String.Type) throws -> String {
        switch decoder.value {
        case .string(let text), .number(let text): return text
        default: throw decoder.mismatch(type)
        }
    }
    func decode(_ type: Double.Type) throws -> Double {
        guard let value = decoder.value.doubleValue else { throw decoder.mismatch(type) }
        return value
    }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.number(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(of: type) }
}
