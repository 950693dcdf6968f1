#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// Finds the known name behind a C string of libxml2 by its address.
///
/// libxml2 keeps each distinct local name and namespace once, in a dictionary that lives as long as the parser. So one
/// address always means one name, and the text is compared only when an address is seen for the first time.
struct SAXNames {
    /// What stands for a name that the reader does not know.
    static let unknown: UInt8 = .max

    private let spellings: [String]
    private var addresses: [UInt]
    private var values: [UInt8]
    private var used = 0

    init(spellings: [String]) {
        self.spellings = spellings
        addresses = Array(repeating: 0, count: 1_024)
        values = Array(repeating: 0, count: 1_024)
    }

    /// Returns the position of a name in the spellings, or `unknown`.
    @unsafe mutating func value(_ name: UnsafePointer<xmlChar>) -> UInt8 {
        let address = UInt(bitPattern: name)
        var slot = Int(truncatingIfNeeded: address >> 3 ^ address >> 11) & (addresses.count - 1)
        while addresses[slot] != 0 {
            if addresses[slot] == address { return values[slot] }
            slot = (slot + 1) & (addresses.count - 1)
        }
        let found = unsafe search(name)
        // A document with very many names of its own must not fill the table: the rest is compared each time.
        if used < addresses.count / 2 {
            addresses[slot] = address
            values[slot] = found
            used += 1
        }
        return found
    }

    @unsafe private func search(_ name: UnsafePointer<xmlChar>) -> UInt8 {
        let index = spellings.firstIndex(of: unsafe String(cString: name))
        return index.flatMap { UInt8(exactly: $0) } ?? SAXNames.unknown
    }
}
