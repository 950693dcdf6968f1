import ODataPayload

/// A recording that goes to and fro between the reading and the writing of pages, so that its memory is used again.
///
/// What guards what: it belongs to the task that reads until it is handed to the writer, and to the writer until everything in it is
/// written; no two of them touch it at the same time.
final class RecordingBuffer: @unchecked Sendable {
    var recording: EntityRecording

    init(payloadBytes: Int) {
        recording = EntityRecording(payloadBytes: payloadBytes)
    }
}
