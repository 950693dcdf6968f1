@testable import StoreRecords
import ODataBinding
@testable import StoreDownload
import ODataTables
import Testing

/// What a page says that it holds, against what was asked for.
@Suite struct PageContextTests {
    private static func check(_ url: String, _ context: String?, isNested: Bool) throws {
        let model = try StoreSchema.make(SeamModel.document).model
        let request = try BoundRequest(ofService: url, in: model)
        guard case .entities(let path) = request.resource else {
            Issue.record("\(url) asks for no entities")
            return
        }
        try PageContext(context, model: model).check(path, isNested: isNested)
    }

    @Test(
        arguments: [
            ("Orders", nil), ("Orders", "$metadata"), ("Orders", "$metadata#Orders"),
            ("Orders", "http://x/$metadata#Orders(ID,Title)"), ("Orders", "#Orders/$delta"),
            ("Orders(1)", "#Orders/$entity"), ("Orders", "#Strangers"),
            // Behind a navigation property it may be another set of that type.
            ("Orders(1)/Items", "#Items"), ("Orders(1)/Items", "#Orders(1)/Items"),
            ("Cards('a')/Lines", "#Cards('a')/Lines"),
            // A singleton's entity may be one of a set.
            ("Top", "#Tags/$entity"),
        ] as [(String, String?)]
    )
    func takesWhatWasAskedFor(_ url: String, _ context: String?) throws {
        try Self.check(url, context, isNested: false)
    }

    @Test(
        arguments: [
            ("Orders", "$metadata#Items"), ("Orders(1)", "#Items/$entity"),
            ("Orders?$filter=ID gt 1", "#Tags(Name)"), ("Orders(1)/Items", "#Tags"),
        ]
    )
    func refusesEntitiesOfAnotherSet(_ url: String, _ context: String) throws {
        let error = try #require(throws: StoreError.self) {
            try Self.check(url, context, isNested: false)
        }
        #expect(error.message.contains("where others were asked for"))
    }

    /// The rest of a collection inside of entities has the context of that collection.
    @Test func leavesTheRestOfWhatIsExpanded() throws {
        try Self.check("Orders?$expand=Items", "$metadata#Items", isNested: true)
    }
}
