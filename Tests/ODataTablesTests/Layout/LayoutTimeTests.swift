import ODataModel
import TestSupport
import Testing

@testable import ODataTables

/// Layouts of the largest documents are no burden when a store is opened.
@Suite(
    .enabled(if: SharedFolder.isPresent, "The folder '../shared' with real documents is absent.")
)
struct LayoutTimeTests {
    @Test(arguments: [
        "microsoftgraph_msgraph-metadata__v1.0-Prod.xml", "pnp_pnpcore__spometadata.xml",
        "jaystack_jaydata__crm_metadata.xml",
    ])
    func opensTheLargestDocuments(_ document: String) throws {
        let model = try CSDLDocument(reading: SharedFolder.bytes("metadata/" + document)).model
        let clock = ContinuousClock()
        var layout = Layout(model)

        let opening = clock.measure { layout = Layout(model) }
        var columns = 0
        let everything = clock.measure {
            columns = layout.orderedTables.map(\.columns.count).reduce(0, +)
        }

        #expect(opening < .milliseconds(300), "the names alone took \(opening)")
        #expect(everything < .seconds(1), "all tables took \(everything)")
        #expect(columns > 0)
    }
}
