import ODataHTTP
import ODataSQLite
import ODataService
import ODataTables
import Testing

@testable import ODataAnswers

/// `Core.Permissions` of properties.
@Suite struct PermissionTests {
    private static func property(_ name: String, _ type: String, _ permission: String) -> String {
        """
        <Property Name="\(name)" Type="\(type)"><Annotation Term="Org.OData.Core.V1.Permissions">
        <EnumMember>\(permission)</EnumMember></Annotation></Property>
        """
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Login">\(property("Pin", "Edm.String", "Org.OData.Core.V1.Permission/Write"))
        <Property Name="User" Type="Edm.String"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Login" Type="S.Login"/>
        \(property("Secret", "Edm.String", "Org.OData.Core.V1.Permission/Write"))
        \(property("Closed", "Edm.String", "Org.OData.Core.V1.Permission/None"))
        \(property("Fixed", "Edm.String", "Org.OData.Core.V1.Permission/Read"))
        \(property("Free", "Edm.String", "Org.OData.Core.V1.Permission/Read Org.OData.Core.V1.Permission/Write"))
        \(property("Codes", "Collection(Edm.String)", "Org.OData.Core.V1.Permission/Write"))
        <NavigationProperty Name="Next" Type="S.Thing"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Things"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service(obeys: Bool = true) async throws -> TestService {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = obeys
        let things = """
            [{"ID":1,"Name":"n","Login":{"Pin":"hidden","User":"u"},"Secret":"hidden","Closed":"hidden",
            "Fixed":"f","Free":"g","Codes":["hidden"],"Next@odata.bind":"Things(1)"}]
            """
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(things.utf8))],
            options: options
        )
    }

    @Test(arguments: [
        "Things", "Things(1)", "Things(1)/Next", "Things?$expand=Next", "$all",
        "Things?$select=ID,Secret,Name,Closed,Login,Codes", "Things(1)/Login",
        "Things?$format=application/json;metadata=full", "Things(1)?$compute=1 add 1 as Two",
    ])
    func leavesOutWhatCannotBeRead(_ url: String) async throws {
        let response = await (try service()).get(url.replacing(" ", with: "%20"))
        #expect(response.status == 200, "\(response.text)")
        #expect(!response.text.contains("hidden"), "\(response.text)")
        for name in ["Secret", "Closed", "Pin", "Codes"] {
            #expect(!response.text.contains("\"\(name)\":"), "\(response.text)")
        }
        #expect(response.text.contains(url == "Things(1)/Login" ? #""User":"u""# : #""Name":"n""#))
    }

    @Test(arguments: [
        ("Things(1)/Secret", 404), ("Things(1)/Secret/$value", 404), ("Things(1)/Login/Pin", 404),
        ("Things(1)/Codes/$count", 404), ("Things(1)/Closed", 404),
        ("Things?$apply=groupby((Secret))", 400),
        ("Things?$apply=aggregate(Secret with max as M)", 400),
        ("Things?$apply=filter(Secret eq 'hidden')", 400),
        ("$crossjoin(Things)?$filter=Things/Secret eq 'hidden'", 400),
        ("Things?$filter=Next/Secret eq 'hidden'", 400),
        ("Things?$filter=Codes/any(c:c eq 'hidden')", 400),
        ("Things?$filter=Secret eq 'hidden'", 400), ("Things/$count?$filter=Closed ne null", 400),
        ("Things?$orderby=tolower(Secret)", 400), ("Things?$compute=Login/Pin as P", 400),
    ])
    func refusesToShowIt(_ url: String, _ status: Int) async throws {
        let response = await (try service()).get(url.replacing(" ", with: "%20"))
        #expect(response.status == status, "\(response.text)")
        #expect(response.text.contains("Core.Permissions"), "\(response.text)")
        #expect(
            await (try service(obeys: false)).get(url.replacing(" ", with: "%20")).status == 200
        )
    }

    @Test func takesWhatCanBeWritten() async throws {
        let service = try await service()
        let wanted: HTTPHeaders = ["Prefer": "return=representation"]
        let body = #"{"Secret":"new","Closed":"new","Fixed":"new","Free":"new"}"#
        let response = await service.send("PATCH", "Things(1)", wanted, body)
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(#""Fixed":"f","Free":"new""#), "\(response.text)")
        #expect(!response.text.contains("Secret"))
        let put = await service.send("PUT", "Things(1)/Secret", wanted, #"{"value":"newer"}"#)
        #expect([200, 204].contains(put.status), "\(put.text)")
        #expect(!put.text.contains("newer"))
        #expect(await service.send("PUT", "Things(1)/Closed", [:], #"{"value":"x"}"#).status == 405)
        #expect(await service.send("POST", "Things(1)/Codes", [:], #"{"value":"x"}"#).status == 204)
        let rows = try await service.store.read { query, _ in
            try query.connection.firstRow(#"SELECT "Secret", "Closed", "Codes" FROM "Things""#) {
                [$0.optionalString(0), $0.optionalString(1), $0.optionalString(2)]
            }
        }
        #expect(rows == ["newer", "hidden", #"["hidden","x"]"#])
    }
}
