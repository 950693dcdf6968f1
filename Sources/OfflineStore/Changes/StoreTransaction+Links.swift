package import ODataBinding
import ODataSQL
import StoreRecords
import ODataModel
import ODataTables
import ODataAnswers

/// Changes of links.
extension StoreTransaction {
    package func addLink(at path: EntityPath, to reference: String) throws {
        let (source, navigation) = try navigation(at: path)
        try addLink(source, navigation: navigation, to: find(reference))
    }

    func addLink(
        _ source: RowReference,
        navigation: NavigationPropertyID,
        to target: EntityReference
    ) throws {
        let url = try link(source, to: navigation) + "/$ref"
        let recorder = ChangeRecorder(rows, flags: options.flags)
        try markChanged(source, recorder: recorder)
        try editor(recorder).relate(source, navigation: navigation, to: target)
        let body = "{\"@odata.id\":\(quoted(try link(target)))}"
        let isCollection = schema.model[navigation].isCollection
        try enqueue(
            isCollection ? "POST" : "PUT",
            url: url,
            body: body,
            affected: source,
            referred: [target.row].compactMap { $0 },
            recorder: recorder
        )
    }

    package func removeLink(at path: EntityPath, from reference: String?) throws {
        let (source, navigation) = try navigation(at: path)
        try removeLink(source, navigation: navigation, from: try reference.map(find))
    }

    func removeLink(
        _ source: RowReference,
        navigation: NavigationPropertyID,
        from target: EntityReference?
    ) throws {
        try checkRemovable(navigation)
        var url = try link(source, to: navigation) + "/$ref"
        // A single-valued property has one target: only of many is one named.
        if let target, schema.model[navigation].isCollection {
            url += "?$id=" + (try link(target))
        }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        try markChanged(source, recorder: recorder)
        switch target {
        case .row(let row): try editor(recorder).unrelate(source, navigation: navigation, from: row)
        case nil: try editor(recorder).unrelate(source, navigation: navigation, from: nil)
        // What only the service has is related there alone.
        case .outside: break
        }
        try enqueue(
            "DELETE",
            url: url,
            body: nil,
            affected: source,
            referred: [target?.row].compactMap { $0 },
            recorder: recorder
        )
    }

    /// Refuses to leave a required relation without a target (CSDL 4.01 § 8.3).
    private func checkRemovable(_ navigation: NavigationPropertyID) throws {
        let property = schema.model[navigation]
        guard schema.model.version.isV4, property.isRequired else { return }
        throw EditError(
            .invalid,
            "\(property.name) always leads to an entity (Nullable=\"false\"): give it another one"
        )
    }

    private func markChanged(_ entity: RowReference, recorder: ChangeRecorder) throws {
        guard let table = schema.layout[entity.source] else { return }
        try recorder.willChange(entity.row, in: table)
    }

    private func navigation(at path: EntityPath) throws -> (RowReference, NavigationPropertyID) {
        guard let parent = try parent(of: path) else {
            throw EditError(.invalid, "the URL does not end with a navigation property")
        }
        return (parent.entity, parent.navigation)
    }

    private func quoted(_ text: String) -> String {
        // A link holds no character that JSON escapes but the quotation mark, which is percent-encoded.
        "\"\(text)\""
    }
}
