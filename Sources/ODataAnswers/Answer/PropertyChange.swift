import ODataText
import ODataBinding
import ODataValues
import ODataSQL
import ODataModel
import ODataPayload
import ODataHTTP
import ODataTables

/// Changes single properties by changing their entity (OData 4.01 Part 1 § 11.4.9).
struct PropertyChange {
    let write: WriteAnswer

    func answer(_ path: EntityPath, names: [String], isRaw: Bool, select: BoundSelect) throws
        -> HTTPResponse
    {
        let isFree =
            !write.context.options.obeysRestrictions && !isComputed(names, at: path)
            && !isKey(names, at: path)
        guard isFree || write.model.isChangeable(names, at: path)
        else {
            throw AllowedMethods(model: write.model).refusal(
                "\(names.joined(separator: "/")) cannot be changed: the metadata says so",
                of: .entities(path)
            )
        }
        var owner = path
        owner.target = .entities
        let isCollection = isCollection(names, of: owner)
        if isCollection, names.last?.contains(".") == true {
            throw AllowedMethods(model: write.model).refusal(
                "the items of one type cannot be changed alone; leave \(names.last ?? "") out of the URL",
                of: .entities(path)
            )
        }
        let dynamic = try dynamicValue(names, at: path)
        var type = dynamicType(names, of: owner, isRaw: isRaw)
        var json: [UInt8]
        switch write.context.method {
        case "POST" where isCollection: json = try appended(path, names: names)
        case "POST" where dynamic?.isCollection == true:
            json = try appended(path, names: names)
            type = dynamic?.type
        // Items have no identity, so there is nothing to merge (OData 4.01 Part 1 § 11.4.9.4).
        case "PATCH" where isCollection, "MERGE" where isCollection:
            throw write.notAllowed(.entities(path))
        case "PUT", "PATCH", "MERGE":
            if isRaw, let dynamic {
                (json, type) = dynamic.taking(try rawText())
            } else {
                json = try isRaw ? rawValue(path, names: names) : value(path, names: names)
            }
            if let dynamic, write.context.method == "PUT" { json = dynamic.replaced(by: json) }
        case "DELETE": json = Array((isCollection ? "[]" : "null").utf8)
        default: throw write.notAllowed(.entities(path))
        }
        try write.demandPrecondition(owner)
        // At the first level a change takes the type away that it does not state.
        let forgetsType = names.count > 1 && dynamic?.type != nil
        let body = try body(
            json,
            type: type,
            forgetsType: forgetsType,
            names: names,
            owner: owner
        )
        let row = try write.writing.update(
            body,
            at: owner,
            isReplacing: false,
            precondition: write.precondition(owner)
        )
        let changed = try write.changed(
            row,
            at: owner,
            options: BoundOptions(),
            status: 200,
            isMinimal: true
        )
        guard !write.isUpdateMinimal else { return changed }
        var options = BoundOptions()
        options.select = select
        var answer = try write.reading()
            .property(path, of: row, names: names, isRaw: isRaw, options: options)
        for name in ["ETag", "Preference-Applied"] { answer.headers[name] = changed.headers[name] }
        return answer
    }

    /// The present value of a dynamic property; nil where the metadata declares it.
    private func dynamicValue(_ names: [String], at path: EntityPath) throws -> DynamicValue? {
        guard write.model.property(names, of: path.entityType(in: write.model)) == nil else {
            return nil
        }
        var owner = path
        owner.target = .entities
        let reading = try write.reading()
        let value = try reading.query.rows(owner).first.flatMap {
            try reading.value(names, of: $0, at: path, format: AnswerFormat())
        }
        return DynamicValue(value, in: write)
    }

    /// Whether only the service gives the property its value.
    private func isComputed(_ names: [String], at path: EntityPath) -> Bool {
        let property = write.model.property(names, of: path.entityType(in: write.model))
        return property?.annotations.isTagged(CoreTerm.computed) == true
    }

