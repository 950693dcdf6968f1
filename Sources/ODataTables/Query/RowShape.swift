import ODataValues
import ODataSQL
import ODataBinding
import ODataModel

/// What is written of a row of one type: its members in order, each with the column that holds it.
///
/// Made once per statement and type; a row is then written without a look-up by name.
final class RowShape: Sendable {
    /// A member or a part of one.
    enum Piece: Sendable {
        case scalar(Scalar)
        case json(name: JSONName, column: Int)
        /// Values as JSON that are not written as they are kept: in part, with their types, with numbers as strings.
        case typedJSON(name: JSONName, column: Int, TypedJSON)
        /// A complex value; null where the presence column is null.
        case complex(name: JSONName, presence: Int, [Piece])
        /// An object that is always there, of what rows were grouped by.
        case group(name: JSONName, [Piece])
        /// A text beside a value, left out where the value is null or not known.
        case typed(name: JSONName, column: Int, json: [UInt8], form: ScalarForm)
        /// The type beside a number that JSON writes as a string: INF, -INF and NaN.
        case typedUnlessFinite(name: JSONName, column: Int)
        /// The number of items of a collection; left out where the collection is null or not known.
        case itemCount(name: JSONName, column: Int, isQuoted: Bool)
        /// The same text in every row.
        case constant(name: JSONName, json: [UInt8])
    }

    /// A primitive member; an object, so that taking it from the list for each row copies one reference.
    final class Scalar: Sendable {
        let name: JSONName
        let column: Int
        let form: JSONForm
        let exactName: String

        /// Whether it is a value of `$compute` or `$apply` whose type no metadata says: SQLite has taken it out of JSON.
        var isDynamic: Bool { form.form == .json && exactName.isEmpty }

        init(name: JSONName, column: Int, form: JSONForm, exactName: String) {
            self.name = name
            self.column = column
            self.form = form
            self.exactName = exactName
        }
    }

    let type: StructuredTypeID
    let typeName: String
    let pieces: [Piece]
    /// The same members as steps, for rows without exact texts.
    let steps: RowSteps
    /// The same members as values are read by.
    let fields: [RowField]
    /// For each of them column and form of a primitive value; no column where it is none.
    let scalars: [(column: Int, form: ScalarForm)]

    /// Makes the shape of rows of a type as a statement selects them.
    ///
    /// - Parameter selections: By the place of a column of JSON, what is selected of its values; of others all.
    init(
        _ type: StructuredTypeID,
        of statement: SelectStatement,
        in model: EdmModel,
        format: AnswerFormat,
        selections: [Int: MemberSelection] = [:]
    ) {
        self.type = type
        typeName = model[type].name
        let table = statement.table
        var columns: [[String]: (column: Int, place: Int)] = [:]
        for (offset, place) in statement.places.enumerated()
        where model.type(type, isOrExtends: table.columns[place].declaringType) {
            columns[table.columns[place].path] = (SelectStatement.firstProperty + offset, place)
        }
        let counts = statement.counted.enumerated().map { offset, place in
            (place, statement.firstItemCount + offset)
        }
        let builder = Builder(
            columns: columns,
            itemCounts: Dictionary(counts) { first, _ in first },
            table: table,
            model: model,
            format: format,
            selections: selections
        )
        pieces =
            model.properties(of: type).flatMap { builder.pieces($0, path: [$0.name]) }
            + Self.computed(statement, in: model, format: format)
        steps = RowSteps(pieces)
        fields = pieces.compactMap(RowField.init)
        scalars = fields.map(\.scalar)
    }

    /// Makes the shape of rows that are no entities.
    init(grouped statement: SelectStatement, in model: EdmModel, format: AnswerFormat) {
        type = statement.table.entityType
        typeName = ""
        pieces = Self.computed(statement, in: model, format: format)
        steps = RowSteps(pieces)
        fields = pieces.compactMap(RowField.init)
        scalars = fields.map(\.scalar)
    }

    /// The values of `$compute` and `$apply`.
    private static func computed(
        _ statement: SelectStatement,
        in model: EdmModel,
        format: AnswerFormat
    ) -> [Piece] {
        let values = statement.computed.enumerated().map { offset, value in
            (value.path[...], value, statement.firstComputed + offset)
        }
        return computed(values, in: model, format: format)
    }

    private static func computed(
        _ values: [(path: ArraySlice<String>, value: ComputedColumn, column: Int)],
        in model: EdmModel,
        format: AnswerFormat
    ) -> [Piece] {
        var pieces: [Piece] = []
        var done: Set<String> = []
        for item in values {
            guard let name = item.path.first, done.insert(name).inserted else { continue }
            guard item.path.count > 1 else {
                pieces += scalar(
                    name,
                    value: item.value,
                    column: item.column,
                    in: model,
                    format: format
                )
                continue
            }
            let inner = values.filter { $0.path.first == name && $0.path.count > 1 }
                .map { ($0.path.dropFirst(), $0.value, $0.column) }
            pieces.append(.group(name: JSONName(name), computed(inner, in: model, format: format)))
        }
        return pieces
    }

