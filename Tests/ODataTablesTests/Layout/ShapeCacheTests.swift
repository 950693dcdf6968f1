@testable import ODataSQL
import ODataBinding
import ODataModel
import TestSupport
import Testing

@testable import ODataTables

/// What is kept of the shapes of rows.
@Suite struct ShapeCacheTests {
    private let tables: SmallTables

    init() throws { tables = try SmallTables(Array(PlainRow.metadata.utf8)) }

    private var layout: Layout { tables.schema.layout }

    private func shape(_ url: String) throws -> RowShape {
        let query = try TableQuery(tables.connection, layout: layout)
        let request = try BoundRequest(parsing: url, in: layout.model)
        guard case .entities(let path) = request.resource else { throw TestFault(url) }
        return try query.levels(path, options: request.options).0.shape(of: 0)
    }

    private struct TestFault: Error {
        init(_ url: String) { self.url = url }
        let url: String
    }

    @Test func sharesAShapeAmongRequestsOfOneSelection() throws {
        let whole = try shape("As?$filter=I gt 3")
        #expect(try shape("As?$orderby=S desc&$top=5") === whole)
        #expect(try shape("As(5)") === whole)
        #expect(layout.shapes.count == 1)
    }

    @Test func tellsSelectionsApart() throws {
        let (whole, part) = (try shape("As"), try shape("As?$select=S"))
        #expect(whole.fields.count > part.fields.count)
        #expect(try shape("As?$select=S&$filter=I gt 3") === part)
        #expect(layout.shapes.count == 2)
    }

    @Test func keepsNoShapeWithComputedValues() throws {
        let (one, other) = (
            try shape("As?$compute=I add 1 as J"), try shape("As?$compute=I add 2 as K")
        )
        #expect(one.fields.contains { $0.name == "J" } && other.fields.contains { $0.name == "K" })
        #expect(layout.shapes.count == 0)
    }

    @Test func keepsABoundedNumber() throws {
        let (cache, shape) = (ShapeCache(), try shape("As"))
        for place in 0..<ShapeCache.maximumCount * 3 {
            let key = ShapeCache.Key(
                source: .entitySet(0),
                type: shape.type,
                places: [place],
                format: AnswerFormat()
            )
            _ = cache.shape(key) { shape }
            #expect(cache.count <= ShapeCache.maximumCount)
        }
    }
}
