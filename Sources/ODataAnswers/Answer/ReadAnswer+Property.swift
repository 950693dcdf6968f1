import ODataText
import ODataBinding
import ODataSQL
import ODataValues
package import ODataModel
import ODataPayload
import ODataHTTP
import ODataTables

/// Properties on their own (OData 4.01 Part 1 §§ 11.2.4, 11.2.9).
extension ReadAnswer {
    /// - Parameter owner: The entity, where it is known; it may be away from the path by now.
    func property(
        _ path: EntityPath,
        of owner: RowReference? = nil,
        names: [String],
        isRaw: Bool,
        options: BoundOptions
    ) throws -> HTTPResponse {
        var format = isRaw ? context.format : try format(options)
        // Raw values are those of XML (OData 2.0 URI Conventions § 4), which all versions write alike but for `Edm.Time`: a duration.
        let isOld = format.isVerbose
        let type = model.property(names, of: path.entityType(in: model))?.type.type
        if isRaw, isOld, type != .primitive(.time) { format.version = .v4 }
        let row = try owner ?? self.owner(path)
        if let response = notModified(try etag(of: row)) { return response }
        var response = HTTPResponse(status: 204, headers: context.answerHeaders)
        var value = try value(names, of: row, at: path, format: format)
        var total: Int64?
        let items = ItemAnswer(self, of: row, at: path, names, options)
        let declared = declaredType(of: names, at: path)
        if declared == nil, options.choosesItems || options.count {
            throw ServiceError(
                501,
                "$filter, $search, $orderby, $top, $skip and $count are not offered for a property that the metadata does not declare"
            )
        }
        if !isRaw, declared?.isStructured == true, declared?.isCollection == false {
            value = try value.map {
                OwnValue(json: try items.chosen(fromSingle: $0.json), type: $0.type)
            }
        } else if !isRaw, declared?.isCollection == true {
            value = try value.map { OwnValue(json: try items.chosen(from: $0.json), type: $0.type) }
            total = try items.total()
        }
        if format.isVerbose, !isRaw {
            response = verbose(value?.json ?? Array("null".utf8), names: names, format: format)
        } else if let value {
            response =
                isRaw
                ? try raw(value.json, at: path, names: names)
                : try propertyBody(
                    value,
                    at: path,
                    names: names,
                    of: row,
                    total,
                    options: options,
                    format: format
                )
        } else if isRaw, isOld {
            throw ServiceError(404, "the property is null, which has no raw value")
        }
        if isRaw, let type = response.headers["Content-Type"] { try demandAccepted(type) }
        response.headers["ETag"] = try etag(of: row)
        return response
    }

    func propertyCount(_ path: EntityPath, names: [String], options: BoundOptions) throws
        -> HTTPResponse
    {
        let row = try owner(path)
        if options.filter != nil || options.search != nil {
            var counting = options
            counting.count = true
            let count = try ItemAnswer(self, of: row, at: path, names, counting).total()
            return try text(String(count ?? 0))
        }
        guard let value = try value(names, of: row, at: path, format: context.format),
            let items = JSONTree(value.json)?.root.items
        else { throw ServiceError(404, "the property is no collection") }
        return try text(String(items.count))
    }

    private func owner(_ path: EntityPath) throws -> RowReference {
        var owner = path
        owner.target = .entities
        guard let row = try query.rows(owner).first else {
            throw ServiceError(404, "there is no such entity")
        }
        return row
    }

    /// The value of a property on its own.
    struct OwnValue {
        var json: [UInt8]
        /// The type that the entity states of a dynamic value, `#Date`; the metadata has those of declared ones.
        var type: String?

        /// An object with the type that stands beside it.
        var typed: [UInt8] {
            guard let type, let tree = JSONTree(json), tree.root.statedType == nil else {
                return json
            }
            var writer = JSONWriter()
            writer.beginObject()
            writer.name(JSONNode.typeNames[0])
            writer.string(type)
            for member in tree.root.members ?? [] {
                writer.name(member.name)
                writer.raw(tree.text(member.value).span)
            }
            writer.endObject()
            return writer.bytes
        }
    }