    /// A value, with its type before it where JSON does not say it (OData JSON 4.01 § 4.6.3).
    private static func scalar(
        _ name: String,
        value: ComputedColumn,
        column: Int,
        in model: EdmModel,
        format: AnswerFormat
    ) -> [Piece] {
        let form = value.form ?? .string
        let json = JSONForm(
            form,
            in: model,
            style: format.isVerbose ? .v2 : .v4,
            isIEEE754Compatible: format.isIEEE754Compatible
        )
        var pieces: [Piece] = []
        if format.version.isV4, format.metadata != .none, value.isTyped {
            pieces += typePiece(of: form, named: name, column: column, in: model)
        }
        pieces.append(
            .scalar(
                Scalar(
                    name: JSONName(name),
                    column: column,
                    form: format.hasExponentialDecimals ? json : json.withoutExponents,
                    exactName: ""
                )
            )
        )
        return pieces
    }

    private static func typePiece(
        of form: ScalarForm,
        named name: String,
        column: Int,
        in model: EdmModel
    ) -> [Piece] {
        let name = JSONName(name + "@odata.type")
        if form == .double { return [.typedUnlessFinite(name: name, column: column)] }
        guard let type = form.annotatedType(in: model) else { return [] }
        let json = Array("\"#\(type)\"".utf8)
        return [.typed(name: name, column: column, json: json, form: form)]
    }
}

extension ScalarForm {
    /// The type annotation that a dynamic value needs; nil where its JSON form implies the type.
    fileprivate func annotatedType(in model: EdmModel) -> String? {
        switch self {
        case .boolean, .string, .double, .json: nil
        case .integer(let type): String(type.rawValue.dropFirst("Edm.".count))
        case .single: "Single"
        case .scaledDecimal, .decimalText: "Decimal"
        case .guid: "Guid"
        case .binary: "Binary"
        case .date: "Date"
        case .timeOfDay: "TimeOfDay"
        case .duration: "Duration"
        case .dateTimeOffset: "DateTimeOffset"
        case .enumeration(let id): model[id].name
        }
    }
}

/// Makes pieces from properties.
private struct Builder {
    let columns: [[String]: (column: Int, place: Int)]
    /// By the place of a collection, the column that has the number of its items.
    let itemCounts: [Int: Int]
    let table: TableLayout
    let model: EdmModel
    let format: AnswerFormat
    let selections: [Int: MemberSelection]

    /// The member of a property, with its type before it where full control information is asked for.
    func pieces(_ property: StructuralProperty, path: [String]) -> [RowShape.Piece] {
        guard !(format.hidesUnreadable && property.isUnreadable),
            let piece = piece(property, path: path)
        else { return [] }
        let counted = itemCount(of: property, path: path).map { [$0, piece] } ?? [piece]
        guard format.version.isV4, format.metadata == .full,
            let name = model.typeAnnotation(of: property.type)
        else { return counted }
        let text = Array("\"\(name)\"".utf8)
        return [.constant(name: JSONName(property.name + "@odata.type"), json: text)] + counted
    }

    /// The number of items that the client asks for beside a collection (OData JSON 4.01 § 4.5.5).
    private func itemCount(of property: StructuralProperty, path: [String]) -> RowShape.Piece? {
        guard let place = columns[path]?.place, let column = itemCounts[place] else { return nil }
        return .itemCount(
            name: JSONName(property.name + "@odata.count"),
            column: column,
            isQuoted: format.isIEEE754Compatible
        )
    }

    /// Verbose JSON names the type of a complex value inside of it, and so does full control information.
    private func typed(_ members: [RowShape.Piece], as name: String) -> [RowShape.Piece] {
        if format.version.isV4, format.metadata == .full {
            let text = Array("\"#\(name)\"".utf8)
            return [.constant(name: JSONName("@odata.type"), json: text)] + members
        }
        guard format.isVerbose else { return members }
        let text = Array("{\"type\":\"\(name)\"}".utf8)
        return [.constant(name: JSONName("__metadata"), json: text)] + members
    }

    private func style(of property: StructuralProperty) -> ScalarStyle {
        guard format.isVerbose else { return .v4 }
        return property.type.type == .primitive(.dateTime) ? .v2DateTime : .v2
    }

    private func jsonForm(_ form: ScalarForm, of property: StructuralProperty) -> JSONForm {
        let form = JSONForm(
            form,
            in: model,
            style: style(of: property),
            isIEEE754Compatible: format.isIEEE754Compatible
        )
        if format.isData { return form.lossless }
        return format.hasExponentialDecimals ? form : form.withoutExponents
    }

    func piece(_ property: StructuralProperty, path: [String]) -> RowShape.Piece? {
        guard let found = columns[path] else { return nil }
        let column = table.columns[found.place]
        switch column.kind {
        case .scalar(let form):
            return .scalar(
                RowShape.Scalar(
                    name: JSONName(property.name),
                    column: found.column,
                    form: jsonForm(form, of: property),
                    exactName: column.name
                )
            )
        case .json:
            let name = JSONName(property.name)
            let typed = TypedJSON(
                property.type,
                selection: selections[found.place],
                in: model,
                format: format
            )
            guard let typed else { return .json(name: name, column: found.column) }
            return .typedJSON(name: name, column: found.column, typed)
        case .presence:
            guard case .structured(let complex) = property.type.type else { return nil }
            let inner = model.properties(of: complex).flatMap {
                pieces($0, path: path + [$0.name])
            }
            return .complex(
                name: JSONName(property.name),
                presence: found.column,
                typed(inner, as: model[complex].name)
            )
        }
    }
}
