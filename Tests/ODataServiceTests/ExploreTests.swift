import ODataProtocol
import Testing
@testable import ODataService

@Suite struct ExploreTests {
    @Test func explore() async throws {
        var options = ServiceOptions(); options.tracksChanges = true
        let service = try await SampleService.make(options)
        func show(_ m: String, _ u: String, _ h: HTTPHeaders = [:], _ b: String? = nil) async -> HTTPResponse {
            let r = await service.send(m, u, h, b)
            print(m, u, b ?? "", "\n  ", r.status, r.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: " | "), "\n  ", r.text.prefix(2500))
            return r
        }
        let first = await show("GET", "WorkOrders?$select=Title&$expand=Tasks($select=Title)", ["Prefer": "odata.track-changes"])
        let tree = JSONTree(first.body)!
        let link = tree.string("@odata.deltaLink")!
        _ = await show("POST", "WorkOrders", [:], #"{"Title":"New","ID":77,"Customer@odata.bind":"Customers('C1')","Tasks":[{"Title":"T1"},{"Title":"T2"}],"RequiredParts@odata.bind":["http://service.test/Parts('P1')","Parts('P2')"]}"#)
        _ = await show("POST", "WorkOrders", ["Prefer": "return=minimal"], #"{"Title":"New2"}"#)
        _ = await show("POST", "WorkOrders", [:], #"{"Titl":"New2"}"#)
        _ = await show("POST", "WorkOrders", [:], #"{"Title":5}"#)
        _ = await show("POST", "Customers", [:], #"{"ID":"C1","Name":"x","Address":{"City":"a","Country":"b"},"Since":"2020-01-01"}"#)
        _ = await show("POST", "Customers('C1')/Contacts", [:], #"{"Name":"Di"}"#)
        _ = await show("POST", "WorkOrders(1)/Tasks", [:], #"{"Title":"Sub"}"#)
        _ = await show("PATCH", "WorkOrders(1)", [:], #"{"Title":"x"}"#)
        _ = await show("PATCH", "WorkOrders(1)", ["If-Match": "W/\"8\""], #"{"Title":"x"}"#)
        _ = await show("PATCH", "WorkOrders(1)", ["If-Match": "W/\"8\""], #"{"Title":"y"}"#)
        _ = await show("PATCH", "WorkOrders(1)", ["If-Match": "*", "Prefer": "return=representation"], #"{"Title":"y","RequestedAt":"2024-01-01T00:00:00Z","DueAt":null}"#)
        _ = await show("PUT", "Parts('P2')", [:], #"{"Name":"Nut2","UnitPrice":1,"InStock":1}"#)
        _ = await show("PUT", "Parts('P9')", [:], #"{"Name":"Nut9","UnitPrice":1,"InStock":1}"#)
        _ = await show("PATCH", "Parts('P9')", ["If-None-Match": "*"], #"{"Name":"Nut9"}"#)
        _ = await show("PATCH", "WorkOrders(99)", [:], #"{"Title":"Nut9"}"#)
        _ = await show("DELETE", "Parts('P9')")
        _ = await show("DELETE", "Parts('P9')")
        _ = await show("DELETE", "WorkOrders(3)", ["If-Match": "*"])
        _ = await show("DELETE", "Tasks(2)", ["If-Match": "*"])
        _ = await show("POST", "WorkOrders(1)/RequiredParts/$ref", [:], #"{"@odata.id":"Parts('P2')"}"#)
        _ = await show("DELETE", "WorkOrders(1)/RequiredParts/$ref?$id=Parts('P1')")
        _ = await show("PUT", "WorkOrders(1)/Customer/$ref", [:], #"{"@odata.id":"Customers('C%2F2')"}"#)
        _ = await show("DELETE", "WorkOrders(1)/Customer/$ref")
        _ = await show("PUT", "Customers('C1')/Name", ["If-Match": "*"], #"{"value":"Neu"}"#)
        _ = await show("PUT", "Customers('C1')/Name/$value", ["If-Match": "*", "Content-Type": "text/plain"], "Raw")
        _ = await show("DELETE", "Customers('C1')/Name", ["If-Match": "*"])
        _ = await show("GET", "Customers('C1')?$select=Name")
        _ = await show("POST", "Attachments", ["Content-Type": "image/png"], "PNG")
        _ = await show("GET", link.replacingRoot)
        _ = await show("GET", link.replacingRoot, ["OData-MaxVersion": "4.01"])
        let bad = await show("GET", "WorkOrders?$deltatoken=abc")
        _ = bad
    }
}
extension String { var replacingRoot: String { String(dropFirst("http://service.test/".count)) } }
