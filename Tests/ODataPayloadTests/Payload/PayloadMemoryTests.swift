import ODataModel
import ODataPayload
import TestSupport
import Testing

/// What a reader leaves behind.
@Suite struct PayloadMemoryTests {
    /// A type that leads to itself, named in the payload besides: plans refer to each other in circles.
    private static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="T"><Key><PropertyRef Name="i"/></Key><Property Name="i" Type="Edm.Int32"/>
        <NavigationProperty Name="n" Type="N.T"/></EntityType><EntityType Name="D" BaseType="N.T"/>
        <EntityContainer Name="C"><EntitySet Name="S" EntityType="N.T"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let payload =
        ##"{"value":[{"@odata.type":"#N.D","i":1,"n":{"i":2,"n":{"@odata.type":"#N.T","i":3}}}]}"##

    @Test func leavesNothingOfThePlansBehind() throws {
        weak var plan: EntityPlan?
        let model = try CSDLDocument(reading: Array(Self.document.utf8)).model
        do {
            let plans = ModelPlans(model)
            plan = plans.plan(set: "S")
            var sink = RecordingSink(plans)
            var reader = PayloadReader(model: model, plan: try #require(plan), plans: plans)
            _ = try reader.read(Array(Self.payload.utf8).span, into: &sink)
            #expect(sink.lines.count > 5)
        }

        #expect(plan == nil)
    }
}
