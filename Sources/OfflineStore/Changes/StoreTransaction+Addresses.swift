import ODataBinding
import StoreRecords
package import ODataSQL
import ODataModel
import ODataURL
import ODataTables

/// What references and paths mean, and how entities are addressed.
extension StoreTransaction {
    /// Finds what a reference means, by its key or its local id; absolute URLs too.
    ///
    /// An entity that the store does not hold may be referred to, since it holds a part of the service's data only; one that was
    /// deleted here may not.
    func find(_ reference: String) throws -> EntityReference {
        let request = try BoundRequest(
            ofService: ServiceRoot.relative(reference, on: connection),
            in: schema.model
        )
        guard case .entities(let path) = request.resource, path.isSingle(in: schema.model) else {
            throw EditError.noSingleEntity(reference)
        }
        if let row = try query().rows(path).first { return .row(row) }
        guard case .key(let key)? = path.steps.first, path.steps.count == 1,
            case .entitySet = path.source,
            try QueueEditor(connection, schema: schema).deletedEntity(path) == nil
        else {
            throw EditError(.notFound, "the entity that the request refers to is not in the store")
        }
        return .outside(path.source, key: key)
    }

    /// The address of what a reference means, relative to the service root.
    func link(_ reference: EntityReference) throws -> String {
        switch reference {
        case .row(let row): return try link(row)
        case .outside(let source, let key):
            guard
                let url = EntityURL(model: schema.model, version: .v4).canonical(source, key: key)
            else { throw EditError(.invalid, "the reference has no key") }
            return url
        }
    }

    func entity(at path: EntityPath) throws -> RowReference {
        guard path.isSingle(in: schema.model) else {
            throw EditError(.invalid, "the URL addresses a collection, not one entity")
        }
        guard let row = try query().rows(path).first else {
            throw EditError(.notFound, "there is no such entity in the store")
        }
        return row
    }

    /// The entity and the navigation property at the end of a path that leads through one; nil for a plain set.
    func parent(of path: EntityPath) throws -> EntityEditor.Parent? {
        guard case .navigation(let id, _)? = path.steps.last else { return nil }
        var owner = path
        owner.steps.removeLast()
        let entity = try entity(at: owner)
        try checkComplexPath(owner, from: entity, to: id)
        return EntityEditor.Parent(entity: entity, navigation: id)
    }

    /// Refuses a change through one of several complex values of a type: a store keeps their relations as those of the entity.
    ///
    /// - Throws: `EditError` where the request would not go to where the path leads.
    private func checkComplexPath(
        _ owner: EntityPath,
        from entity: RowReference,
        to navigation: NavigationPropertyID
    ) throws {
        let names = owner.steps.reversed().prefix { $0.complexName != nil }
            .compactMap(\.complexName).reversed()
        guard !names.isEmpty else { return }
        let written = (names + [schema.model[navigation].name]).joined(separator: "/")
        let kept = EntityLink(rows).path(from: entity.source, to: navigation)
        guard kept != "/" + written else { return }
        throw EditError(
            .notSupported,
            "\(written) cannot be changed in a store: the entity has several values of the type \(schema.model[navigation.type].name), whose relations cannot be distinguished"
        )
    }

    package func link(_ entity: RowReference) throws -> String {
        guard let link = try EntityLink(rows).link(entity) else {
            throw EditError(
                .notFound,
                "the entity cannot be addressed: it has neither key nor local id"
            )
        }
        return link
    }

    /// The address of what a navigation property of an entity leads to; a cast before what only a derived type declares.
    func link(_ entity: RowReference, to navigation: NavigationPropertyID) throws -> String {
        try link(entity) + EntityLink(rows).path(from: entity.source, to: navigation)
    }

    /// The address of a stream of an entity; the empty name is that of a media entity's own.
    func link(_ entity: RowReference, toStream property: String) throws -> String {
        try link(entity) + EntityLink(rows).path(from: entity, toStream: property)
    }

    /// Rows that a body refers to, at every depth.
    func referredRows(_ body: EntityBody) throws -> [Int64] {
        try body.bindings.compactMap { try find($0.reference).row }
            + body.inline.flatMap { try $0.entities.flatMap(referredRows) }
    }
}

extension EntityPath.Step {
    /// The name of a complex property that is entered; nil for other steps.
    fileprivate var complexName: String? {
        if case .complex(let name) = self { name } else { nil }
    }
}
