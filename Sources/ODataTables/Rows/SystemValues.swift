package import ODataValues
package import ODataSQL

/// What a new row gets in those of its system columns that its values do not decide.
package struct SystemValues: Sendable {
    /// The ETag.
    package var etag = Scalar.null
    /// The row that contains the new one.
    package var parent: Int64?
    /// JSON object of links.
    package var control: String?
    /// What the store knows of the row.
    package var state: RowState = []

    package init(etag: Scalar = .null, state: RowState = []) {
        (self.etag, self.state) = (etag, state)
    }

    /// The value of a column.
    subscript(column: SystemColumn) -> Scalar {
        switch column {
        case .etag: etag
        case .parent: parent.map { .integer($0) } ?? .null
        case .control: control.map { .text($0) } ?? .null
        case .state: .integer(state.rawValue)
        case .id, .exact, .dynamic: .null
        case .type, .queries, .stamp: .integer(0)
        }
    }
}
