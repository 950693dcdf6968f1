import StoreRecords
import StoreUpload
import ODataSQL
import ODataModel
import ODataTables

/// Entities that the service has created without returning their key, or without an answer.
extension QueueEditor {
    /// Says which entity of the service a created one is; requests that wait for its key can be sent.
    ///
    /// Where the answer to its creation was lost, that was carried out then.
    ///
    /// - Throws: ``StoreError`` where the key of the entity is known, or the name is no URL of an entity of its set.
    package func identify(_ url: String, as name: String) throws {
        let entity = try entity(url)
        let lost = try queue.entries([.unknownOutcome])
            .first { $0.row == entity.row && $0.isCreation }
        let lacksKey = try UnreturnedKeys(connection).all().contains { $0.row == entity.row }
        guard lost != nil || lacksKey else {
            throw StoreError(
                .wrongState,
                "the key of \(url) is not open: only an entity that the service created without returning its key, or without an answer, can be named"
            )
        }
        guard let key = try ReturnedKey(connection, schema: schema).key(in: name, entity.table)
        else {
            let set = schema.layout.model.name(of: entity.source)
            throw StoreError(.invalid, "'\(name)' is no URL of an entity of \(set), e.g. \(set)(1)")
        }
        let keys = KeyChange(connection, schema: schema)
        let isLast = try EffectJournal(connection).requests(on: entity.row).allSatisfy {
            $0 == lost?.id
        }
        if isLast { try keys.keepBrought(under: key, for: entity.row, in: entity.table) }
        if let lost {
            try UploadRecorder(connection, schema: schema).succeed(
                lost,
                success: .init(location: name)
            )
        } else {
            try keys.settle(entity.row, in: entity.table, to: key)
        }
        try keys.takeBrought(for: entity.row, in: entity.table)
        try queue.unpark()
    }
}
