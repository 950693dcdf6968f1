import ODataText
import ODataValues

/// Turns the geo literals of URLs (`SRID=4326;Point(1 2)`) into GeoJSON, the form in which geo values are kept.
///
/// OData 4.01 ABNF, section 7; RFC 7946 § 3.1.
package struct GeoLiteral {
    private var rest: ArraySlice<UInt8>
    private var output: [UInt8] = []
    private let maximumDepth = 16

    /// Returns the GeoJSON of a literal's text; nil where it is no geo value.
    package static func json(_ text: String) -> String? {
        var reader = GeoLiteral(rest: Array(text.utf8)[...])
        guard reader.srid(), reader.shape(depth: 0), reader.rest.isEmpty else { return nil }
        return String(decoding: reader.output, as: UTF8.self)
    }

    private init(rest: ArraySlice<UInt8>) {
        self.rest = rest
    }

    // MARK: Parts

    private mutating func srid() -> Bool {
        guard take("srid=") else { return false }
        let digits = rest.prefix { ASCII.isDigit($0) }
        rest = rest.dropFirst(digits.count)
        return (1...5).contains(digits.count) && take(";")
    }

    private mutating func shape(depth: Int) -> Bool {
        guard depth < maximumDepth else { return false }
        // Longer names first: one begins like another.
        if take("geometrycollection(") { return collection(depth: depth) }
        let shapes: [(name: String, levels: Int)] = [
            ("MultiPolygon", 3), ("MultiLineString", 2), ("MultiPoint", 1), ("Polygon", 2),
            ("LineString", 1), ("Point", 0),
        ]
        for (name, levels) in shapes where take(name.lowercased()) {
            output += Array("{\"type\":\"\(name)\",\"coordinates\":".utf8)
            let isComplete =
                name == "MultiPoint"
                ? list { $0.coordinates(levels: 0) } : coordinates(levels: levels)
            output.append(UInt8(ascii: "}"))
            return isComplete
        }
        return false
    }

    private mutating func collection(depth: Int) -> Bool {
        output += Array("{\"type\":\"GeometryCollection\",\"geometries\":[".utf8)
        repeat {
            guard shape(depth: depth + 1) else { return false }
        } while takeComma()
        output += Array("]}".utf8)
        return take(")")
    }

    /// Reads `(…)` around positions, nested so many times.
    private mutating func coordinates(levels: Int) -> Bool {
        if levels == 0 { return take("(") && position() && take(")") }
        if levels == 1 { return list { $0.position() } }
        return list { $0.coordinates(levels: levels - 1) }
    }

    /// Reads items between commas in parentheses; there may be none.
    private mutating func list(_ item: (inout GeoLiteral) -> Bool) -> Bool {
        guard take("(") else { return false }
        output.append(UInt8(ascii: "["))
        if rest.first != Byte.close {
            repeat {
                guard item(&self) else { return false }
            } while takeComma()
        }
        output.append(UInt8(ascii: "]"))
        return take(")")
    }

    /// Reads two to four numbers with spaces between them.
    private mutating func position() -> Bool {
        output.append(UInt8(ascii: "["))
        var count = 0
        repeat {
            if count > 0 { output.append(Byte.comma) }
            guard count < 4, number() else { return false }
            count += 1
        } while take(" ")
        output.append(UInt8(ascii: "]"))
        return count >= 2
    }

    private mutating func number() -> Bool {
        let signs = Array("+-.eE".utf8)
        let text = Array(rest.prefix { ASCII.isDigit($0) || signs.contains($0) })
        guard RealText.parse(text.span) != nil else { return false }
        rest = rest.dropFirst(text.count)
        output += text.first == Byte.plus ? text.dropFirst() : text[...]
        return true
    }

    // MARK: Punctuation

    /// Takes a text given in small letters, in any case.
    private mutating func take(_ text: String) -> Bool {
        let next = rest.prefix(text.utf8.count).map(ASCII.lowercased)
        guard next.elementsEqual(text.utf8) else { return false }
        rest = rest.dropFirst(next.count)
        return true
    }

    private mutating func takeComma() -> Bool {
        guard take(",") else { return false }
        output.append(Byte.comma)
        return true
    }
}
