import FieldServiceMetadata
import Foundation
import TestSupport
import Testing

@Suite struct FieldServiceMetadataTests {
    static let documents = [
        NamedBytes("v1", FieldServiceMetadata.v1), NamedBytes("v2", FieldServiceMetadata.v2),
        NamedBytes("v3", FieldServiceMetadata.v3),
        NamedBytes("v4-incompatible", FieldServiceMetadata.v4Incompatible),
    ]

    @Test(arguments: documents)
    func embedsWholeDocuments(_ document: NamedBytes) {
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.hasPrefix("<?xml"))
        #expect(text.contains("<Schema Namespace=\"FieldService\""))
        #expect(text.hasSuffix("</edmx:Edmx>\n"))
    }

    @Test func embedsFourDifferentDocuments() {
        #expect(Set(Self.documents.map(\.bytes)).count == 4)
    }
}
