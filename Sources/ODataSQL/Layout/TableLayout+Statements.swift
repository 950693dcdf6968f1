package import ODataSQLite
import Synchronization

// The statements for single rows. They are long, and a model may have thousands of tables, so each is made when it is needed.

extension TableLayout {
    /// The statement that inserts a whole row.
    package var insertStatement: SQLText {
        Self.known(insertText) { "INSERT INTO \(sql) \(Self.insertList(columns))" }
    }

    /// The statement that reads the service's ETag of a row, its state and all its values.
    package var stateStatement: SQLText {
        Self.known(stateText) {
            let head = [SystemColumn.etag.sql, SystemColumn.state.sql]
            let tail = [SystemColumn.exact.sql, SystemColumn.dynamic.sql]
            let list = (head + columns.map(\.sql) + tail).joined(separator: ", ")
            return "SELECT \(list) FROM \(sql) WHERE \"$id\" = ?1"
        }
    }

    /// The statement that finds the row with a key.
    package var keyStatement: SQLText {
        Self.known(keyText) { find(keyConditions) }
    }

    /// The statement that finds the row with a key among the children of a parent.
    package var childStatement: SQLText {
        Self.known(childText) {
            find(keyConditions + [parentCondition])
        }
    }

    /// The condition that a row of the table, or a copy of one, is the entity with a key; of a contained entity also, behind the key, that
    /// it is below a parent: the same key may stand below others.
    package var identityCondition: String {
        (keyConditions + (isContained ? [parentCondition] : [])).joined(separator: " AND ")
    }

    private var keyConditions: [String] {
        keyColumns.enumerated().map { "\(columns[$1].sql) = ?\($0 + 1)" }
    }

    private var parentCondition: String {
        "\(SystemColumn.parent.sql) = ?\(keyColumns.count + 1)"
    }

    private func find(_ conditions: [String]) -> String {
        "SELECT \"$id\" FROM \(sql) WHERE " + conditions.joined(separator: " AND ")
    }

    private static func known(
        _ text: borrowing AtomicLazyReference<SQLText>,
        make: () -> String
    ) -> SQLText {
        text.load() ?? text.storeIfNil(SQLText(make()))
    }
}
