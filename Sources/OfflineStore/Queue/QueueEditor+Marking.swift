import ODataProtocol

extension QueueEditor {
    /// Takes the requests about an entity for carried out, so that its local values stay and nothing is sent; answers their ids.
    ///
    /// - Throws: ``StoreError`` where one of them is on its way.
    package func markAsDone(_ url: String) throws -> [Int64] {
        let entity = try entity(url)
        let requests = try journal.requests(on: entity.row).map(entry)
        for request in requests { try check(request, .includingUnknownOutcome) }
        let recorder = UploadRecorder(connection, schema)
        for request in requests where request.row == entity.row {
            try recorder.succeed(request, UploadRecorder.Success())
        }
        try queue.unpark()
        return requests.map(\.id)
    }
}
