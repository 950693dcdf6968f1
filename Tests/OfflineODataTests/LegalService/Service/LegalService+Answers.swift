/// How changes are answered.
extension LegalService {
    mutating func created(_ uid: Int, _ request: LegalRequest, _ body: LegalValue?) -> LegalAnswer {
        guard let entity = world.entities[uid] else { return LegalAnswer(500) }
        let address = location(entity)
        var answer: LegalAnswer
        if has(.createsAnswer204) || request.prefers("return=minimal"), !has(.preferencesIgnored) {
            answer = LegalAnswer(204)
            answer.set("OData-EntityId", has(.locationMissing) ? nil : address)
        } else if has(.createsAnswerEmpty) {
            answer = LegalAnswer(201)
        } else {
            answer = LegalAnswer(
                has(.createsAnswer200) ? 200 : 201,
                representation(entity, of: body)
            )
        }
        if !has(.locationMissing) { answer.set("Location", address) }
        if !has(.etagsNotInAnswers) { answer.set("ETag", etag(entity)) }
        return answer
    }

    private mutating func location(_ entity: LegalWorld.Entity) -> String {
        let url = url(of: entity)
        if has(.locationRelative) { return url }
        if has(.locationWithoutOrigin) { return Self.path + url }
        if has(.locationForeign) { return "http://inner.host:8080/backend/" + url }
        return Self.root + url
    }

    private mutating func representation(_ entity: LegalWorld.Entity, of body: LegalValue?)
        -> LegalValue
    {
        var view = LegalView(LegalTarget(entity.set), isCollection: false)
        if !has(.deepAnswersFlat) {
            view.expanded = ["Orders", "Items", "Tags"].filter { body?[$0]?.items != nil }
        }
        if has(.createsAnswerPartly) {
            view.selected = [LegalSchema.sets[entity.set]?.key ?? "ID"]
        }
        var value = json(entity, view, context: context(LegalTarget(entity.set), isOne: true))
        if has(.createsAnswerWithoutKey), case .object(let members) = value {
            let key = LegalSchema.sets[entity.set]?.key
            value = .object(members.filter { $0.name != key })
        }
        if has(.etagsNotInAnswers), case .object(let members) = value {
            value = .object(members.filter { !$0.name.hasSuffix("etag") })
        }
        return value
    }

    mutating func updated(_ uid: Int, _ request: LegalRequest) -> LegalAnswer {
        guard let entity = world.entities[uid] else { return LegalAnswer(500) }
        let wants = request.prefers("return=representation")
        var answer: LegalAnswer
        if has(.updatesAnswer204) || !wants && !has(.preferencesIgnored) {
            answer = LegalAnswer(204)
        } else if has(.updatesAnswerEmpty) {
            answer = LegalAnswer(200)
        } else {
            answer = LegalAnswer(200, representation(entity, of: nil))
            if wants { answer.set("Preference-Applied", "return=representation") }
        }
        if !has(.etagsNotInAnswers) { answer.set("ETag", etag(entity)) }
        return answer
    }

    mutating func refused(_ refusal: LegalRefusal) -> LegalAnswer {
        if has(.errorsEmpty) { return LegalAnswer(refusal.status) }
        if has(.errorsInHTML) {
            return LegalAnswer(
                refusal.status,
                text: "<html><body>\(refusal.message)</body></html>",
                type: "text/html"
            )
        }
        if has(.errorsInXML) {
            return LegalAnswer(
                refusal.status,
                text:
                    "<?xml version=\"1.0\"?><error xmlns=\"http://docs.oasis-open.org/odata/ns/metadata\"><code>x</code></error>",
                type: "application/xml"
            )
        }
        return LegalAnswer(
            refusal.status,
            .object([
                .init(
                    name: "error",
                    value: .object([
                        .init(name: "code", value: .string("L\(refusal.status)")),
                        .init(name: "message", value: .string(refusal.message)),
                    ])
                )
            ])
        )
    }

    // MARK: Before and after

    /// What is asked of every request before it is looked at.
    mutating func gate(_ request: LegalRequest) -> LegalAnswer? {
        if has(.queryWanted), !request.target.contains("sap-client=100") {
            return LegalAnswer(400, text: "no client", type: "text/plain")
        }
        if request.method != "GET", has(.tokenWanted), request.headers["x-csrf-token"] != "t1" {
            var answer = LegalAnswer(403)
            answer.set("X-CSRF-Token", "Required")
            return answer
        }
        if has(.redirected), !request.target.contains("x-here"), requestCount % 4 == 0 {
            var answer = LegalAnswer(307)
            let mark = request.target.contains("?") ? "&x-here=1" : "?x-here=1"
            answer.set("Location", request.target + mark)
            return answer
        }
        // Out of step with the client, whose uploads may all have the same number of requests.
        if has(.busyAtTimes), (requestCount &* 2_654_435_761) >> 7 % 5 == 0 {
            var answer = LegalAnswer(429)
            answer.set("Retry-After", "1")
            return answer
        }
        return nil
    }

    /// An answer that comes later, where the service likes it (OData 4.01 Part 1 § 11.6).
    mutating func deferred(_ answer: LegalAnswer, _ request: LegalRequest) -> LegalAnswer {
        let isRead = request.method == "GET"
        guard isRead ? request.prefers("respond-async") && has(.readsLater) : has(.answersLater)
        else { return answer }
        lastKey += 1
        monitored[lastKey] = (answer, 0)
        var later = LegalAnswer(202)
        later.set("Location", Self.path + "$monitor(\(lastKey))")
        later.set("Retry-After", "1")
        return later
    }

    mutating func monitor(_ text: String) -> LegalAnswer {
        guard let number = Int(text), let found = monitored[number] else { return LegalAnswer(404) }
        guard found.polls > 0 else {
            monitored[number]?.polls += 1
            var later = LegalAnswer(202)
            later.set("Location", Self.path + "$monitor(\(number))")
            return later
        }
        monitored[number] = nil
        var answer = found.answer
        answer.set("AsyncResult", String(answer.status))
        answer.status = 200
        return answer
    }

    /// Header fields that every answer has.
    func finished(_ answer: LegalAnswer, _ request: LegalRequest) -> LegalAnswer {
        var answer = answer
        if !traits.contains(.versionMissing) {
            answer.set("OData-Version", traits.contains(.controlInShortForm) ? "4.01" : "4.0")
        }
        if traits.contains(.tokenWanted), request.headers["x-csrf-token"]?.lowercased() == "fetch" {
            answer.set("X-CSRF-Token", "t1")
        }
        if traits.contains(.cookiesSet) { answer.set("Set-Cookie", "session=s1; Path=/; HttpOnly") }
        if traits.contains(.fieldsInSmallLetters) {
            answer.headers = answer.headers.map { ($0.name.lowercased(), $0.value) }
        }
        return answer
    }
}
