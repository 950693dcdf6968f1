import ODataModel
import ODataProtocol

/// What is written of a row of one type: its members in order, each with the column that holds it.
///
/// Made once per statement and type; a row is then written without a look-up by name.
struct RowShape {
    /// A member or a part of one.
    enum Piece {
        case scalar(name: JSONName, column: Int, form: JSONForm, exactName: String)
        case json(name: JSONName, column: Int)
        /// A complex value; null where the presence column is null.
        case complex(name: JSONName, presence: Int, [Piece])
    }

    var typeName: String
    var pieces: [Piece]

    /// Makes the shape of rows of a type as a statement selects them.
    init(
        _ type: StructuredTypeID,
        of statement: SelectStatement,
        select: BoundSelect,
        in model: EdmModel,
        format: AnswerFormat
    ) {
        typeName = model[type].name
        let table = statement.table
        var columns: [[String]: (column: Int, place: Int)] = [:]
        for (offset, place) in statement.places.enumerated()
        where model.type(type, isOrExtends: table.columns[place].declaringType) {
            columns[table.columns[place].path] = (SelectStatement.firstProperty + offset, place)
        }
        let builder = Builder(
            columns: columns,
            table: table,
            model: model,
            select: select,
            format: format
        )
        pieces = model.properties(of: type).compactMap { builder.piece($0, path: [$0.name]) }
    }
}

/// Makes pieces from properties.
private struct Builder {
    let columns: [[String]: (column: Int, place: Int)]
    let table: TableLayout
    let model: EdmModel
    let select: BoundSelect
    let format: AnswerFormat

    func piece(_ property: StructuralProperty, path: [String]) -> RowShape.Piece? {
        guard let found = columns[path] else { return nil }
        let column = table.columns[found.place]
        // Keys come in any case: without them nobody could tell which entity it is.
        guard column.keyIndex != nil || isSelected(path) else { return nil }
        switch column.kind {
        case .scalar(let form):
            return .scalar(
                name: JSONName(property.name),
                column: found.column,
                form: JSONForm(form, in: model, isIEEE754Compatible: format.isIEEE754Compatible),
                exactName: column.name
            )
        case .json: return .json(name: JSONName(property.name), column: found.column)
        case .presence:
            guard case .structured(let complex) = property.type.type else { return nil }
            let inner = model.properties(of: complex).compactMap {
                piece($0, path: path + [$0.name])
            }
            return .complex(name: JSONName(property.name), presence: found.column, inner)
        }
    }

    private func isSelected(_ path: [String]) -> Bool {
        guard case .paths(let paths) = select else { return true }
        return paths.contains { path.starts(with: $0) || $0.starts(with: path) }
    }
}
