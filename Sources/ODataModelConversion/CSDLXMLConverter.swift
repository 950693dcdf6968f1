public import ODataModel
import ODataText

/// Writes a metadata document that was given as CSDL JSON as CSDL XML (OData CSDL XML 4.01).
///
/// Element by element, as ``CSDLJSONConverter`` does the reverse. JSON does not say of a text whether it is a path, a date or an
/// enumeration value: such values of annotations become `String`.
public enum CSDLXMLConverter {
    /// Deepest nesting of annotations of annotations; each stands in the name of its member.
    private static let maximumNesting = 32

    /// Returns the document as CSDL XML.
    ///
    /// - Parameter json: A document of CSDL JSON, version 4.0 or 4.01.
    /// - Throws: ``CSDLError`` where it is no CSDL JSON, or is larger or deeper than the limits allow.
    public static func xml(ofJSON json: [UInt8]) throws(CSDLError) -> [UInt8] {
        let start = DocumentStart(json)
        guard start.format != .xml else {
            throw CSDLError(.notCSDL, "The document is XML, where JSON is expected.", line: 1)
        }
        let root = try CSDLJSONTree.read(json, from: start)
        try check(root)
        let version = root["$Version"]?.text ?? ""
        guard version == "4.0" || version == "4.01" else {
            throw CSDLError(
                .invalidModel,
                "The member '$Version' is '\(version)', where 4.0 or 4.01 is expected.",
                line: root.line
            )
        }
        var output = Array(#"<?xml version="1.0" encoding="utf-8"?>"#.utf8)
        try document(root, version: version).write(to: &output)
        output.append(0x0A)
        return output
    }

    private static func document(_ root: JSONNode, version: String) throws(CSDLError)
        -> CSDLXMLElement
    {
        var document = CSDLXMLElement("edmx:Edmx")
        document["Version"] = version
        document["xmlns:edmx"] = "http://docs.oasis-open.org/odata/ns/edmx"
        for reference in root["$Reference"]?.members ?? [] {
            if let element = ReferenceXML.element(reference) { document.append(element) }
        }
        var services = CSDLXMLElement("edmx:DataServices")
        for member in root.members ?? [] where isSchema(member) {
            guard member.value["$Kind"] == nil else {
                throw CSDLError(
                    .invalidModel,
                    "The member '\(member.name)' stands where a schema is expected.",
                    line: member.value.line
                )
            }
            if let schema = SchemaXML.element(member) { services.append(schema) }
        }
        document.append(services)
        return document
    }

    private static func isSchema(_ member: JSONNode.Member) -> Bool {
        member.name.utf8.first != UInt8(ascii: "$")
            && !member.name.utf8.contains(UInt8(ascii: "@"))
    }

    /// Refuses names with more annotations of annotations than there is any use for.
    private static func check(_ node: JSONNode) throws(CSDLError) {
        for member in node.members ?? [] {
            let marks = member.name.utf8.count { $0 == UInt8(ascii: "@") }
            guard marks <= maximumNesting else {
                throw CSDLError(
                    .limit,
                    "Annotations are nested deeper than \(maximumNesting) levels.",
                    line: member.value.line
                )
            }
            try check(member.value)
        }
        for item in node.items ?? [] { try check(item) }
    }
}
