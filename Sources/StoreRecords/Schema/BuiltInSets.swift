package import ODataSQLite
package import ODataSQL
package import ODataModel

/// The entity sets that every store has besides the service's: its queue, its error archive, its events.
///
/// They are ordinary sets of the model, so that ordinary requests read them; views over the store's own tables hold their rows.
package enum BuiltInSets {
    private static let namespace = "OfflineOData"

    /// A column of a view: the property's name, its type, and the SQL that gives it.
    private struct Property {
        var name: String
        var type: PrimitiveType
        var sql: String
        var isCollection = false
    }

    private struct Definition {
        var set: String
        var type: String
        var table: String
        var condition: String
        var properties: [Property]
        /// Whether the entities are requests, which wait for each other.
        var hasDependents = false
    }

    /// The navigation property from a request to those that wait for it.
    private static let dependents = "DependentRequests"

    /// Adds the sets to a service's model; a set whose name the service uses itself is left out.
    package static func add(to model: inout EdmModel) {
        let namespace = freeNamespace(in: model)
        model.schemas.append(.init(namespace: namespace))
        for definition in definitions where model.navigationSource(named: definition.set) == nil {
            var type = StructuredType(name: "\(namespace).\(definition.type)", kind: .entity)
            type.key = [KeyProperty(path: definition.properties[0].name)]
            type.properties = definition.properties.enumerated().map { index, property in
                StructuralProperty(
                    name: property.name,
                    type: TypeReference(
                        .primitive(property.type),
                        isCollection: property.isCollection
                    ),
                    isNullable: index > 0
                )
            }
            var set = EntitySet(name: definition.set, type: model.add(type))
            // Clients compare that document with the service's metadata, which knows nothing of these sets.
            set.isInServiceDocument = false
            model.container.entitySets.append(set)
        }
        addDependents(to: &model)
    }

    /// A namespace that the service does not use itself.
    private static func freeNamespace(in model: EdmModel) -> String {
        var name = namespace
        while model.schemas.contains(where: { $0.namespace == name }) { name += "_" }
        return name
    }

    /// The names of the sets that are ours in a model; the service has the others itself.
    package static func names(in model: EdmModel) -> [String] {
        definitions.map(\.set).filter { name in
            model.navigationSource(named: name).map { contains($0, in: model) } ?? false
        }
    }

    /// From each request those can be reached that wait for it; they are in the queue, since none of them was sent.
    private static func addDependents(to model: inout EdmModel) {
        guard let source = model.navigationSource(named: "RequestQueue"),
            contains(source, in: model), let type = model.entityType(of: source)
        else { return }
        for definition in definitions where definition.hasDependents {
            guard
                let index = model.container.entitySets.firstIndex(where: {
                    $0.name == definition.set && isOurs($0.type, in: model)
                })
            else { continue }
            var property = NavigationProperty(
                name: dependents,
                targetName: model[type].name,
                target: type
            )
            property.isCollection = true
            model[model.container.entitySets[index].type].navigationProperties.append(property)
            model.container.entitySets[index].navigationBindings.append(
                NavigationBinding(path: dependents, target: "RequestQueue")
            )
        }
    }

    /// Returns whether a set is one of ours.
    package static func contains(_ source: NavigationSource, in model: EdmModel) -> Bool {
        model.entityType(of: source).map { isOurs($0, in: model) } ?? false
    }

    /// Whether a type is in our schema, which is the last one of the model.
    private static func isOurs(_ type: StructuredTypeID, in model: EdmModel) -> Bool {
        guard let schema = model.schemas.last else { return false }
        return model[type].name.hasPrefix(schema.namespace + ".")
    }

    /// Makes the views of the sets, anew, as the layout names them; those of a set whose name the service has come to use go.
    package static func createViews(_ connection: SQLiteConnection, layout: Layout) throws {
        let taken = definitions.compactMap {
            layout.model.navigationSource(named: $0.set).flatMap(layout.tableName)
        }
        for name in try connection.viewNames().sorted()
        where name.hasPrefix("$") || taken.contains(name) {
            try connection.execute("DROP VIEW \(name.sqlQuoted)")
        }
        for view in views(layout) {
            try connection.execute("DROP VIEW IF EXISTS \(view.name.sqlQuoted)")
            try connection.execute(view.sql)
        }
    }

    /// The statements that make the views.
    package static func viewStatements(_ layout: Layout) -> [String] { views(layout).map(\.sql) }

    private static func views(_ layout: Layout) -> [(name: String, sql: String)] {
        var views: [(name: String, sql: String)] = []
        for definition in definitions {
            guard let source = layout.model.navigationSource(named: definition.set),
                contains(source, in: layout.model), let table = layout[source]
            else { continue }
            views.append((table.name, view(definition, in: table)))
            guard definition.hasDependents, hasDependents(table, in: layout.model) else { continue }
            let id = NavigationPropertyID(type: table.entityType, index: 0)
            let target = layout.model.target(of: id, from: source)
            guard case .links(let links, _) = layout.relationship(id, from: source, to: target)
            else { continue }
            let sql = """
                CREATE VIEW \(links.sqlQuoted) AS
                SELECT "on" AS "source", "request" AS "target", NULL AS "targetID", 0 AS "state" FROM "$depends"
                """
            views.append((links, sql))
        }
        return views
    }

    /// Whether requests lead to those that wait for them: where the queue is the service's own set, they do not.
    private static func hasDependents(_ table: TableLayout, in model: EdmModel) -> Bool {
        model[table.entityType].navigationProperties.contains { $0.name == dependents }
    }

    private static func view(_ definition: Definition, in table: TableLayout) -> String {
        let system = SystemColumn.allCases.map { column in
            switch column {
            case .id: "\"id\" AS \"$id\""
            case .type, .queries, .state, .stamp: "0 AS \(column.sql)"
            case .etag, .exact, .dynamic, .control, .parent: "NULL AS \(column.sql)"
            }
        }
        let properties = definition.properties.map { "\($0.sql) AS \($0.name.sqlQuoted)" }
        let columns = (system + properties).joined(separator: ", ")
        return "CREATE VIEW \(table.sql) AS SELECT \(columns) FROM \(definition.table.sqlQuoted)"
            + (definition.condition.isEmpty ? "" : " WHERE \(definition.condition)")
    }

    /// The properties that show columns of the queue.
    private static func shown(ofFailure: Bool) -> [Property] {
        QueueColumn.allCases.compactMap { column in
            guard let shown = column.declaration.shown, shown.isOfFailure == ofFailure else {
                return nil
            }
            return Property(name: shown.name, type: shown.type, sql: column.sql)
        }
    }

    private static let request: [Property] =
        shown(ofFailure: false) + [
            Property(
                name: "DependsOn",
                type: .int64,
                sql: """
                    (SELECT '[' || coalesce(group_concat("on"), '') || ']' FROM
                        (SELECT "on" FROM "$depends" WHERE "request" = "$queue"."id" ORDER BY "on"))
                    """,
                isCollection: true
            )
        ]

    private static let failure = shown(ofFailure: true)

    private static let definitions = [
        Definition(
            set: "RequestQueue",
            type: "QueuedRequest",
            table: "$queue",
            condition: "\"status\" <> 'failed'",
            properties: request,
            hasDependents: true
        ),
        Definition(
            set: "ErrorArchive",
            type: "ArchivedRequest",
            table: "$queue",
            condition: "\"status\" = 'failed'",
            properties: request + failure,
            hasDependents: true
        ),
        Definition(
            set: "EventLog",
            type: "LogEvent",
            table: "$event",
            condition: "",
            properties: [
                Property(name: "ID", type: .int64, sql: "\"id\""),
                Property(name: "Type", type: .string, sql: "\"type\""),
                Property(name: "Details", type: .string, sql: "\"details\""),
                Property(name: "Time", type: .string, sql: "\"time\""),
            ]
        ),
    ]
}
