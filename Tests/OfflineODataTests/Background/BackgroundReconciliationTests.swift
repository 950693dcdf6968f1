import StoreUpload
import ODataHTTP
import Testing

@testable import OfflineSync
@testable import OfflineOData

/// What is made of the tasks that a background session has kept over the end of a process.
@Suite struct BackgroundReconciliationTests {
    private let item = UploadSpool.Item(id: "a", form: .single, contentIDs: [7: 1])
    private let response = HTTPResponse(status: 204)

    private func task(
        _ id: Int,
        _ name: String?,
        _ state: BackgroundUploadTask.State
    ) -> BackgroundUploadTask {
        BackgroundUploadTask(id: id, name: name, state: state)
    }

    @Test func takesTheAnswer() {
        let task = task(1, "a", .answered(response))
        let found = BackgroundReconciliation([item], tasks: [task])
        #expect(found.answers == ["a": response])
        #expect(found.removed == [task])
        #expect(found.lost.isEmpty && found.unsent.isEmpty && found.running.isEmpty)
    }

    @Test func waitsForWhatRuns() {
        let found = BackgroundReconciliation([item], tasks: [task(1, "a", .running)])
        #expect(found.running == ["a"])
        #expect(found.removed.isEmpty && found.lost.isEmpty)
    }

    @Test func letsWaitAgainWhatSurelyWasNotSent() {
        let found = BackgroundReconciliation(
            [item],
            tasks: [task(1, "a", .failed(isCertainlyUnsent: true))]
        )
        #expect(found.unsent == ["a"] && found.lost.isEmpty)
    }

    @Test func asksForWhatMayHaveBeenSent() {
        let failed = task(1, "a", .failed(isCertainlyUnsent: false))
        #expect(BackgroundReconciliation([item], tasks: [failed]).lost == ["a"])
        #expect(BackgroundReconciliation([item], tasks: []).lost == ["a"])
    }

    @Test func keepsAnAnswerThatIsThere() {
        var known = item
        known.answers = [7: Array("HTTP/1.1 204 \r\n\r\n".utf8)]
        let late = task(1, "a", .failed(isCertainlyUnsent: true))
        let found = BackgroundReconciliation([known], tasks: [late])
        #expect(found.answers.isEmpty && found.unsent.isEmpty && found.lost.isEmpty)
        #expect(found.removed == [late])
    }

    @Test func removesTasksThatAreNotOurs() {
        let tasks = [task(1, "b", .running), task(2, nil, .answered(response))]
        let found = BackgroundReconciliation([], tasks: tasks)
        #expect(found.removed == tasks)
    }

    /// A process was ended while it started the task a second time: nothing is sent again while one of both may be at the service.
    @Test(arguments: [
        BackgroundUploadTask.State.running, .failed(isCertainlyUnsent: true),
        .failed(isCertainlyUnsent: false),
    ])
    func neverCallsUnsentWhatOneOfTwoTasksMayHaveSent(other: BackgroundUploadTask.State) {
        let answered = BackgroundReconciliation(
            [item],
            tasks: [task(1, "a", other), task(2, "a", .answered(response))]
        )
        #expect(answered.answers == ["a": response])
        let failed = BackgroundReconciliation(
            [item],
            tasks: [task(1, "a", other), task(2, "a", .failed(isCertainlyUnsent: false))]
        )
        #expect(failed.unsent.isEmpty)
    }

    @Test func leavesAnswersOfThisProcessAlone() {
        let own = UploadSpool.Item(id: "c", form: .each, contentIDs: [7: 1])
        #expect(
            BackgroundReconciliation([own], tasks: []) == BackgroundReconciliation([], tasks: [])
        )
    }
}
