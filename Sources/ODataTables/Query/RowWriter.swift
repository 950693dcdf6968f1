import ODataPayload
package import ODataSQLite
import ODataSQL
import ODataText
import ODataValues

/// Writes the members of one row as JSON, straight from the statement's columns.
struct RowWriter {
    let row: SQLiteStatement
    private let texts: ExactTexts?
    /// The ETag that stands in for the row's.
    private let localETag: String?
    /// States of the entity's relatives, where they are shown.
    private let relatives: RowState
    /// Whether another store is to read the entity (`AnswerFormat.isData`).
    private let isData: Bool

    init(
        _ row: SQLiteStatement,
        localETag: String? = nil,
        relatives: RowState = .plain,
        isData: Bool = false
    ) {
        self.row = row
        self.relatives = relatives
        self.isData = isData
        self.localETag = localETag
        let exact = row.value(SelectStatement.place(of: .exact))
        texts = exact.storage == .null ? nil : exact.withText { ExactTexts($0) }
    }

    // MARK: Control information

    /// Writes type, ETag, links and states.
    func control(typeName: String?, to writer: inout JSONWriter) {
        if let typeName {
            writer.name("@odata.type")
            writer.string("#" + typeName)
        }
        etag("@odata.etag", to: &writer)
        if isData { return lastingControl(to: &writer) }
        members(of: .control, to: &writer)
        states(to: &writer)
    }

    /// Writes the states of the entity, and those of its relatives where they are shown.
    func states(to writer: inout JSONWriter) {
        state.write(to: &writer)
        if !relatives.isEmpty { relatives.writeAsRelatives(to: &writer) }
    }

