import ODataPayload
import TestSupport
import Testing

/// A long recording is played in parts, between which others may have their turn.
@Suite struct RecordingPauseTests {
    private static func customer(_ number: Int) -> String {
        // Now and then one that is not plain.
        number % 700 == 0
            ? ##"{"ID":"c\##(number)","Name":"n\##(number)","Orders":[{"ID":\##(number)}]}"##
            : #"{"ID":"c\#(number)","Name":"n\#(number)"}"#
    }

    /// `readPayload` itself expects that what is played is what was read.
    @Test func playsAllOfALongRecording() throws {
        let customers = (1...5_000).map(Self.customer).joined(separator: ",")
        let reading = try readPayload("{\"value\":[\(customers)]}", ShopModel.v4)
        #expect(reading.lines.count > 10_000)
    }

    @Test(arguments: [(10, 0), (5_000, 1)])
    func pausesWhenSomeEntitiesHaveBeenPlayed(_ count: Int, _ leastPauses: Int) throws {
        let plans = ModelPlans(ShopModel.v4)
        let plan = try #require(plans.plan(set: "Customers"))
        var reader = PayloadReader(model: ShopModel.v4, plan: plan, plans: plans)
        let customers = (1...count).map(Self.customer).joined(separator: ",")
        var recording = EntityRecording()
        try reader.record(Array("{\"value\":[\(customers)]}".utf8).span, into: &recording)
        var sink = RecordingSink(plans)
        var pauses: [Int] = []
        try recording.play(into: &sink) { pauses.append(1) }
        #expect(leastPauses == 0 ? pauses.isEmpty : pauses.count >= leastPauses)
        #expect(pauses.count < count / 100 + 1)
    }
}
