import StoreRecords
import StoreUpload

extension QueueEditor {
    /// Takes the requests about an entity for carried out, so that its local values stay and nothing is sent; answers their ids.
    ///
    /// - Throws: ``StoreError`` where one of them is on its way.
    package func markAsDone(_ url: String) throws -> [Int64] {
        let entity = try entity(url)
        let requests = try journal.requests(on: entity.row).map(entry)
        for request in requests { try check(request, consent: .includingUnknownOutcome) }
        let recorder = UploadRecorder(connection, schema: schema)
        // A request about another entity that names this one has still to go.
        let own = requests.filter { $0.row == entity.row }
        for request in own { try recorder.succeed(request, success: UploadRecorder.Success()) }
        try queue.unpark()
        return own.map(\.id)
    }
}