    /// A property's value; nil where it is null.
    func value(
        _ names: [String],
        of row: RowReference,
        at path: EntityPath,
        format: AnswerFormat
    ) throws -> OwnValue? {
        var options = BoundOptions()
        // The whole entity where the property is undeclared: it is among the dynamic ones.
        let isDeclared =
            path.entityType(in: model).flatMap { model.property(names[0], of: $0) } != nil
        if isDeclared { options.select = .paths([names.filter { !$0.contains(".") }]) }
        var plain = format
        switch format.metadata {
        case .full: break
        case .minimal: plain.metadata = isDeclared ? .none : .minimal
        case .none: plain.metadata = .none
        }
        let answer = try query.entities(
            all(path, like: row),
            options: options,
            among: [row.row],
            format: plain
        )
        guard let tree = JSONTree(answer.entities) else {
            throw ServiceError(500, "the entity could not be written")
        }
        var (node, type) = (tree.root, String?.none)
        let cast = try declaredCasts(names, at: path)
        for (index, name) in names.enumerated() {
            if let demanded = cast[index] {
                try demand(demanded, of: node, in: tree)
                continue
            }
            type = tree.string(DynamicTypeMember.name(of: name), of: node)
            guard let member = tree.member(name, of: node) else {
                // What is declared and left out is null, and so is a dynamic property (OData 4.01 Part 1 § 11.4.9.2).
                if isNull(node) || node.members != nil || declaredType(of: names, at: path) != nil {
                    return nil
                }
                throw ServiceError(404, "the entity has no \(name)")
            }
            node = member
        }
        return isNull(node) ? nil : OwnValue(json: tree.text(node), type: type)
    }

    /// The complex type that a path leads to, the one that it casts to where it ends with a cast.
    private func complexType(of names: [String], at path: EntityPath) -> StructuredTypeID? {
        if let last = names.last, last.contains(".") { return model.structuredType(named: last) }
        guard case .structured(let type)? = declaredType(of: names, at: path)?.type else {
            return nil
        }
        return type
    }

    private func declaredType(of names: [String], at path: EntityPath) -> TypeReference? {
        model.property(names, of: path.entityType(in: model))?.type
    }

    /// The segment of the derived type that declares a property; empty where the declared type of the set has it
    /// (OData 4.01 Part 1 § 10.13).
    private func declaringCast(of names: [String], of row: RowReference, at path: EntityPath)
        -> String
    {
        let owner = path.entityType(in: model).map(model.lineage)?.first { type in
            model[type].properties.contains { $0.name == names.first }
        }
        return owner.map { EntityLink(rows).cast(from: row.source, to: $0) } ?? ""
    }

    /// The types that a path casts complex values to, by the places of the casts; empty casts say nothing new.
    private func declaredCasts(_ names: [String], at path: EntityPath) throws
        -> [Int: StructuredTypeID?]
    {
        var casts: [Int: StructuredTypeID?] = [:]
        for (index, name) in names.enumerated() where name.contains(".") {
            let declared = declaredType(of: Array(names.prefix(index)), at: path)
            let type = model.structuredType(named: name)
            if case .structured(let own)? = declared?.type, let type,
                model.type(own, isOrExtends: type)
            {
                casts[index] = .some(nil)
            } else {
                casts[index] = type
            }
        }
        return casts
    }

    /// 404 where a complex value is not of the type that the path casts it to (OData 4.01 Part 2 § 4.11).
    private func demand(_ type: StructuredTypeID?, of node: JSONNode, in tree: JSONTree) throws {
        guard let type, !isNull(node), node.members != nil else { return }
        let stated = ["@odata.type", "@type", "odata.type"].lazy
            .compactMap { tree.string($0, of: node) }.first
        let name = stated.flatMap { $0.split(separator: "#").last.map(String.init) }
        guard let own = name.flatMap({ model.structuredType(named: $0) }),
            model.type(own, isOrExtends: type)
        else { throw ServiceError(404, "the value is no \(model[type].name)") }
    }

    private func isNull(_ node: JSONNode) -> Bool {
        if case .null = node.value { true } else { false }
    }

