#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// The attributes of one start tag, valid only during the callback of libxml2.
///
/// Noncopyable and lent, so that no reader can keep it.
@safe
struct XMLAttributes: ~Copyable {
    /// Whether some of them are not in `AttributeName`.
    let hasOthers: Bool
    private let list: UnsafeBufferPointer<LibXML2Attribute>
    private let keys: UnsafePointer<Key>
    /// For each `AttributeName` the attribute's position plus one, or 0.
    private let slots: UnsafePointer<UInt8>

    @unsafe init(
        _ list: UnsafeBufferPointer<LibXML2Attribute>,
        keys: UnsafePointer<Key>,
        hasOthers: Bool,
        slots: UnsafePointer<UInt8>
    ) {
        unsafe self.list = unsafe list
        unsafe self.keys = unsafe keys
        self.hasOthers = hasOthers
        unsafe self.slots = unsafe slots
    }

    /// What the name of an attribute stands for.
    struct Key {
        /// Nil where the reader knows no attribute of this name.
        let name: AttributeName?
        let namespace: XMLNamespace
    }

    /// How many attributes there are.
    var count: Int { unsafe list.count }

    /// Whether the element has the attribute.
    func has(_ name: AttributeName) -> Bool {
        unsafe slots[Int(name.rawValue)] != 0
    }

    /// Returns the value as text.
    func string(_ name: AttributeName) -> String? {
        position(of: name).map { string(at: $0) }
    }

    /// Returns the number that the value has among the names of the document; nil where it is empty.
    func symbol(_ name: AttributeName, in symbols: inout SymbolTable) -> Int? {
        guard let position = position(of: name) else { return nil }
        let bytes = unsafe bytes(at: position)
        return bytes.isEmpty ? nil : unsafe symbols.index(of: bytes)
    }

    /// Returns the number of a value that is likely to have come first right after another name; nil where it is empty.
    func symbol(_ name: AttributeName, near other: Int, in symbols: inout SymbolTable) -> Int? {
        guard let position = position(of: name) else { return nil }
        let bytes = unsafe bytes(at: position)
        return bytes.isEmpty ? nil : unsafe symbols.index(of: bytes, near: other)
    }

    /// Keeps the value where only a diagnostic will ask for it; nil where it is empty.
    func noted(_ name: AttributeName, in symbols: inout SymbolTable) -> SymbolTable.NotedText? {
        guard let position = position(of: name) else { return nil }
        let bytes = unsafe bytes(at: position)
        return bytes.isEmpty ? nil : unsafe symbols.note(bytes)
    }

    /// Returns the number that the value has as a name in a namespace; nil where it is empty.
    func symbol(
        _ name: AttributeName,
        of namespace: Int,
        near other: Int? = nil,
        in symbols: inout SymbolTable
    ) -> Int? {
        guard let position = position(of: name) else { return nil }
        let bytes = unsafe bytes(at: position)
        return bytes.isEmpty ? nil : unsafe symbols.index(of: bytes, in: namespace, near: other)
    }

    /// Splits a value at its first slash and returns the numbers of both parts; nil where a parenthesis, an `@` or
    /// another slash makes it more than `NS.Type/Member`.
    func target(_ name: AttributeName, in symbols: inout SymbolTable)
        -> (head: Int, member: Int?)?
    {
        guard let position = position(of: name) else { return nil }
        let bytes = unsafe bytes(at: position)
        var slash: Int?
        for index in 0..<bytes.count {
            switch unsafe bytes[index] {
            case UInt8(ascii: "/"):
                if slash != nil { return nil }
                slash = index
            case UInt8(ascii: "("), UInt8(ascii: "@"): return nil
            default: break
            }
        }
        guard let slash else { return unsafe (symbols.index(of: bytes), nil) }
        let head = unsafe UnsafeBufferPointer(rebasing: bytes[..<slash])
        let member = unsafe UnsafeBufferPointer(rebasing: bytes[(slash + 1)...])
        return unsafe (symbols.index(of: head), symbols.index(of: member))
    }

    /// Returns whether the element has the attribute with exactly this value.
    func value(_ name: AttributeName, is text: StaticString) -> Bool {
        guard let position = position(of: name) else { return false }
        let bytes = unsafe bytes(at: position)
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return unsafe xmlStrncmp(bytes.baseAddress, text.utf8Start, Int32(bytes.count)) == 0
    }

    /// Returns the value as a non-negative number; nil where it is none.
    func number(_ name: AttributeName) -> Int? {
        guard let position = position(of: name) else { return nil }
        let bytes = unsafe bytes(at: position)
        guard !bytes.isEmpty, bytes.count < 10 else { return nil }
        var number = 0
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    /// Returns the known name of the attribute at a position; nil for others.
    func name(at position: Int) -> AttributeName? {
        unsafe keys[position].name
    }

    /// Returns the local name of the attribute at a position that is not known.
    func localName(at position: Int) -> String {
        unsafe list[position].localName.map { unsafe String(cString: $0) } ?? ""
    }

    /// Returns the prefix of the attribute at a position; empty without one.
    func prefix(at position: Int) -> String {
        unsafe list[position].prefix.map { unsafe String(cString: $0) } ?? ""
    }

    /// Returns the namespace of the attribute at a position.
    func namespace(at position: Int) -> XMLNamespace {
        unsafe keys[position].namespace
    }

    /// Returns the value at a position as text; libxml2 has made sure that it is UTF-8.
    func string(at position: Int) -> String {
        unsafe String(decoding: bytes(at: position), as: UTF8.self)
    }

    private func position(of name: AttributeName) -> Int? {
        let slot = unsafe slots[Int(name.rawValue)]
        return slot == 0 ? nil : Int(slot) - 1
    }

    @unsafe private func bytes(at position: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe list[position].value
    }
}
