@testable import ODataSQL
import ODataModel
import TestSupport
import Testing

/// The largest documents have a layout, each table under a name of its own.
@Suite(
    .enabled(if: SharedFolder.isPresent, "The folder '../shared' with real documents is absent.")
)
struct LargeLayoutTests {
    @Test(arguments: [
        "microsoftgraph_msgraph-metadata__v1.0-Prod.xml", "pnp_pnpcore__spometadata.xml",
        "jaystack_jaydata__crm_metadata.xml",
    ])
    func namesEveryTableOnce(_ document: String) throws {
        let model = try CSDLDocument(reading: SharedFolder.bytes("metadata/" + document)).model
        let layout = Layout(model)
        let columns = layout.orderedTables.map(\.columns.count).reduce(0, +)
        #expect(layout.orderedTables.count == Set(layout.orderedTables.map(\.name)).count)
        #expect(columns > 1_000)
    }
}
