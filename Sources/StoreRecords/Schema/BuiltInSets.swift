package import ODataSQLite
package import ODataSQL
package import ODataModel

/// The entity sets that every store has besides the service's: its queue, its error archive, its events.
///
/// They are ordinary sets of the model, so that ordinary requests read them; views over the store's own tables hold their rows.
package enum BuiltInSets {
    static let namespace = "OfflineOData"

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
            model.container.entitySets.append(
                EntitySet(name: definition.set, type: model.add(type))
            )
        }
        addDependents(to: &model)
    }

    /// From each request those can be reached that wait for it; they are in the queue, since none of them was sent.
    private static func addDependents(to model: inout EdmModel) {
        guard let queue = model.container.entitySets.first(where: { $0.name == "RequestQueue" }),
            model[queue.type].name.hasPrefix(namespace + ".")
        else { return }
        for definition in definitions where definition.hasDependents {
            guard
                let index = model.container.entitySets.firstIndex(where: {
                    $0.name == definition.set && model[$0.type].name.hasPrefix(namespace + ".")
                })
            else { continue }
            var property = NavigationProperty(
                name: dependents,
                targetName: model[queue.type].name,
                target: queue.type
            )
            property.isCollection = true
            let type = model.container.entitySets[index].type
            model[type].navigationProperties.append(property)
            model.container.entitySets[index].navigationBindings.append(
                NavigationBinding(path: dependents, target: "RequestQueue")
            )
        }
    }

    /// Returns whether a set is one of ours.
    package static func contains(_ source: NavigationSource, in model: EdmModel) -> Bool {
        guard let type = model.entityType(of: source) else { return false }
        return model[type].name.hasPrefix(namespace + ".")
    }

    /// Makes the views of the sets, anew, as the layout names them.
    package static func createViews(_ connection: SQLiteConnection, layout: Layout) throws {
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
            guard definition.hasDependents else { continue }
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
