import ODataModel
import TestSupport
import Testing

@testable import ODataPayload

/// Faults of callers that end the process before memory of others is read.
@Suite struct PayloadPreconditionTests {
    private static let bytes: [UInt8] = Array("[1]".utf8)

    @Test(arguments: [-1, 4]) func cursorRefusesAPlaceOutsideItsRange(_ place: Int) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [place = place as Int] in
            Trap.endWithoutReport()
            ByteCursor.with(PayloadPreconditionTests.bytes.span) { $0.move(to: place) }
        }
        #expect(
            Trap.isReported("moved out of its range", in: result?.standardErrorContent)
        )
    }

    @Test(arguments: [(-1, 1), (2, 1), (0, 4)])
    func cursorRefusesASpanOutsideItsRange(from start: Int, to end: Int) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [start = start as Int, end = end as Int] in
            Trap.endWithoutReport()
            _ = ByteCursor.with(PayloadPreconditionTests.bytes.span) { cursor in
                cursor.withSpan(from: start, to: end) { $0.count }
            }
        }
        #expect(
            Trap.isReported("outside the cursor's range", in: result?.standardErrorContent)
        )
    }

    @Test(arguments: [(-1, 2), (0, 4)])
    func windowRefusesACursorOutsideItsBytes(from start: Int, to end: Int) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [start = start as Int, end = end as Int] in
            Trap.endWithoutReport()
            let window = ByteWindow(capacity: 16)
            window.append(PayloadPreconditionTests.bytes.span)
            window.withCursor(start..<end) { $0.skipSpace() }
        }
        #expect(
            Trap.isReported("range is outside the window", in: result?.standardErrorContent)
        )
    }

    @Test(arguments: [-1, 3]) func windowRefusesAByteThatHasNotArrived(_ index: Int) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [index = index as Int] in
            Trap.endWithoutReport()
            let window = ByteWindow(capacity: 16)
            window.append(PayloadPreconditionTests.bytes.span)
            _ = window[index]
        }
        #expect(
            Trap.isReported("asked for is outside the window", in: result?.standardErrorContent)
        )
    }

    @Test func plainEntityRefusesALink() async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) {
            Trap.endWithoutReport()
            var sink = RecordingSink(ModelPlans(ShopModel.v4))
            let link = RecordedCall(.link, number: 0, length: 0)
            _ = try sink.takeValue(
                link,
                text: PayloadPreconditionTests.bytes.span.extracting(0..<0),
                value: 0
            )
        }
        #expect(
            Trap.isReported("holds values only", in: result?.standardErrorContent)
        )
    }
}
