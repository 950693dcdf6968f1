import ODataModel
import ODataProtocol
import ODataTables

/// Entities that the service has created without telling their key.
extension QueueEditor {
    /// Says which entity of the service a created one is; requests that wait for its key can be sent.
    ///
    /// - Throws: ``StoreError`` where the key of the entity is known, or the name is no URL of an entity of its set.
    package func identify(_ url: String, as name: String) throws {
        let entity = try entity(url)
        guard try UntoldKeys(connection).all().contains(where: { $0.row == entity.row }) else {
            throw StoreError(
                .wrongState,
                "the key of \(url) is not open: only an entity that the service created without telling its key can be named"
            )
        }
        guard let key = try ToldKey(connection, schema).key(in: name, entity.table) else {
            let set = schema.layout.model.name(of: entity.source)
            throw StoreError(.invalid, "'\(name)' is no URL of an entity of \(set), e.g. \(set)(1)")
        }
        try KeyChange(connection, schema).settle(entity.row, entity.table, to: key)
        try queue.unpark()
    }
}
