@testable import ODataPayload

/// Atom documents for tests, and the JSON that is made of them.
enum AtomDocument {
    static let names =
        #"xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xml:base="http://service.test/odata/""#

    /// An entry with properties.
    static func entry(_ properties: String, _ head: String = "") -> String {
        """
        <entry \(names)><id>http://service.test/odata/Orders(1)</id>\(head)<content type="application/xml">\
        <m:properties>\(properties)</m:properties></content></entry>
        """
    }

    /// The JSON of a document that comes in pieces of a size.
    static func json(_ text: String, pieceSize: Int = .max) throws -> String {
        var converter = try AtomConverter()
        let bytes = Array(text.utf8)
        var json: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = pieceSize > bytes.count - start ? bytes.count : start + pieceSize
            json += try converter.feed(Array(bytes[start..<end]))
            start = end
        }
        return String(decoding: json + (try converter.finish()), as: UTF8.self)
    }

    /// The members behind `__metadata` of an entry with properties.
    static func members(_ properties: String) throws -> String {
        let json = try json(entry(properties))
        let start = #"{"d":{"__metadata":{"uri":"http://service.test/odata/Orders(1)"},"#
        return String(json.dropFirst(start.count).dropLast(2))
    }
}
