import ODataModel
import ODataProtocol

/// Appends the members of one row to a buffer as JSON, straight from the statement's columns.
struct RowWriter {
    private(set) var buffer: [UInt8]
    private let format: AnswerFormat
    private let model: EdmModel
    private var needsComma = false

    init(buffer: [UInt8], format: AnswerFormat, model: EdmModel) {
        self.buffer = buffer
        self.format = format
        self.model = model
    }

    // MARK: Control information

    /// Writes type, ETag, links and states.
    mutating func control(_ row: SQLiteStatement, _ table: TableLayout, typeName: String?) {
        guard format.metadata != .none else { return }
        if let typeName { member("@odata.type", string: "#" + typeName) }
        let etag = SelectStatement.place(of: .etag)
        if !row.isNull(etag) { member("@odata.etag", string: row.string(etag)) }
        let links = SelectStatement.place(of: .control)
        if !row.isNull(links) {
            row.withText(links) { text in
                // The object's members become the entity's.
                guard text.count > 2 else { return }
                separate()
                append(text.extracting(1..<text.count - 1))
            }
        }
        states(RowState(rawValue: row.integer(SelectStatement.place(of: .state))))
    }

    private mutating func states(_ state: RowState) {
        if state.contains(.local) { member("@sap.isLocal", raw: "true") }
        if state.contains(.pending) { member("@sap.hasPendingChanges", raw: "true") }
        if state.contains(.inError) { member("@sap.inErrorState", raw: "true") }
        if state.contains(.conflict) { member("@sap.hasConflict", raw: "true") }
    }

    // MARK: Properties

    /// Writes the members of a shape.
    mutating func write(_ shape: RowShape, _ row: SQLiteStatement) {
        let exact = SelectStatement.place(of: .exact)
        let texts = row.isNull(exact) ? nil : ExactTexts(row.string(exact))
        write(shape.pieces, row, texts)
    }

    private mutating func write(
        _ pieces: [RowShape.Piece], _ row: SQLiteStatement, _ texts: ExactTexts?
    ) {
        for piece in pieces {
            switch piece {
            case .scalar(let name, let column, let form, let exactName):
                scalar(name, row, column, form, texts?[exactName])
            case .json(let name, let column): json(name, row, column)
            case .complex(let name, let presence, let inner):
                complex(name, row, presence, inner, texts)
            }
        }
    }

    private mutating func complex(
        _ name: String, _ row: SQLiteStatement, _ presence: Int?, _ inner: [RowShape.Piece],
        _ texts: ExactTexts?
    ) {
        if let presence {
            switch row.storageClass(presence) {
            case .null: return member(name, raw: "null")
            case .blob: return
            default: break
            }
        }
        self.name(name)
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
        write(inner, row, texts)
        buffer.append(UInt8(ascii: "}"))
        needsComma = true
    }

    private mutating func json(_ name: String, _ row: SQLiteStatement, _ column: Int) {
        switch row.storageClass(column) {
        case .null: member(name, raw: "null")
        case .text:
            self.name(name)
            row.withText(column) { append($0) }
        default: break
        }
    }

    private mutating func scalar(
        _ name: String, _ row: SQLiteStatement, _ column: Int, _ form: ScalarForm, _ exact: String?
    ) {
        let storage = row.storageClass(column)
        guard !form.isUnknown(storage) else { return }
        self.name(name)
        if storage == .null { return buffer += "null".utf8 }
        if form == .string { return row.withText(column) { quote($0) } }
        let isQuoted = form.isQuoted(storage, row, column, format)
        if isQuoted { buffer.append(UInt8(ascii: "\"")) }
        if let exact {
            buffer += exact.utf8
        } else {
            form.write(row.scalar(column), in: model, into: &buffer)
        }
        if isQuoted { buffer.append(UInt8(ascii: "\"")) }
    }

    /// Writes members without a column of their own.
    mutating func dynamic(_ row: SQLiteStatement, _ select: BoundSelect) {
        let column = SelectStatement.place(of: .dynamic)
        guard case .everything = select, !row.isNull(column) else { return }
        row.withText(column) { text in
            guard text.count > 2 else { return }
            separate()
            append(text.extracting(1..<text.count - 1))
        }
    }

    // MARK: Text

    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func name(_ name: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer += name.utf8
        buffer += "\":".utf8
    }

    private mutating func member(_ name: String, raw: String) {
        self.name(name)
        buffer += raw.utf8
    }

    private mutating func member(_ name: String, string: String) {
        self.name(name)
        quote(Array(string.utf8).span)
    }

    private mutating func quote(_ text: Span<UInt8>) {
        var writer = JSONWriter(bytes: buffer)
        buffer = []
        writer.quoted(text)
        buffer = writer.bytes
    }

    private mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }
}

extension ScalarForm {
    /// Whether a column of this form holds a value that stands for one not known (see `UnknownValue`).
    func isUnknown(_ storage: StorageClass) -> Bool {
        switch storage {
        case .blob: affinity != "BLOB"
        case .text: affinity == "BLOB"
        default: false
        }
    }

    /// Whether the value is a JSON string.
    func isQuoted(
        _ storage: StorageClass, _ row: SQLiteStatement, _ column: Int, _ format: AnswerFormat
    ) -> Bool {
        switch self {
        case .boolean, .json: false
        case .integer(.int64), .scaledDecimal, .decimalText: format.isIEEE754Compatible
        case .integer: false
        case .single, .double: storage == .text || !row.real(column).isFinite
        default: true
        }
    }
}
