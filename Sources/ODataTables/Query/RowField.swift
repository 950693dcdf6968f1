package import ODataValues
import ODataSQL

/// A property of the rows of one type: where its value stands in a batch.
package struct RowField: Sendable {
    /// What the property holds.
    package enum Kind: Sendable {
        case scalar(column: Int, ScalarForm, exactName: String)
        /// JSON text.
        case json(column: Int)
        /// A complex value; null where the presence column is null.
        case complex(presence: Int, [RowField])
    }

    package let name: String
    package let kind: Kind

    /// Takes over a member; nil for what answers add to entities.
    init?(_ piece: RowShape.Piece) {
        switch piece {
        case .scalar(let scalar):
            name = scalar.name.text
            kind = .scalar(
                column: Self.column(scalar.column),
                scalar.form.form,
                exactName: scalar.exactName
            )
        case .json(let name, let column), .typedJSON(let name, let column, _):
            self.name = name.text
            kind = .json(column: Self.column(column))
        case .complex(let name, let presence, let inner):
            self.name = name.text
            kind = .complex(presence: Self.column(presence), inner.compactMap(RowField.init))
        case .group, .typed, .typedUnlessFinite, .itemCount, .constant: return nil
        }
    }

    /// The column of a batch that holds what a statement's column holds.
    private static func column(_ column: Int) -> Int {
        column - SelectStatement.firstProperty + RowBatch.firstProperty
    }

    /// Column and form of a primitive value; no column for any other.
    var scalar: (column: Int, form: ScalarForm) {
        if case .scalar(let column, let form, _) = kind { (column, form) } else { (-1, .json) }
    }
}
