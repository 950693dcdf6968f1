import ODataModel

/// Writes the accessors of the sets and singletons.
struct AccessorWriter {
    let model: EdmModel
    let names: TypeNames
    let selection: TypeSelection

    var lines: [String] {
        var taken: Set<String> = []
        var members: [String] = []
        for set in model.container.entitySets where selection.sets.contains(set.name) {
            members += accessor(set.name, set.type, "ODataEntitySet", set.annotations, &taken)
        }
        for one in model.container.singletons where selection.sets.contains(one.name) {
            members += accessor(one.name, one.type, "ODataSingleton", one.annotations, &taken)
        }
        guard !members.isEmpty else { return [] }
        return ["extension OfflineODataProvider {"] + members.dropFirst() + ["}"]
    }

    private func accessor(
        _ set: String,
        _ type: StructuredTypeID,
        _ kind: String,
        _ annotations: [Annotation],
        _ taken: inout Set<String>
    ) -> [String] {
        var name = SwiftName.member(set)
        if Self.reserved.contains(name) { name += kind == "ODataSingleton" ? "Entity" : "Set" }
        name = SwiftName.unique(name, among: &taken)
        let entity = names.qualified(.structured(type))
        let comment = Documentation.lines(
            annotations,
            fallback: kind == "ODataSingleton"
                ? "The singleton `\(set)`." : "The entity set `\(set)`.",
            indentation: "    "
        )
        return [""] + comment + [
            "    public var \(SwiftName.escaped(name)): \(kind)<\(entity)> {",
            "        \(kind)(\(SwiftName.literal(set)), of: self)", "    }",
        ]
    }

    /// Members that a provider has already.
    static let reserved: Set<String> = [
        "affectedEntities", "backgroundUploads", "callOperation", "cancelDownload", "cancelUpload",
        "checkIntegrity", "clear", "close", "compareWithService", "conflict", "create",
        "definingQueries", "delegate", "delete", "discardError", "download", "entity",
        "errorArchive",
        "eventLog", "events", "exportData", "exportQueue", "exportStreams", "handler",
        "hasPendingDownload", "hasPendingUpload", "importData", "importQueue", "isOpen",
        "liveQuery",
        "metadata", "metadataDocument", "open", "parameters", "progressUpdates", "provenance",
        "refusedRequests", "request", "requestQueue", "requestQueueIsEmpty", "requests", "respond",
        "sendStore", "serviceRoot", "sets", "settings", "status", "storage", "store", "storeFile",
        "stream",
        "undoPendingChanges", "update", "upload", "uploadPreview",
    ]
}
