import ODataText
import ODataBinding
import ODataURL

/// Finds identifiers in text whose percent-encoding is still there (OData 4.01 ABNF, `odataIdentifier`).
enum IdentifierText {
    /// Most characters of an identifier (OData CSDL 4.01 § 15.2).
    static let maximumLength = 128

    /// Returns the index after the identifier that begins at an index; nil where none does.
    static func end(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        var count = 0
        while count < maximumLength, let next = character(in: bytes, at: index, first: count == 0) {
            index = next
            count += 1
        }
        return count > 0 ? index : nil
    }

    /// Names that, without a namespace, mean the standard's own functions and operators, not a service's.
    private static let reserved = Set(
        FilterFunction.allCases.filter { !$0.signature.isOld }
            .map { $0.rawValue.lowercased() } + ["any", "all", "cast", "isof", "case", "isdefined"]
    )

    /// Returns whether a name is that of a function of the standard.
    static func isReserved(_ name: ArraySlice<UInt8>) -> Bool {
        reserved.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Returns the index after the character of an identifier that stands at an index.
    private static func character(in bytes: [UInt8], at index: Int, first: Bool) -> Int? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        if byte < 0x80, byte != UInt8(ascii: "%") {
            let isAllowed = Byte.isName(byte) && !(first && ASCII.isDigit(byte))
            return isAllowed ? index + 1 : nil
        }
        var decoder = UTF8()
        var octets = Octets(bytes: bytes, index: index)
        guard case .scalarValue(let scalar) = decoder.decode(&octets), !scalar.isASCII,
            IdentifierCharacter.isAllowed(scalar, first: first)
        else { return nil }
        // The decoder may have looked at one more byte than it used; so the width says where the character ends.
        return octets.index(after: UTF8.width(scalar), from: index)
    }

    /// The bytes of a text one by one, percent-encoding undone.
    private struct Octets: IteratorProtocol {
        let bytes: [UInt8]
        var index: Int

        mutating func next() -> UInt8? {
            guard let (byte, end) = octet(at: index) else { return nil }
            index = end
            return byte
        }

        func index(after count: Int, from start: Int) -> Int? {
            var place = start
            for _ in 0..<count {
                guard let (_, end) = octet(at: place) else { return nil }
                place = end
            }
            return place
        }

        private func octet(at place: Int) -> (UInt8, Int)? {
            guard place < bytes.count else { return nil }
            guard bytes[place] == UInt8(ascii: "%") else { return (bytes[place], place + 1) }
            guard place + 2 < bytes.count, let high = ASCII.hexDigit(bytes[place + 1]),
                let low = ASCII.hexDigit(bytes[place + 2])
            else { return nil }
            return (high << 4 | low, place + 3)
        }
    }
}
