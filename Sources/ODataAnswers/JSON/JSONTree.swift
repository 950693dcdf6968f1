/// A small JSON text taken apart, each value with its place: for bodies of one value, where no plan is known.
package struct JSONTree {
    package let bytes: [UInt8]
    package let root: Node

    /// A value: its place in the text and what is in it.
    package struct Node {
        package var range: Range<Int>
        package var kind: Kind

        /// Every string in the value that is not a name, at every depth, with its place.
        package var texts: [(text: String, range: Range<Int>)] {
            switch kind {
            case .string(let text): [(text, range)]
            case .array(let items): items.flatMap(\.texts)
            case .object(let members): members.flatMap(\.value.texts)
            case .word: []
            }
        }
    }

    package enum Kind {
        case object([(name: String, value: Node)])
        case array([Node])
        case string(String)
        /// A number, true, false or null, as written.
        case word
    }

    /// Values nested deeper than this are refused.
    static let maximumDepth = 64

    /// Reads a text; nil where it is no JSON or is nested too deep.
    package init?(_ bytes: [UInt8]) {
        var scanner = Scanner(bytes: bytes)
        guard let root = scanner.value(depth: 0), scanner.isAtEnd() else { return nil }
        self.bytes = bytes
        self.root = root
    }

    /// The text of a value.
    package func text(_ node: Node) -> [UInt8] { Array(bytes[node.range]) }

    /// The member of an object, of the value at the root where no other is given.
    package func member(_ name: String, of node: Node? = nil) -> Node? {
        guard case .object(let members) = (node ?? root).kind else { return nil }
        return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The string that a member is.
    package func string(_ name: String, of node: Node? = nil) -> String? {
        if case .string(let text)? = member(name, of: node)?.kind { text } else { nil }
    }
}

extension JSONTree {
    /// Whether a whole text is a number of JSON (RFC 8259 § 6).
    package static func isNumber(_ text: String) -> Bool { Scanner.isNumber(Array(text.utf8)) }

    /// Reads values (RFC 8259), every byte checked.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        mutating func isAtEnd() -> Bool {
            skipSpace()
            return index == bytes.count
        }

        private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        private mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                index += 1
            }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard next == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func value(depth: Int) -> Node? {
            guard depth < JSONTree.maximumDepth else { return nil }
            skipSpace()
            let start = index
            let kind: Kind?
            switch next {
            case UInt8(ascii: "{"): kind = object(depth)
            case UInt8(ascii: "["): kind = array(depth)
            case UInt8(ascii: "\""): kind = string().map { .string($0) }
            default: kind = word() ? .word : nil
            }
            return kind.map { Node(range: start..<index, kind: $0) }
        }

        private mutating func object(_ depth: Int) -> Kind? {
            index += 1
            var members: [(name: String, value: Node)] = []
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard next == UInt8(ascii: "\""), let name = string(), take(":"),
                    let value = value(depth: depth + 1)
                else { return nil }
                members.append((name, value))
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func array(_ depth: Int) -> Kind? {
            index += 1
            var items: [Node] = []
            if take("]") { return .array(items) }
            repeat {
                guard let item = value(depth: depth + 1) else { return nil }
                items.append(item)
            } while take(",")
            return take("]") ? .array(items) : nil
        }

        private mutating func word() -> Bool {
            let start = index
            while let byte = next, Self.isWordByte(byte) { index += 1 }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            if ["true", "false", "null"].contains(text) { return true }
            return Self.isNumber(Array(text.utf8))
        }

        private static func isWordByte(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
            default: false
            }
        }

        /// Whether the text is a number: `-?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?`.
        fileprivate static func isNumber(_ text: [UInt8]) -> Bool {
            var rest = text[...]
            func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
            if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            let whole = rest.prefix(while: isDigit)
            guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return false }
            rest = rest.dropFirst(whole.count)
            if rest.first == UInt8(ascii: ".") {
                let digits = rest.dropFirst().prefix(while: isDigit)
                guard !digits.isEmpty else { return false }
                rest = rest.dropFirst(digits.count + 1)
            }
            if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
                rest.removeFirst()
                if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                    rest.removeFirst()
                }
                guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return false }
                return true
            }
            return rest.isEmpty
        }

        /// Reads a string and what its escapes stand for; nil where it is not UTF-8 or an escape is broken.
        private mutating func string() -> String? {
            index += 1
            var text: [UInt8] = []
            while let byte = next {
                index += 1
                switch byte {
                case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
                case UInt8(ascii: "\\"): guard escape(into: &text) else { return nil }
                case 0..<0x20: return nil
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func escape(into text: inout [UInt8]) -> Bool {
            guard let byte = next else { return false }
            index += 1
            switch byte {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
            case UInt8(ascii: "u"):
                guard let scalar = unicodeEscape() else { return false }
                text += Array(String(Character(scalar)).utf8)
            default: return false
            }
            return true
        }

        /// Reads the digits after `\u`, of a surrogate pair both halves.
        private mutating func unicodeEscape() -> Unicode.Scalar? {
            guard let first = fourDigits() else { return nil }
            guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
            guard next == UInt8(ascii: "\\") else { return nil }
            index += 1
            guard next == UInt8(ascii: "u") else { return nil }
            index += 1
            guard let second = fourDigits(), (0xDC00..<0xE000).contains(second) else { return nil }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        }

        private mutating func fourDigits() -> UInt32? {
            guard index + 4 <= bytes.count else { return nil }
            let digits = bytes[index..<index + 4]
            guard digits.allSatisfy(Self.isHexadecimal) else { return nil }
            index += 4
            return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        }

        private static func isHexadecimal(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
        }
    }
}
