import TestSupport
import Testing

@testable import ODataValues

/// Faults of callers that end the process before a wrong value is made.
@Suite struct ValuePreconditionTests {
    @Test(arguments: [-1, 19]) func decimalRefusesAScaleOutsideZeroTo18(_ scale: Int) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [scale = scale as Int] in
            Trap.endWithoutReport()
            _ = DecimalText(1, scale: scale)
        }
        #expect(
            Trap.isReported("has such a scale", in: result?.standardErrorContent)
        )
    }

    @Test func outputRefusesMoreBytesThanItHasRoomFor() async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) {
            Trap.endWithoutReport()
            var writer = JSONWriter(capacity: 0)
            writer.members(room: 2) { output, _ in
                let long = Array(repeating: UInt8(ascii: "x"), count: 1_000_000)
                output.append(bytes: long.span)
            }
        }
        #expect(
            Trap.isReported("the room made for a value", in: result?.standardErrorContent)
        )
    }
}
