import ODataURL
import ODataBinding
import ODataModel
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every query that has an expected answer somewhere can be read and bound.
@Suite struct QueryCasesTests {
    struct Filter: Decodable, CustomTestStringConvertible {
        let id: String
        let set: String
        let v4: String?
        let v2: String?
        var testDescription: String { id }
    }

    struct Order: Decodable, CustomTestStringConvertible {
        let id: String
        let set: String
        let query: String
        var testDescription: String { id }
    }

    static let folder =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        + "/../shared/query-cases/"

    static func lines<Line: Decodable>(_ file: String) -> [Line] {
        guard let data = FileManager.default.contents(atPath: folder + file) else { return [] }
        return data.split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(Line.self, from: Data($0))
        }
    }

    static let filters: [Filter] = lines("filter-cases.jsonl")
    static let orders: [Order] = lines("orderby-cases.jsonl")

    private static func model(_ file: String) throws -> EdmModel {
        let data = try #require(FileManager.default.contents(atPath: folder + file))
        return try CSDLDocument(reading: Array(data)).model
    }

    @Test(
        .enabled(if: !filters.isEmpty, "../shared/query-cases is not here"),
        arguments: [ODataVersion.v2, .v4, .v401]
    )
    func bindsEveryFilter(_ version: ODataVersion) throws {
        let model = try Self.model(version.isV4 ? "metadata.xml" : "metadata-v2.xml")
        var count = 0
        for item in Self.filters {
            guard let filter = version.isV4 ? item.v4 : item.v2 else { continue }
            let url = item.set + "?$filter=" + Self.encoded(filter)
            do throws(ODataURLError) {
                let request = try BoundRequest(parsing: url, in: model, version: version)
                #expect(request.options.filter != nil)
                count += 1
            } catch {
                Issue.record("\(item.id): \(error) in \(filter)")
            }
        }
        #expect(count > 400)
    }

    @Test(.enabled(if: !orders.isEmpty, "../shared/query-cases is not here"), arguments: orders)
    func bindsEveryOrder(_ item: Order) throws {
        let model = try Self.model("metadata.xml")
        let request = try BoundRequest(parsing: item.set + "?" + item.query, in: model)
        #expect(!request.options.orderBy.isEmpty)
    }

    /// Encodes what would end the option or begin an encoded byte.
    private static func encoded(_ text: String) -> String {
        var output = ""
        for character in text.unicodeScalars {
            switch character {
            case "%": output += "%25"
            case "&": output += "%26"
            case "#": output += "%23"
            default: output.unicodeScalars.append(character)
            }
        }
        return output
    }
}