    private func isKey(_ names: [String], at path: EntityPath) -> Bool {
        let way = names.filter { !$0.contains(".") }.joined(separator: "/")
        let type = path.entityType(in: write.model)
        return type.map { write.model.key(of: $0).contains { $0.path == way } } ?? false
    }

    /// To delete a collection is to empty it (OData 4.01 Part 1 § 11.4.9.4).
    private func isCollection(_ names: [String], of owner: EntityPath) -> Bool {
        write.model.property(names, of: owner.entityType(in: write.model))?.type.isCollection
            ?? false
    }

    /// The collection with the item in the body behind the others (OData 4.01 Part 1 § 11.4.9.4).
    private func appended(_ path: EntityPath, names: [String]) throws -> [UInt8] {
        let item = try item(path, names: names)
        var owner = path
        owner.target = .entities
        let reading = try write.reading()
        guard let row = try reading.query.rows(owner).first else {
            throw ServiceError(404, "there is no such entity")
        }
        try demandKnown(names, of: row, reading)
        var format = write.context.format
        format.hidesUnreadable = false
        let present = try reading.value(names, of: row, at: path, format: format)
        guard let tree = present.flatMap({ JSONTree($0.json) }) else {
            return Array("[".utf8) + item + Array("]".utf8)
        }
        var writer = JSONWriter()
        writer.beginArray()
        for other in tree.root.items ?? [] { writer.raw(tree.text(other).span) }
        writer.raw(item.span)
        writer.endArray()
        return writer.bytes
    }

    /// Refuses to add to a collection that a store has not downloaded: the change would replace it.
    private func demandKnown(_ names: [String], of row: RowReference, _ reading: ReadAnswer) throws
    {
        let way = names.filter { !$0.contains(".") }
        guard let table = write.schema.layout[row.source],
            let column = table.columns.first(where: { $0.path == way }),
            let value = try reading.rows.value(column.sql, of: row.row, in: table),
            UnknownValue.isUnknown(value, in: column)
        else { return }
        throw ServiceError(
            409,
            "the items of \(way.joined(separator: "/")) are not known here; send them all with PUT"
        )
    }

    /// The one item in the body: a complex value itself, a primitive one as `{"value":…}`.
    private func item(_ path: EntityPath, names: [String]) throws -> [UInt8] {
        try write.demandJSON()
        guard let tree = JSONTree(write.context.body), tree.root.members != nil else {
            throw ServiceError(400, "the body is no JSON object")
        }
        let declared = write.model.property(names, of: path.entityType(in: write.model))?.type
        if declared?.isStructured == true { return tree.text(tree.root) }
        // An item of a dynamic collection may be an object.
        if declared == nil, tree.member("value") == nil { return tree.text(tree.root) }
        guard let value = tree.member("value"), value.items == nil else {
            throw ServiceError(400, "the body has no member 'value' with one item")
        }
        return tree.text(value)
    }

    /// The value in the body, which has the form that the answer to `GET` has.
    private func value(_ path: EntityPath, names: [String]) throws -> [UInt8] {
        try write.demandJSON()
        guard let tree = JSONTree(write.context.body), tree.root.members != nil else {
            throw ServiceError(400, "the body is no JSON object")
        }
        let declared = write.model.property(names, of: path.entityType(in: write.model))?.type
        let isComplex = declared.map { $0.isStructured && !$0.isCollection }
        if write.context.format.isVerbose, let name = names.last,
            let value = verboseValue(tree, named: name, isComplex: isComplex ?? false)
        {
            return tree.text(value)
        }
        // A complex value is the object itself; one of its properties may be called `value`.
        if isComplex == true { return tree.text(tree.root) }
        if let value = tree.member("value") { return tree.text(value) }
        guard declared == nil else {
            throw ServiceError(400, "the body has no member 'value'")
        }
        return tree.text(tree.root)
    }

