/// Finds what the attributes of a start tag stand for.
///
/// Nearly all elements of one name have the same attributes in the same order. So each element's row keeps those that it
/// had last, by the addresses at which libxml2 keeps their names, and only an element that differs is looked at name by
/// name.
@safe
struct SAXAttributes: ~Copyable {
    /// More attributes than any element of CSDL has, SAP's included.
    static let maximumCount = 250

    private var names = SAXNames(spellings: AttributeName.spellings)
    /// For each element what it had last.
    private let rows: UnsafeMutablePointer<Row>
    /// For each row the addresses of its attributes' names.
    private let addresses: UnsafeMutablePointer<UInt>
    /// For each row what its attributes stand for, by position.
    private let keys: UnsafeMutablePointer<XMLAttributes.Key>
    /// For each row, and each `AttributeName` in it, the attribute's position plus one, or 0.
    private let slots: UnsafeMutablePointer<UInt8>

    private static let slotCount = AttributeName.allCases.count

    init() {
        let count = ElementName.allCases.count
        unsafe rows = .allocate(capacity: count)
        unsafe rows.initialize(repeating: Row(), count: count)
        unsafe addresses = .allocate(capacity: count * Self.maximumCount)
        unsafe keys = .allocate(capacity: count * Self.maximumCount)
        unsafe slots = .allocate(capacity: count * Self.slotCount)
        unsafe slots.initialize(repeating: 0, count: count * Self.slotCount)
    }

    deinit {
        unsafe rows.deallocate()
        unsafe addresses.deallocate()
        unsafe keys.deallocate()
        unsafe slots.deallocate()
    }

    /// The attributes that an element had last.
    private struct Row {
        var count = 0
        /// Whether none of them has a prefix, which may stand for another namespace the next time.
        var isPlain = false
        /// Whether some of them are not in `AttributeName`.
        var hasOthers = false
    }

    /// Lends the attributes of a start tag, at most `maximumCount` of them.
    @unsafe mutating func lend(
        _ list: UnsafeBufferPointer<LibXML2Attribute>,
        of element: ElementName,
        namespaces: inout SAXNamespaces
    ) -> XMLAttributes {
        let row = Int(element.rawValue)
        if unsafe !isSame(list, row: row) {
            unsafe note(list, row: row, namespaces: &namespaces)
        }
        return unsafe XMLAttributes(
            list,
            keys: keys + row * Self.maximumCount,
            hasOthers: rows[row].hasOthers,
            slots: slots + row * Self.slotCount
        )
    }

    @unsafe private func isSame(
        _ list: UnsafeBufferPointer<LibXML2Attribute>,
        row: Int
    ) -> Bool {
        guard unsafe rows[row].isPlain, unsafe list.count == rows[row].count else { return false }
        let known = unsafe addresses + row * Self.maximumCount
        for position in 0..<list.count {
            let attribute = unsafe list[position]
            guard unsafe attribute.prefix == nil,
                unsafe UInt(bitPattern: attribute.localName) == known[position]
            else { return false }
        }
        return true
    }

    @unsafe private mutating func note(
        _ list: UnsafeBufferPointer<LibXML2Attribute>,
        row: Int,
        namespaces: inout SAXNamespaces
    ) {
        let keys = unsafe self.keys + row * Self.maximumCount
        let slots = unsafe self.slots + row * Self.slotCount
        for position in 0..<(unsafe rows[row].count) {
            if let name = unsafe keys[position].name { unsafe slots[Int(name.rawValue)] = 0 }
        }
        unsafe rows[row] = Row(count: list.count, isPlain: true, hasOthers: false)
        let addresses = unsafe self.addresses + row * Self.maximumCount
        for position in 0..<list.count {
            let attribute = unsafe list[position]
            let key = unsafe key(of: attribute, namespaces: &namespaces)
            unsafe addresses[position] = unsafe UInt(bitPattern: attribute.localName)
            unsafe keys[position] = key
            if unsafe attribute.prefix != nil { unsafe rows[row].isPlain = false }
            if let name = key.name {
                unsafe slots[Int(name.rawValue)] = UInt8(position + 1)
            } else {
                unsafe rows[row].hasOthers = true
            }
        }
    }

    @unsafe private mutating func key(
        of attribute: LibXML2Attribute,
        namespaces: inout SAXNamespaces
    ) -> XMLAttributes.Key {
        guard unsafe attribute.prefix == nil, let name = unsafe attribute.localName else {
            let namespace = unsafe namespaces.classify(attribute.uri, prefix: attribute.prefix)
            return XMLAttributes.Key(name: nil, namespace: namespace)
        }
        let known = AttributeName(rawValue: unsafe names.value(name))
        return XMLAttributes.Key(name: known, namespace: .none)
    }
}
