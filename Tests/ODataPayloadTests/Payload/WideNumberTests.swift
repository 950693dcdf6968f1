import ODataModel
import ODataPayload
import TestSupport
import Testing

/// Int64 and Decimal that a service writes as strings, in values that are kept as JSON (OData JSON 4.01 § 3.2).
@Suite struct WideNumberTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Num"><Property Name="L" Type="Edm.Int64"/><Property Name="T" Type="Edm.String"/>
        <Property Name="In" Type="S.Num"/></ComplexType>
        <ComplexType Name="Heir" BaseType="S.Num"><Property Name="X" Type="Edm.Decimal" Scale="variable"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="N" Type="Collection(S.Num)"/>
        <Property Name="Is" Type="Collection(Edm.Int32)"/><Property Name="Ds" Type="Collection(Edm.Decimal)"/>
        <Property Name="Ls" Type="Collection(Edm.Int64)"/><Property Name="Ts" Type="Collection(Edm.String)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(
        arguments: [
            (#""Ls":["3",-4,null,"9007199254740993"]"#, "[3,-4,null,9007199254740993]"),
            (#""Ls":[ "\u0033" ]"#, "[ 3 ]"), (#""Ls":["x","03"]"#, #"["x","03"]"#),
            (#""Ts":["3"]"#, #"["3"]"#),
            (#""Ls":[1e2,"2.0",-0.0]"#, "[100,2,0]"),
            (#""Is":[1.0e1,2.0,null,1.5]"#, "[10,2,null,1.5]"),
            (#""Is":["2.0"]"#, #"["2.0"]"#), (#""Ds":[2.0,1e2]"#, "[2.0,1e2]"),
            (#""N":[{"L":1e1,"T":"1e1"}]"#, #"[{"L":10,"T":"1e1"}]"#),
            (#""N":[{"L":"3","T":"3","In":{"L":"-4"}}]"#, #"[{"L":3,"T":"3","In":{"L":-4}}]"#),
            (
                ##""N":[{"@odata.type":"#S.Heir","X":"1.50"},{"X":"1.50"}]"##,
                ##"[{"@odata.type":"#S.Heir","X":1.50},{"X":"1.50"}]"##
            ),
            (
                ##""N":[{"Y@odata.type":"#Int64","Y":"1"},{"Y":"1"}]"##,
                ##"[{"Y@odata.type":"#Int64","Y":1},{"Y":"1"}]"##
            ),
        ],
        [Int.max, 7]
    )
    func keepsNumbersThatComeAsStrings(_ member: (given: String, kept: String), _ pieces: Int)
        throws
    {
        let model = try CSDLDocument(reading: Array(Self.metadata.utf8)).model
        let reading = try readPayload(
            "{\"value\":[{\"ID\":1,\(member.given)}]}",
            model,
            set: "Things",
            pieces: pieces
        )
        #expect(reading.text.contains(member.kept), "\(reading.text)")
    }
}