    /// `{"d":{"Name":…}}` (OData JSON Verbose § 7).
    private func verbose(
        _ value: [UInt8],
        names: [String],
        format: AnswerFormat
    ) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("d")
        writer.beginObject()
        writer.name(names.last ?? "")
        writer.raw(value.span)
        writer.endObject()
        writer.endObject()
        return json(writer.bytes, format: format)
    }

    private func propertyBody(
        _ value: OwnValue,
        at path: EntityPath,
        names: [String],
        of row: RowReference,
        _ total: Int64?,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        let url = try EntityNames(rows).url(of: row) ?? ""
        var contextText = contextURL.property(
            names,
            of: url,
            cast: declaringCast(of: names, of: row, at: path)
        )
        // An object may also be a single value, such as a point.
        let isPrimitive =
            if case .primitive? = declaredType(of: names, at: path)?.type { true } else { false }
        if !isPrimitive {
            contextText += contextURL.list(options, of: complexType(of: names, at: path))
        }
        if value.json.first == UInt8(ascii: "{"), !isPrimitive {
            var body = EntityJSON(format)
            body.context(contextText)
            body.entity(format.metadata == .none ? value.json : value.typed)
            return json(body.bytes, format: format)
        }
        var writer = JSONWriter()
        writer.beginObject()
        if format.metadata != .none {
            writer.name("@odata.context")
            writer.string(contextText)
            // Neither context nor JSON say the type of a dynamic value (OData JSON 4.01 §§ 4.6.3, 11).
            if let type = value.type {
                writer.name("@odata.type")
                writer.string(type)
            }
        }
        if let total { writer.count(total, format) }
        writer.name("value")
        writer.raw(value.json.span)
        writer.endObject()
        return json(writer.bytes, format: format)
    }

    /// The value as plain text; a binary one as its bytes.
    private func raw(_ value: [UInt8], at path: EntityPath, names: [String]) throws -> HTTPResponse
    {
        guard let tree = JSONTree(value) else {
            throw ServiceError(500, "the value could not be written")
        }
        switch tree.root.value {
        case .string(let text):
            if try form(of: names, path) == .binary {
                let parsed = ScalarForm.binary.parse(Array(text.utf8).span, in: model)
                guard case .blob(let bytes)? = parsed?.scalar else { return try self.text(text) }
                var headers = context.answerHeaders
                headers["Content-Type"] =
                    mediaType(of: names, path) ?? "application/octet-stream"
                return HTTPResponse(status: 200, headers: headers, body: bytes)
            }
            let type = model.property(names, of: path.entityType(in: model))?.type.type
            // `Edm.DateTime` has no time zone.
            let isLocalTime = type == .primitive(.dateTime) && text.hasSuffix("Z")
            var answer = try self.text(isLocalTime ? String(text.dropLast()) : text)
            if type == .primitive(.string), let media = mediaType(of: names, path) {
                answer.headers["Content-Type"] = media
            }
            return answer
        case .number, .bool, .null: return try self.text(String(decoding: value, as: UTF8.self))
        case .object, .array:
            guard let geo = WellKnownText(model.property(names, of: path.entityType(in: model)))
            else { throw ServiceError(400, "only a primitive value has a raw form") }
            guard let text = geo.text(of: tree) else {
                throw ServiceError(501, "a geo value of this kind is not offered as text")
            }
            return try self.text(text)
        }
    }

    /// The media type that the metadata states of a property's values (`Core.MediaType`).
    private func mediaType(of names: [String], _ path: EntityPath) -> String? {
        model.property(names, of: path.entityType(in: model))?.mediaType
    }

    /// The form of a declared primitive property.
    func form(of names: [String], _ path: EntityPath) throws -> ScalarForm? {
        model.property(names, of: path.entityType(in: model)).flatMap {
            ScalarForm($0.type, in: model)
        }
    }
}

extension EdmModel {
    /// Returns the property at the end of a path through complex properties, casts among its segments.
    package func property(_ path: [String], of type: StructuredTypeID?) -> StructuralProperty? {
        var type = type
        var found: StructuralProperty?
        for name in path {
            if name.contains(".") {
                type = structuredType(named: name) ?? type
                continue
            }
            guard let property = type.flatMap({ self.property(name, of: $0) }) else { return nil }
            found = property
            if case .structured(let inner) = property.type.type { type = inner }
        }
        return found
    }
}

extension TypeReference {
    /// Whether values are complex.
    var isStructured: Bool {
        if case .structured = type { true } else { false }
    }
}
