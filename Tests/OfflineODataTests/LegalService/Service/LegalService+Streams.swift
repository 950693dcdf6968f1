/// Streams: media entities and stream properties.
extension LegalService {
    /// The entity and the name of the stream that an address means; nil where it means none.
    private func streamPlace(_ target: LegalTarget) -> (
        owner: [LegalTarget.Segment], name: String
    )? {
        guard let last = target.segments.last, last.key == nil, target.segments.count > 1 else {
            return nil
        }
        let name = last.name == "$value" ? "" : last.name
        guard name.isEmpty || ["Picture", "Logo", "Thumb"].contains(name) else { return nil }
        return (Array(target.segments.dropLast()), name)
    }

    /// Answers a reading request of a stream; nil where the address means none.
    mutating func stream(_ target: LegalTarget) throws -> LegalAnswer? {
        guard let (owner, name) = streamPlace(target) else { return nil }
        guard let entity = entity(at: owner) else { throw LegalRefusal(404, "no such entity") }
        guard let stream = entity.streams[name] else {
            if has(.emptyStreamsMissing) { throw LegalRefusal(404, "no stream") }
            return LegalAnswer(204)
        }
        var answer = LegalAnswer(200, text: stream.text, type: stream.type)
        if !has(.mediaETagsMissing) { answer.set("ETag", mediaETag(stream)) }
        return answer
    }

    /// Carries out a change of a stream; nil where the address means none.
    mutating func writeStream(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer? {
        guard let (owner, name) = streamPlace(target) else { return nil }
        guard let entity = entity(at: owner, references) else {
            throw LegalRefusal(404, "no such entity")
        }
        try checkStream(request, entity, name)
        switch request.method {
        case "PUT":
            let type = request.headers["content-type"] ?? "application/octet-stream"
            world.setStream(entity.uid, name, request.text, type: type)
        case "DELETE": world.setStream(entity.uid, name, nil, type: "")
        default: throw LegalRefusal(405, "streams are put")
        }
        return streamWritten(entity.uid, name)
    }

    private mutating func streamWritten(_ uid: Int, _ name: String) -> LegalAnswer {
        var answer = LegalAnswer(has(.streamsAnswer200) ? 200 : 204)
        if let stream = world.entities[uid]?.streams[name], !has(.mediaETagsMissing),
            !has(.mediaETagsNotInAnswers)
        {
            answer.set("ETag", mediaETag(stream))
        }
        return answer
    }

    /// A stream has an ETag of its own (OData 4.01 Part 1 § 11.4.7.2); some services compare that of the entity.
    private mutating func checkStream(
        _ request: LegalRequest,
        _ entity: LegalWorld.Entity,
        _ name: String
    ) throws {
        guard let condition = request.headers["if-match"], condition != "*",
            !has(.conditionsIgnored), !has(.mediaETagsMissing)
        else { return }
        guard let stream = entity.streams[name] else {
            throw LegalRefusal(412, "there is no stream")
        }
        if has(.streamsTakeEntityETag), isCurrent(condition, entity) { return }
        guard condition == mediaETag(stream) else { throw LegalRefusal(412, "another stream") }
    }

    /// Creates a media entity from its content.
    mutating func createMedia(_ request: LegalRequest, _ set: String) throws -> Int {
        let values: [String: LegalValue] = [
            "ID": .integer(nextKey()), "Name": .string(request.text), "Note": .null,
        ]
        let uid = world.insert(set, values, owner: nil)
        let type = request.headers["content-type"] ?? "application/octet-stream"
        world.setStream(uid, "", request.text, type: type)
        return uid
    }

    mutating func nextKey() -> Int {
        lastKey += 1
        return lastKey
    }
}
