import ODataHTTP
import Testing

/// What a context URL names, and the links of selected navigation properties (OData 4.01 Part 1 § 10).
@Suite struct ContextURLTests {
    @Test(arguments: [
        ("Custs(3)/T.Model.VIP/Level", "#Custs(3)/T.Model.VIP/Level"),
        ("Custs(3)/T.Model.VIP/Name", "#Custs(3)/Name"),
        ("Custs(1)/Home/Street", "#Custs(1)/Home/Street"),
        ("Custs?$expand=Orders/$ref&$select=ID", "#Custs(ID)"),
        ("Custs?$expand=Orders/$ref", "#Custs"),
        ("Custs?$expand=Orders", "#Custs(Orders())"),
        ("Custs(1)?$expand=Orders", "#Custs(Orders())/$entity"),
        ("Custs?$select=ID,Orders&$expand=Orders", "#Custs(ID,Orders,Orders())"),
        ("Custs?$select=ID&$expand=Orders($select=ID)", "#Custs(ID,Orders(ID))"),
        ("Custs?$select=Orders", "#Custs(Orders)"), ("Custs?$select=*,Orders", "#Custs(*,Orders)"),
        ("Custs?$select=T.Model.VIP/Perks", "#Custs(T.Model.VIP/Perks)"),
        ("Custs?$expand=Orders/$count", "#Custs"),
    ])
    func namesWhatAnAnswerHolds(_ url: String, _ context: String) async throws {
        let response = await (try ClauseService.make()).get(url)
        let start = #"{"@odata.context":"http://service.test/$metadata\#(context)""#
        #expect(response.text.hasPrefix(start), "\(response.text)")
    }

    @Test(arguments: [
        ("Custs?$expand=Orders", "#Custs"),
        ("Custs?$select=ID,Orders&$expand=Orders", "#Custs(ID,Orders)"),
        ("Custs?$select=ID&$expand=Orders", "#Custs(ID)"),
        ("Custs?$expand=Orders($select=ID)", "#Custs(Orders(ID))"),
    ])
    func leavesExpandedPropertiesOutInVersion40(_ url: String, _ context: String) async throws {
        let response = await (try ClauseService.make()).get(url, ["OData-MaxVersion": "4.0"])
        let start = #"{"@odata.context":"http://service.test/$metadata\#(context)""#
        #expect(response.text.hasPrefix(start), "\(response.text)")
    }

    /// OData 4.01 Part 1 § 11.2.5.1.
    @Test(arguments: [
        (
            "Custs(1)?$select=Orders", "minimal",
            [#""Orders@odata.navigationLink":"http://service.test/Custs(1)/Orders""#],
            ["associationLink", "editLink", "Best@"]
        ),
        (
            "Custs(1)?$select=Orders", "full",
            [#""Orders@odata.navigationLink":"http://service.test/Custs(1)/Orders""#], ["Best@"]
        ),
        ("Custs(1)?$select=Orders", "none", [], ["navigationLink"]),
        (
            "Custs(3)?$select=T.Model.VIP/Perks", "minimal",
            [#""Perks@odata.navigationLink":"http://service.test/Custs(3)/T.Model.VIP/Perks""#], []
        ),
        ("Custs(1)?$select=T.Model.VIP/Perks", "minimal", [], ["navigationLink"]),
        (
            "Custs(1)?$select=Orders&$expand=Orders", "minimal", [#""Orders":[{"#],
            ["navigationLink"]
        ),
        (
            "Custs(1)?$expand=Orders($select=ID)&$select=Best", "minimal",
            ["Best@odata.navigationLink"], []
        ),
    ])
    func linksSelectedNavigationProperties(
        _ url: String,
        _ metadata: String,
        _ parts: [String],
        _ absent: [String]
    )
        async throws
    {
        let accept = "application/json;metadata=" + metadata
        let response = await (try ClauseService.make()).get(url, ["Accept": accept])
        #expect(response.status == 200)
        for part in parts { #expect(response.text.contains(part), "\(response.text)") }
        for part in absent { #expect(!response.text.contains(part), "\(response.text)") }
    }
}
