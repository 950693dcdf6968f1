package import ODataSQLite
import ODataSQL
package import ODataValues
package import ODataModel

/// The values of rows as they were read, side by side in two arrays: a row costs no memory of its own.
///
///     cells   | type | ETag | exact texts | value | value | … |  a line for each row, 16 bytes a cell
///     texts   | the bytes of all texts and blobs, one after the other |
///
/// What a row holds beyond values in their columns (states, dynamic members, links) comes seldom: such a row is kept as
/// the JSON object that an answer would have.
package final class RowBatch: Sendable {
    /// A value as the table holds it.
    package struct Cell: Sendable {
        package let storage: StorageClass
        let length: Int32
        /// The number's bits, or where the bytes begin.
        let bits: Int64

        package var integer: Int64 { bits }
        package var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
    }

    /// An expanded navigation property of all rows.
    package struct Nested: Sendable {
        package let name: String
        package let isCollection: Bool
        package let batch: RowBatch
        let parents: ParentPositions
        let rows: [Range<Int>]
        /// The type of the entities that it is a part of; nil where it is of all.
        var holder: StructuredTypeID?

        /// The rows that a row of the level above leads to.
        package func rows(of parent: Int) -> Range<Int> { rows[parents[parent]] }
    }

    private let layout: Layout
    package let source: NavigationSource
    package let count: Int
    let width: Int
    let cells: [Cell]
    let texts: [UInt8]
    /// The shape of the first row, and of rows of other types by their codes.
    private let shape: RowShape?
    private let shapes: [Int64: RowShape]
    /// Whether the rows are of several types.
    private let isMixed: Bool
    /// How many members each row has before its properties; nil where not all have as many.
    private let commonHeadCount: Int?
    /// Columns and forms of the members of the first shape.
    private let scalars: [(column: Int, form: ScalarForm)]
    /// JSON objects of rows that hold more than values.
    private let objects: [Int: [UInt8]]
    private let ids: [Int64]
    private let nested: [Nested]

    init(_ reader: consuming RowBatchReader, nested: [Nested], in layout: Layout) {
        self.layout = layout
        source = reader.plan.statement.table.source
        count = reader.count
        width = reader.width
        isMixed = !reader.shapes.isEmpty
        commonHeadCount = reader.commonHeadCount
        scalars = reader.shape?.scalars ?? []
        cells = reader.cells
        texts = reader.texts
        shape = reader.shape
        shapes = reader.shapes
        objects = reader.objects
        ids = reader.ids
        self.nested = nested
    }

    package var model: EdmModel { layout.model }

    /// The id of a row.
    package func id(of row: Int) -> Int64 { ids[row] }
}

// MARK: - Reading

extension RowBatch {
    /// Column of the type's code.
    static let typeCell = 0
    /// Column of the ETag.
    static let etagCell = 1
    /// Column of the exact texts.
    static let exactCell = 2
    /// Where properties begin.
    static let firstProperty = 3

    /// The expanded navigation properties of a row.
    package func nested(of row: Int) -> [Nested] {
        guard nested.contains(where: { $0.holder != nil }) else { return nested }
        return nested.filter { item in
            guard let holder = item.holder, let type = shape(of: row)?.type else { return true }
            return model.type(type, isOrExtends: holder)
        }
    }

    /// The JSON object of a row that holds more than values; nil for any other.
    package func object(_ row: Int) -> [UInt8]? {
        objects.isEmpty ? nil : objects[row]
    }

    /// The members of a row's type.
    func shape(of row: Int) -> RowShape? {
        !isMixed ? shape : shapes[cells[row * width + Self.typeCell].integer] ?? shape
    }

    /// The properties of a row in order.
    package func fields(of row: Int) -> [RowField] { shape(of: row)?.fields ?? [] }

    /// The value in a column of a row.
    package func cell(_ row: Int, column: Int) -> Cell { cells[row * width + column] }

    /// The primitive value of the member at a place, with its form; nil where it is something else, or a text about the row.
    package func value(_ row: Int, at place: Int) -> (cell: Cell, form: ScalarForm)? {
        let index = place - headCount(row)
        guard index >= 0 else { return nil }
        if isMixed { return value(row, at: index, of: shape(of: row)?.scalars ?? []) }
        return value(row, at: index, of: scalars)
    }

    @inline(__always)
    private func value(
        _ row: Int,
        at index: Int,
        of scalars: [(column: Int, form: ScalarForm)]
    ) -> (cell: Cell, form: ScalarForm)? {
        guard index < scalars.count else { return nil }
        let (column, form) = scalars[index]
        return column < 0 ? nil : (cells[row * width + column], form)
    }

    /// Whether a row has exact texts.
    package func hasExactTexts(_ row: Int) -> Bool { cell(row, column: Self.exactCell).length > 0 }

    /// The exact text of a row's value by the name of its column; nil where there is none.
    package func exactText(_ row: Int, named name: String) -> String? {
        let cell = cell(row, column: Self.exactCell)
        guard cell.length > 0 else { return nil }
        let texts = texts
        // Most texts are of another column: they are not read then.
        guard ExactTexts.mayHold(name, in: texts.span.extracting(range(cell))) else { return nil }
        return ExactTexts(texts.span.extracting(range(cell)))[name]
    }

    /// How many members a row has before its properties: type name and ETag.
    package func headCount(_ row: Int) -> Int {
        if let commonHeadCount { return commonHeadCount }
        return Self.headCount(cells, at: row * width)
    }

    /// How many members a row has before its properties, by its cells.
    static func headCount(_ cells: [Cell], at first: Int) -> Int {
        (cells[first + typeCell].integer == 0 ? 0 : 1)
            + (cells[first + etagCell].length == 0 ? 0 : 1)
    }

    /// The ETag of a row; nil where there is none.
    package func etag(_ row: Int) -> String? {
        let cell = cell(row, column: Self.etagCell)
        return cell.length > 0 ? string(cell) : nil
    }

    /// The name of a row's type where it is not the declared one.
    package func typeName(_ row: Int) -> String? {
        cell(row, column: Self.typeCell).integer == 0 ? nil : shape(of: row)?.typeName
    }

    /// The key of a row; nil where it was not read along, or the service has not given it yet.
    package func key(of row: Int) -> [Scalar]? {
        guard let table = layout[source], let fields = shape(of: row)?.fields else { return nil }
        let key = table.keyColumns.compactMap { place -> Scalar? in
            let column = table.columns[place]
            guard column.path.count == 1,
                case .scalar(let index, _, _)? = fields.first(where: { $0.name == column.path[0] })?
                    .kind
            else { return nil }
            let value = scalar(cell(row, column: index))
            return value == .null || UnknownValue.isUnknown(value, in: column) ? nil : value
        }
        return key.count == table.keyColumns.count ? key : nil
    }

    /// The bytes of a value kept as text or blob.
    package func bytes(_ cell: Cell) -> ArraySlice<UInt8> {
        texts[range(cell)]
    }

    func range(_ cell: Cell) -> Range<Int> {
        Int(cell.bits)..<Int(cell.bits) + Int(cell.length)
    }

    /// The value as a scalar.
    package func scalar(_ cell: Cell) -> Scalar {
        switch cell.storage {
        case .null: .null
        case .integer: .integer(cell.integer)
        case .real: .real(cell.real)
        case .text: .text(string(cell))
        case .blob: .blob(Array(bytes(cell)))
        }
    }
}
