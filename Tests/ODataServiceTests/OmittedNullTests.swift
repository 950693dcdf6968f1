import ODataHTTP
import ODataService
import Testing

@testable import ODataAnswers

/// `Prefer: omit-values=nulls` (OData 4.01 Part 1 § 8.2.8.6).
@Suite struct OmittedNullTests {
    @Test(arguments: [
        (
            "Custs(1)?$select=Name,Home,Homes",
            #""Name":"A","Home":{"Street":"S"},"Homes":[{"City":"C"}]}"#
        ),
        ("Custs(2)?$select=Name", #""ID":2}"#), ("Custs(2)?$select=Name&$expand=Best", #""ID":2}"#),
        ("Custs(1)/Home", #""Street":"S"}"#), ("Custs(1)/Homes", #""value":[{"City":"C"}]}"#),
        ("Opens(1)", #""ID":1,"Born":"x"}"#),
        ("Custs?$select=Name&$filter=ID%20eq%202", #""ID":2}]}"#),
    ])
    func leavesNullsOut(_ url: String, _ end: String) async throws {
        for name in ["omit-values", "odata.omit-values"] {
            let response = await (try ClauseService.make()).get(url, ["Prefer": name + "=nulls"])
            #expect(response.status == 200)
            #expect(response.text.hasSuffix(end), "\(response.text)")
            #expect(response.headers["Preference-Applied"] == name + "=nulls")
        }
    }

    /// OData 4.0 does not know the preference.
    @Test func leavesNullsInForOldClients() async throws {
        let headers: HTTPHeaders = ["Prefer": "omit-values=nulls", "OData-MaxVersion": "4.0"]
        let response = await (try ClauseService.make()).get("Custs(2)?$select=Name", headers)
        #expect(response.text.hasSuffix(#""Name":null}"#), "\(response.text)")
        #expect(response.headers["Preference-Applied"] == nil)
    }

    @Test(arguments: [
        ("Custs(2)?$select=Name", "omit-values=defaults"),
        ("Custs(2)?$select=Name", "return=representation"),
        ("Custs?$apply=groupby((Name))", "omit-values=nulls"),
    ])
    func keepsNullsOtherwise(_ url: String, _ prefer: String) async throws {
        let response = await (try ClauseService.make()).get(url, ["Prefer": prefer])
        #expect(response.text.contains(#""Name":null"#), "\(response.text)")
        #expect(response.headers["Preference-Applied"] == nil)
    }

    /// The answer to a change has whatever was changed.
    @Test func keepsNullsOfChanges() async throws {
        let headers: HTTPHeaders = ["Prefer": "return=representation, omit-values=nulls"]
        let response = await (try ClauseService.make())
            .send("PATCH", "Custs(1)", headers, #"{"Name":null}"#)
        #expect(response.text.contains(#""Name":null"#), "\(response.text)")
        #expect(response.headers["Preference-Applied"] == "return=representation")
    }

    @Test(arguments: [
        (#"{"A":null,"B":1}"#, #"{"B":1}"#), (#"{"A":null}"#, "{}"),
        (#"{"A":[null,{"B":null}]}"#, #"{"A":[null,{}]}"#),
        (##"{"A@odata.type":"#Date","A":null,"B":1}"##, #"{"B":1}"#),
        (##"{"A@type":"#Date","A":null,"B":1}"##, #"{"B":1}"#),
        (#"{"A@Core.Permissions":"None","A":null}"#, #"{"A@Core.Permissions":"None","A":null}"#),
        (#"{"@x.y":null,"A@x.y":null}"#, #"{"@x.y":null,"A@x.y":null}"#),
    ])
    func leavesOutNullPropertiesWithoutAnnotations(_ json: String, _ left: String) throws {
        let bytes = try #require(NullOmission.applied(to: Array(json.utf8)))
        #expect(String(decoding: bytes, as: UTF8.self) == left)
    }
}