    /// `{"d":{"Name":…}}`, with `d` or without (OData JSON Verbose § 7).
    private func verboseValue(_ tree: JSONTree, named name: String, isComplex: Bool)
        -> JSONNode?
    {
        let content = tree.member("d", of: tree.root) ?? tree.root
        guard let value = tree.member(name, of: content) else {
            return isComplex ? content : nil
        }
        // The complex value itself may have a property of its own name.
        if isComplex, case .object = value.value { return value }
        if isComplex, case .null = value.value { return value }
        return isComplex ? content : value
    }

    /// The text of the body as JSON of the property's type.
    private func rawValue(_ path: EntityPath, names: [String]) throws -> [UInt8] {
        var output: [UInt8] = []
        switch try write.reading().form(of: names, path) {
        case .binary:
            ScalarForm.binary.write(.blob(write.context.body), in: write.model, into: &output)
            output = Array("\"".utf8) + output + Array("\"".utf8)
        case .boolean: output = Array(try rawText().lowercased().utf8)
        case .double, .single:
            // JSON has no numbers for these.
            let text = try rawText()
            output =
                ["INF", "-INF", "NaN"].contains(text) ? JSONWriter.quoted(text) : Array(text.utf8)
        case .integer, .scaledDecimal, .decimalText: output = write.context.body
        case .json:
            throw ServiceError(
                501,
                "\(names.joined(separator: "/")) takes no raw value: send it as JSON to the URL without $value"
            )
        default: output = JSONWriter.quoted(try rawText())
        }
        return output
    }

    private func rawText() throws -> String {
        guard let text = String(validating: write.context.body, as: UTF8.self) else {
            throw ServiceError(400, "the body is no UTF-8 text")
        }
        return text
    }

    /// The type that the body states of a dynamic value (OData JSON 4.01 § 11).
    private func dynamicType(_ names: [String], of owner: EntityPath, isRaw: Bool) -> String? {
        guard !isRaw, write.model.property(names, of: owner.entityType(in: write.model)) == nil,
            let tree = JSONTree(write.context.body), tree.member("value") != nil
        else { return nil }
        return tree.root.statedType
    }

    /// The body of an update that changes the property alone.
    private func body(
        _ json: [UInt8],
        type: String?,
        forgetsType: Bool,
        names: [String],
        owner: EntityPath
    ) throws -> EntityBody {
        var (text, type, forgetsType) = (json, type, forgetsType)
        for name in names.reversed() where !name.contains(".") {
            var writer = JSONWriter()
            writer.beginObject()
            if let type {
                writer.name(DynamicTypeMember.name(of: name))
                writer.string(type)
            } else if forgetsType {
                writer.name(DynamicTypeMember.name(of: name))
                writer.null()
            }
            (type, forgetsType) = (nil, false)
            writer.name(name)
            writer.raw(text.span)
            writer.endObject()
            text = writer.bytes
        }
        let given = names.prefix(1)
        guard let source = owner.finalSource,
            let plan = try ChangedType(write: write).plan(for: owner, giving: { Array(given) })
        else { throw ServiceError(400, "the property belongs to no known set") }
        var body = try write.entity(in: text, plan)
        if write.context.method == "PUT" { resetAbsent(&body, below: names, from: source) }
        let isMerging = ["PATCH", "MERGE"].contains(write.context.method)
        return try PartialChange(write: write).completed(
            body,
            at: owner,
            replacing: isMerging ? nil : names.filter { !$0.contains(".") }
        )
    }

    /// What the body of a replaced complex value leaves out gets its default or null (OData 4.01 Part 1 § 11.4.9.3).
    private func resetAbsent(
        _ body: inout EntityBody,
        below names: [String],
        from source: NavigationSource
    ) {
        guard let table = write.schema.layout[source] else { return }
        let defaults = table.typeColumns(of: body.plan.type, in: write.model).defaults
        for slot in table.columns(of: body.plan.type, in: write.model)
        where table.columns[slot].path.count > names.count
            && table.columns[slot].path.starts(with: names)
            && body.value(of: slot) == nil
        {
            body.set(defaults.first { $0.place == slot }?.value ?? .null, slot: slot)
        }
    }
}
