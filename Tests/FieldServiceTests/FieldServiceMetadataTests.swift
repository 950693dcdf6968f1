import FieldServiceMetadata
import Foundation
import Testing

@Suite struct FieldServiceMetadataTests {
    static let documents = [
        FieldServiceMetadata.v1, FieldServiceMetadata.v2, FieldServiceMetadata.v3,
        FieldServiceMetadata.v4Incompatible,
    ]

    @Test(arguments: documents.indices)
    func embedsWholeDocuments(_ version: Int) {
        let text = String(decoding: Self.documents[version], as: UTF8.self)
        #expect(text.hasPrefix("<?xml"))
        #expect(text.contains("<Schema Namespace=\"FieldService\""))
        #expect(text.hasSuffix("</edmx:Edmx>\n"))
    }

    @Test func embedsFourDifferentDocuments() {
        #expect(Set(Self.documents).count == 4)
    }
}
