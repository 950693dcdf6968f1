import ODataModel

/// The version that a metadata document states: in an answer of version 4.0 it is 4.0 (OData CSDL XML 4.01 § 3.1, CSDL JSON § 4), and
/// what only later versions know is said as far as 4.0 can say it.
struct StatedVersion {
    /// Where a document may state its version: in the first bytes.
    private static let headLength = 4096

    /// Returns a document of version 4.01 as one of version 4.0; any other as it is.
    static func lowered(_ document: [UInt8], _ format: DocumentStart.Format) -> [UInt8] {
        let head = document.prefix(headLength)
        guard let place = format == .xml ? placeInXML(head) : placeInJSON(head) else {
            return document
        }
        var lowered = document
        lowered.replaceSubrange(place, with: "4.0".utf8)
        lowerScales(of: &lowered, format)
        return lowered
    }

    /// Makes floating scales variable ones, which 4.0 knows (OData CSDL XML 4.01 § 7.2.4).
    private static func lowerScales(of document: inout [UInt8], _ format: DocumentStart.Format) {
        let names = format == .xml ? [" Scale=\"", " Scale='"] : ["\"$Scale\""]
        for name in names {
            var rest = document[...]
            while let found = rest.firstRange(of: name.utf8) {
                rest = document[found.upperBound...]
                let start = rest.firstIndex { !" \r\n\t:\"".utf8.contains($0) } ?? rest.endIndex
                guard document[start...].starts(with: "floating".utf8) else { continue }
                document.replaceSubrange(start..<(start + 8), with: "variable".utf8)
                rest = document[start...]
            }
        }
    }

    /// The place of 4.01 in the attribute `Version` of the root element.
    private static func placeInXML(_ head: ArraySlice<UInt8>) -> Range<Int>? {
        guard let name = head.firstRange(of: "Edmx".utf8),
            let end = head[name.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let tag = head[name.upperBound..<end]
        let stated =
            tag.firstRange(of: " Version=\"4.01\"".utf8)
            ?? tag.firstRange(of: " Version='4.01'".utf8)
        return stated.map { ($0.upperBound - 5)..<($0.upperBound - 1) }
    }

    /// The place of 4.01 in the member `$Version`.
    private static func placeInJSON(_ head: ArraySlice<UInt8>) -> Range<Int>? {
        guard let name = head.firstRange(of: "\"$Version\"".utf8),
            let value = head[name.upperBound...].firstRange(of: "\"4.01\"".utf8),
            head[name.upperBound..<value.lowerBound].allSatisfy({ " \r\n\t:".utf8.contains($0) })
        else { return nil }
        return (value.lowerBound + 1)..<(value.upperBound - 1)
    }
}
