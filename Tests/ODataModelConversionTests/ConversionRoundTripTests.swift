import ODataModel
import ODataModelComparison
import ODataModelConversion
import ODataText
import TestSupport
import Testing

/// Real documents through both converters.
@Suite(.enabled(if: SharedFolder.isPresent)) struct ConversionRoundTripTests {
    /// Left out: what lodata writes, which has no schemas and so no other form.
    private static let documents =
        (SharedFolder.names(in: "metadata-json").map { "metadata-json/" + $0 }
        + SharedFolder.names(in: "metadata-json/native").map { "metadata-json/native/" + $0 })
        .filter { $0.hasSuffix(".json") && !$0.contains("native/flat3_lodata") }

    /// Schemas of version 4 in a wrapper of another version, or in none.
    private static let oddWrappers: Set = [
        "OData_odata.net__RoundTripTests.RoundTripTestBuildODataTestModelAnnotationTestWithAnnotations.approved.xml",
        "OData_odata.net__TripPin.xml", "OData_odata.net__service.edmx_ODataV4-7.x.xml",
        "OData_odata.net__service.edmx_ODataV4-7.x~3.xml",
        "OData_odata.net__service.edmx_maintenance-6.x~2.xml",
        "OData_odata.net__service.edmx_maintenance-6.x~5.xml",
    ]

    private static let xmlDocuments = SharedFolder.names(in: "metadata").filter {
        !oddWrappers.contains($0)
    }

    /// A document of version 4; nil for one that has no other form.
    private static func version4(_ name: String) throws -> (bytes: [UInt8], model: EdmModel)? {
        let bytes = try SharedFolder.bytes(name)
        guard let model = try? CSDLDocument(reading: bytes).model, model.version.isV4 else {
            return nil
        }
        return (bytes, model)
    }

    @Test func findsDocumentsOfBothForms() {
        #expect(Self.documents.count > 160)
        #expect(Self.xmlDocuments.count > 150)
    }

    @Test(arguments: TestScale.sample(documents, of: 80))
    func keepsTheModelOfJSON(_ name: String) throws {
        guard let (json, model) = try Self.version4(name) else { return }
        let xml = try CSDLXMLConverter.xml(ofJSON: json)
        let read = try CSDLDocument(reading: xml)
        let changes = ModelComparison(from: model, to: read.model).changes.filter {
            // No precision is any precision in JSON, and 12 is that in XML.
            !$0.detail.hasSuffix("Precision 0 became 12")
        }
        #expect(changes.isEmpty, "\(changes.prefix(5))")
        #expect(try CSDLDocument(reading: json).counts == read.counts)
    }

    @Test(arguments: TestScale.sample(documents, of: 80))
    func keepsTheTextOfJSON(_ name: String) throws {
        guard let (json, _) = try Self.version4(name) else { return }
        let xml = try CSDLXMLConverter.xml(ofJSON: json)
        let again = try CSDLJSONConverter.json(ofXML: xml)
        let (before, after) = (try CanonicalCSDL.lines(json), try CanonicalCSDL.lines(again))
        let difference = after.difference(from: before)
        #expect(difference.isEmpty, "\(difference.prefix(6))")
    }

    @Test(arguments: TestScale.sample(xmlDocuments, of: 60))
    func isStableBehindTheFirstConversion(_ name: String) throws {
        guard let (xml, _) = try Self.version4("metadata/" + name) else { return }
        let json = try CSDLJSONConverter.json(ofXML: xml)
        let again = try CSDLJSONConverter.json(ofXML: CSDLXMLConverter.xml(ofJSON: json))
        let (before, after) = (try CanonicalCSDL.lines(json), try CanonicalCSDL.lines(again))
        let difference = after.difference(from: before)
        #expect(difference.isEmpty, "\(difference.prefix(6))")
    }
}