    /// Writes the control information that is good in any store, in the order of the names: an entity created here has links of this
    /// one.
    private func lastingControl(to writer: inout JSONWriter) {
        let place = SelectStatement.place(of: .control)
        guard !row.isNull(place) else { return }
        let links = ["id", "readLink", "editLink"].map { Array("\"@odata.\($0)\":".utf8) }
        let members = jsonMembers(row.withText(place) { Array($0) })
            .filter { member in !links.contains { member.starts(with: $0) } }
        for member in members.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            writer.rawMembers(Array(member))
        }
    }

    /// Writes `__metadata` of verbose JSON (OData JSON Verbose § 6.2).
    ///
    /// Of its members clients skip `properties` alone when they do not know what is in it: there the states stand.
    func verboseControl(
        typeName: String,
        isMedia: Bool,
        uri: String?,
        to writer: inout JSONWriter
    ) {
        writer.name("__metadata")
        writer.beginObject()
        if let uri {
            writer.name("uri")
            writer.string(uri)
        }
        writer.name("type")
        writer.string(typeName)
        etag("etag", to: &writer)
        if isMedia { media(uri: uri, to: &writer) }
        if !isData, !state.isEmpty || !relatives.isEmpty {
            writer.name("properties")
            writer.beginObject()
            state.write(prefix: "sap.", to: &writer)
            relatives.writeAsRelatives(prefix: "sap.", to: &writer)
            writer.endObject()
        }
        writer.endObject()
    }

    /// Writes where the media stream is and what it is, without which clients take the entity for none of media.
    private func media(uri: String?, to writer: inout JSONWriter) {
        if let uri {
            for name in ["media_src", "edit_media"] {
                writer.name(name)
                writer.string(uri + "/$value")
            }
        }
        writer.name("content_type")
        if let type = controlValue("mediaContentType") {
            writer.raw(type.span)
        } else {
            writer.string("application/octet-stream")
        }
        if let etag = controlValue("mediaEtag") {
            writer.name("media_etag")
            writer.raw(etag.span)
        }
    }

    /// Whether the row states a member of the control information itself.
    func hasControl(_ name: String) -> Bool {
        let place = SelectStatement.place(of: .control)
        guard !row.isNull(place) else { return false }
        let head = Array("\"\(name)\":".utf8)
        return jsonMembers(row.withText(place) { Array($0) }).contains { $0.starts(with: head) }
    }

    /// Whether the row itself says where the entity is.
    var hasOwnLinks: Bool { controlValue("id") != nil }

    /// Writes the entity-id that the row itself states; false if it states none.
    func ownID(to writer: inout JSONWriter) -> Bool {
        guard let id = controlValue("id") else { return false }
        writer.name("@odata.id")
        writer.raw(id.span)
        return true
    }

    /// The JSON text of a member of the control information; nil where it is not known.
    private func controlValue(_ name: String) -> [UInt8]? {
        let place = SelectStatement.place(of: .control)
        guard !row.isNull(place) else { return nil }
        let head = Array("\"@odata.\(name)\":".utf8)
        let members = jsonMembers(row.withText(place) { Array($0) })
        guard let member = members.first(where: { $0.starts(with: head) }) else { return nil }
        let value = Array(member.dropFirst(head.count))
        return value.elementsEqual("null".utf8) ? nil : value
    }

    private var state: RowState {
        RowState(rawValue: row.integer(SelectStatement.place(of: .state)))
    }

    /// Writes the ETag; an empty text stands for one that is not known.
    private func etag(_ name: String, to writer: inout JSONWriter) {
        if let localETag {
            writer.name(name)
            return writer.string(localETag)
        }
        let etag = row.value(SelectStatement.place(of: .etag))
        guard etag.storage != .null else { return }
        etag.withText { text in
            guard !text.isEmpty else { return }
            writer.name(name)
            writer.string(text)
        }
    }

    /// Writes the members of a JSON object that a system column holds.
    private func members(of column: SystemColumn, to writer: inout JSONWriter) {
        let value = row.value(SelectStatement.place(of: column))
        guard value.storage != .null else { return }
        writer.rawMembers(value.withText { Array(Array($0).dropFirst().dropLast()) })
    }

    /// Writes members without a column of their own, and the types of those that state one.
    func dynamicMembers(to writer: inout JSONWriter) {
        members(of: .dynamic, to: &writer)
    }

    /// The JSON object of the members without a column; nil where there is none.
    private func dynamicObject(_ numbers: WideNumbers?) -> [UInt8]? {
        let place = SelectStatement.place(of: .dynamic)
        guard !row.isNull(place) else { return nil }
        let json = row.withText(place) { $0.copied() }
        return numbers?.strings(json) ?? json
    }

    /// Writes those members without a column that a selection names; without one, all.
    ///
    /// - Parameters:
    ///   - selections: What of their values is selected, where it is not all.
    ///   - withTypes: Whether the types of those that state one are written, too.
    ///   - numbers: Makes strings of numbers, where the client asks for that.
    func dynamicMembers(
        named names: [String]?,
        selections: [String: MemberSelection] = [:],
        withTypes: Bool,
        numbers: WideNumbers? = nil,
        to writer: inout JSONWriter
    ) {
        guard names != [], let object = dynamicObject(numbers) else { return }
        let heads = names?.flatMap { name in
            [name, DynamicTypeMember.name(of: name)].map { Array("\"\($0)\":".utf8) }
        }
        for member in jsonMembers(object) {
            guard withTypes || !saysType(member),
                heads?.contains(where: { member.starts(with: $0) }) ?? true
            else { continue }
            write(member, selections, to: &writer)
        }
    }

    /// Writes a member, as much of its value as is selected.
    private func write(
        _ member: ArraySlice<UInt8>,
        _ selections: [String: MemberSelection],
        to writer: inout JSONWriter
    ) {
        guard !selections.isEmpty, let tree = JSONTree(Array("{".utf8) + member + Array("}".utf8)),
            let found = tree.root.members?.first, let selection = selections[found.name]
        else { return writer.rawMembers(Array(member)) }
        writer.name(found.name)
        writer.raw(selection.written(found.value, in: tree).span)
    }

    /// Whether a member of a JSON object says the type of another; no name of a property has the sign before it.
    private func saysType(_ member: ArraySlice<UInt8>) -> Bool {
        let name = member.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
        return DynamicTypeMember.property(of: String(decoding: name, as: UTF8.self)) != nil
    }

    // MARK: Properties

    /// Writes the members of a shape: plain values side by side, each of the others by itself.
    func write(_ shape: RowShape, to writer: inout JSONWriter) {
        let (steps, allNames) = (shape.steps.steps, shape.steps.names)
        var next = 0
        while next < steps.count {
            next = writePlain(
                steps,
                names: allNames.span,
                from: next,
                room: shape.steps.room,
                to: &writer
            )
            guard next < steps.count else { return }
            write(steps[next], names: allNames.span, of: shape, to: &writer)
            next += 1
        }
    }

    /// Writes values until one does not fit or is more than a copy; answers which.
    private func writePlain(
        _ steps: [RowSteps.Step],
        names: Span<UInt8>,
        from first: Int,
        room: Int,
        to writer: inout JSONWriter
    ) -> Int {
        var next = first
        writer.members(room: room) { output, needsComma in
            while next < steps.count, steps[next].kind == .scalar {
                let step = steps[next]
                if let texts, texts.text(names.extracting(step.exact)) != nil { return }
                let value = row.value(step.column)
                let storage = value.storage
                if storage != step.unknown {
                    let name = names.extracting(step.name)
                    let start = needsComma ? name : name.extracting(1..<name.count)
                    guard append(start, value: value, storage: storage, as: step.form, to: &output)
                    else { return }
                    needsComma = true
                }
                next += 1
            }
        }
        return next
    }

    @inline(__always)
    private func append(
        _ name: Span<UInt8>,
        value: ColumnValue,
        storage: StorageClass,
        as form: JSONScalarForm,
        to output: inout OutputSpan<UInt8>
    ) -> Bool {
        switch storage {
        case .null: output.nullMember(name)
        case .integer: output.member(name, integer: value.integer, as: form)
        case .real: output.member(name, real: value.real, as: form)
        case .text: value.withText { output.member(name, text: $0, as: form) }
        case .blob: value.withBlob { output.member(name, blob: $0, as: form) }
        }
    }

    /// Writes any member.
    private func write(
        _ step: RowSteps.Step,
        names: Span<UInt8>,
        of shape: RowShape,
        to writer: inout JSONWriter
    ) {
        if step.kind == .piece { return write(shape.pieces[step.piece], to: &writer) }
        let value = row.value(step.column)
        let storage = value.storage
        let isKnown =
            step.kind == .json ? storage == .text || storage == .null : storage != step.unknown
        guard isKnown else { return }
        writer.preparedName(names.extracting(step.name))
        if step.kind == .scalar, let texts, let text = texts.text(names.extracting(step.exact)) {
            texts.withBytes(text) { writer.exact($0, as: step.form) }
        } else {
            write(value, storage: storage, as: step.form, to: &writer)
        }
    }

    private func write(
        _ value: ColumnValue,
        storage: StorageClass,
        as form: JSONScalarForm,
        to writer: inout JSONWriter
    ) {
        switch storage {
        case .null: writer.null()
        case .integer: writer.integer(value.integer, as: form)
        case .real: writer.real(value.real, as: form)
        case .text: value.withText { writer.text($0, as: form) }
        case .blob: value.withBlob { writer.blob($0, as: form) }
        }
    }

    private func write(_ pieces: [RowShape.Piece], to writer: inout JSONWriter) {
        for piece in pieces { write(piece, to: &writer) }
    }

    private func write(_ piece: RowShape.Piece, to writer: inout JSONWriter) {
        switch piece {
        case .scalar(let piece): scalar(piece, exact: texts?[piece.exactName], to: &writer)
        case .json(let name, let column): json(name, column: column, to: &writer)
        case .typedJSON(let name, let column, let types):
            json(name, column: column, types: types, to: &writer)
        case .constant(let name, let json):
            writer.name(name)
            writer.raw(json.span)
        case .group(let name, let inner): group(name, inner: inner, to: &writer)
        case .typed(let name, let column, let json, let form):
            let storage = row.storageClass(column)
            guard storage != .null, !form.isUnknown(storage) else { return }
            writer.name(name)
            writer.raw(json.span)
        case .itemCount(let name, let column, let isQuoted):
            guard row.storageClass(column) == .integer else { return }
            let count = String(row.integer(column))
            writer.name(name)
            writer.raw(Array((isQuoted ? "\"\(count)\"" : count).utf8).span)
        case .typedUnlessFinite(let name, let column):
            // NaN is kept as text.
            let storage = row.storageClass(column)
            guard storage == .text || storage == .real && !row.real(column).isFinite else { return }
            writer.name(name)
            writer.string("#Double")
        case .complex(let name, let presence, let inner):
            complex(name, presence: presence, inner: inner, to: &writer)
        }
    }

    /// Writes an object unless nothing of it is known: its property was rolled up.
    private func group(_ name: JSONName, inner: [RowShape.Piece], to writer: inout JSONWriter) {
        guard inner.contains(where: isKnown) else { return }
        writer.name(name)
        writer.beginObject()
        write(inner, to: &writer)
        writer.endObject()
    }

    private func isKnown(_ piece: RowShape.Piece) -> Bool {
        switch piece {
        case .scalar(let piece): !piece.form.form.isUnknown(row.storageClass(piece.column))
        case .group(_, let inner): inner.contains(where: isKnown)
        default: false
        }
    }

    private func complex(
        _ name: JSONName,
        presence: Int,
        inner: [RowShape.Piece],
        to writer: inout JSONWriter
    ) {
        switch row.storageClass(presence) {
        case .blob: return
        case .null:
            writer.name(name)
            writer.null()
        default:
            writer.name(name)
            writer.beginObject()
            write(inner, to: &writer)
            writer.endObject()
        }
    }

    private func json(
        _ name: JSONName,
        column: Int,
        types: TypedJSON? = nil,
        to writer: inout JSONWriter
    ) {
        switch row.storageClass(column) {
        case .null:
            writer.name(name)
            writer.null()
        case .text:
            writer.name(name)
            row.withText(column) { text in
                guard let types else { return writer.raw(text) }
                writer.raw(types.written(text.copied()).span)
            }
        // Anything else stands for a value not known here.
        default: break
        }
    }

    private func scalar(
        _ piece: RowShape.Scalar,
        exact: String?,
        to writer: inout JSONWriter
    ) {
        let column = piece.column
        let form = piece.form
        let storage = row.storageClass(column)
        guard !form.form.isUnknown(storage) else { return }
        writer.name(piece.name)
        // An enumeration member that the model does not know is null with its name as exact text.
        if let exact { return writer.exact(Array(exact.utf8).span, as: form) }
        switch storage {
        case .null: writer.null()
        case .integer: writer.integer(row.integer(column), as: form)
        case .real: writer.real(row.real(column), as: form)
        case .text where piece.isDynamic: row.withText(column) { dynamic($0, to: &writer) }
        case .text: row.withText(column) { writer.text($0, as: form) }
        case .blob: row.withBlob(column) { writer.blob($0, as: form) }
        }
    }

    /// Writes what SQLite has taken out of JSON: objects and arrays are JSON still, strings are without their quotation marks.
    private func dynamic(_ text: Span<UInt8>, to writer: inout JSONWriter) {
        let starts = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")]
        if text.count > 1, starts.contains(text[0]), JSONTree(text.copied()) != nil {
            writer.raw(text)
        } else {
            writer.string(text)
        }
    }
}

extension RowState {
    /// Writes the states that applications see, as annotations.
    func write(prefix: String = "@sap.", to writer: inout JSONWriter) {
        guard !isEmpty else { return }
        let names: [(RowState, String)] = [
            (.local, "isLocal"), (.pending, "hasPendingChanges"),
            (.inError, "inErrorState"), (.conflict, "hasConflict"),
        ]
        for (bit, name) in names where contains(bit) {
            writer.name(prefix + name)
            writer.boolean(true)
        }
    }
}

extension ScalarForm {
    /// Whether a column of this form holds a value that stands for one not known (see `UnknownValue`).
    package func isUnknown(_ storage: StorageClass) -> Bool {
        switch storage {
        case .blob: affinity != "BLOB"
        case .text: affinity == "BLOB"
        default: false
        }
    }
}
