/// Batches (OData 4.01 Part 1 § 11.7).
extension LegalService {
    mutating func batch(_ request: LegalRequest) throws -> LegalAnswer {
        if has(.batchMissing404) { throw LegalRefusal(404, "no batches") }
        if has(.batchMissing501) { throw LegalRefusal(501, "no batches") }
        if has(.batchMissing405) { throw LegalRefusal(405, "no batches") }
        let type = request.headers["content-type"] ?? ""
        let isJSON = type.hasPrefix("application/json")
        if isJSON ? !has(.batchJSONToo) && !has(.batchJSONOnly) : has(.batchJSONOnly) {
            throw LegalRefusal(415, "another format, please")
        }
        let parsed = isJSON ? LegalBatch(json: request.body) : LegalBatch(multipart: request)
        guard let batch = parsed else { throw LegalRefusal(400, "no batch") }
        try checkBatch(batch)
        let answers = carriedOut(batch, continues: request.prefers("continue-on-error"))
        return isJSON ? json(answers) : multipart(answers)
    }

    private mutating func checkBatch(_ batch: LegalBatch) throws {
        let count = batch.groups.reduce(0) { $0 + $1.parts.count }
        if has(.batchOfTwoAtMost413), count > 2 { throw LegalRefusal(413, "too many requests") }
        if has(.batchOfTwoAtMost400), count > 2 { throw LegalRefusal(400, "too many requests") }
        let sets = batch.groups.filter(\.isChangeSet)
        if has(.changeSetsRefused), !sets.isEmpty { throw LegalRefusal(501, "no change sets") }
        if has(.changeSetsOfOne), sets.contains(where: { $0.parts.count > 1 }) {
            throw LegalRefusal(400, "one change in a change set")
        }
    }

    // MARK: Carrying out

    private mutating func carriedOut(_ batch: LegalBatch, continues: Bool) -> [LegalBatch.Group] {
        var done: [LegalBatch.Group] = []
        var references: [String: Int] = [:]
        for group in batch.groups {
            let answered = group.isChangeSet ? changeSet(group) : single(group, &references)
            done.append(answered)
            let failed = answered.parts.contains { !($0.answer?.isSuccess ?? true) }
            if failed, !continues || has(.batchStopsAtErrors) { break }
        }
        return done
    }

    private mutating func single(_ group: LegalBatch.Group, _ references: inout [String: Int])
        -> LegalBatch.Group
    {
        var group = group
        for index in group.parts.indices {
            let part = group.parts[index]
            do {
                group.parts[index].answer = try carriedOut(
                    part.request,
                    below(part.request.target),
                    references: references
                )
            } catch let refusal as LegalRefusal {
                group.parts[index].answer = refused(refusal)
            } catch {
                group.parts[index].answer = LegalAnswer(500)
            }
        }
        return group
    }

    /// A change set whose members carry one id is carried out once (Repeatable Requests 1.0 § 4).
    private mutating func changeSet(_ group: LegalBatch.Group) -> LegalBatch.Group {
        let ids = Set(group.parts.map { $0.request.headers["repeatability-request-id"] })
        guard has(.repeatable), ids.count == 1, let id = ids.first ?? nil else {
            return carriedOut(group)
        }
        if let known = rememberedSets[id] {
            var again = known.answered
            for (old, new) in zip(known.sent.parts, group.parts) {
                for index in known.answered.parts.indices
                where known.answered.parts[index].contentID == old.contentID {
                    again.parts[index].contentID = new.contentID
                }
            }
            return again
        }
        var plain = group
        for index in plain.parts.indices {
            plain.parts[index].request.headers["repeatability-request-id"] = nil
        }
        var answered = carriedOut(plain)
        for index in answered.parts.indices {
            answered.parts[index].answer?.set("Repeatability-Result", "accepted")
        }
        rememberedSets[id] = (group, answered)
        return answered
    }

    /// All of a change set, or nothing (OData 4.01 Part 1 § 11.7.4).
    private mutating func carriedOut(_ group: LegalBatch.Group) -> LegalBatch.Group {
        let (before, kept) = (world, remembered)
        var group = group
        var references: [String: Int] = [:]
        for index in group.parts.indices {
            let part = group.parts[index]
            do {
                if has(.referencesRefused), part.request.target.hasPrefix("$") {
                    throw LegalRefusal(501, "no references to requests")
                }
                let count = world.clock
                group.parts[index].answer = try carriedOut(
                    part.request,
                    below(part.request.target),
                    references: references
                )
                if part.request.method == "POST", world.clock > count, let id = part.contentID {
                    references[id] = newest(after: count)
                }
                if let answer = group.parts[index].answer, !answer.isSuccess {
                    throw LegalRefusal(answer.status, "as before")
                }
            } catch {
                (world, remembered) = (before, kept)
                let refusal = error as? LegalRefusal ?? LegalRefusal(500, "internal")
                var failed = LegalBatch.Part(request: part.request, contentID: part.contentID)
                failed.answer = refused(refusal)
                return LegalBatch.Group(parts: [failed], isChangeSet: false, name: group.name)
            }
        }
        return group
    }

    /// The entity that a request has made: the first one created since.
    private func newest(after clock: Int) -> Int? {
        let mark = world.effects.first { $0.kind == .create && $0.clock > clock }?.mark
        return world.entities.values.filter { $0.mark == mark }.map(\.uid).max()
    }

    // MARK: Answering

    private mutating func json(_ groups: [LegalBatch.Group]) -> LegalAnswer {
        var items: [LegalValue] = []
        for group in groups {
            for part in group.parts {
                guard let answer = part.answer else { continue }
                var item = LegalValue.object([])
                item.add("id", .text(part.contentID))
                if let name = group.name { item.add("atomicityGroup", .string(name)) }
                item.add("status", .integer(answer.status))
                let fields = answer.headers.map {
                    LegalValue.Member(name: $0.name.lowercased(), value: .string($0.value))
                }
                item.add("headers", .object(fields))
                if !answer.body.isEmpty {
                    let text = String(decoding: answer.body, as: UTF8.self)
                    item.add("body", LegalValueReader.read(answer.body) ?? .string(text))
                }
                items.append(item)
            }
        }
        if has(.batchReordered) { items.reverse() }
        return LegalAnswer(
            has(.batchAnswers202) ? 202 : 200,
            .object([.init(name: "responses", value: .list(items))])
        )
    }

    private mutating func multipart(_ groups: [LegalBatch.Group]) -> LegalAnswer {
        let end = has(.batchInUnixLines) ? "\n" : "\r\n"
        var text = has(.batchWithPreamble) ? "This is a batch." + end : ""
        var number = 0
        var pieces: [String] = []
        for group in groups {
            guard group.isChangeSet else {
                for part in group.parts { pieces.append(self.part(part, end, inSet: false)) }
                continue
            }
            number += 1
            let inner = group.parts.map { "--set\(number)" + end + self.part($0, end, inSet: true) }
            pieces.append(
                "Content-Type: multipart/mixed; boundary=set\(number)" + end + end
                    + inner.joined() + "--set\(number)--" + end
            )
        }
        if has(.batchReordered), !has(.contentIDsMissing), !has(.contentIDsInSetsOnly) {
            pieces.reverse()
        }
        for piece in pieces { text += "--batch 1".replacing(" ", with: "_") + end + piece }
        text += "--batch_1--" + end
        return LegalAnswer(
            has(.batchAnswers202) ? 202 : 200,
            text: text,
            type: has(.boundaryQuoted)
                ? "multipart/mixed; boundary=\"batch_1\"" : "multipart/mixed;boundary=batch_1"
        )
    }

    private mutating func part(_ part: LegalBatch.Part, _ end: String, inSet: Bool) -> String {
        guard let answer = part.answer else { return "" }
        var text =
            "Content-Type: application/http" + end + "Content-Transfer-Encoding: binary" + end
        if let id = part.contentID, !has(.contentIDsMissing),
            inSet || !has(.contentIDsInSetsOnly)
        {
            text += "Content-ID: \(id)" + end
        }
        text += end + "HTTP/1.1 \(answer.status) Status" + end
        for field in answer.headers { text += "\(field.name): \(field.value)" + end }
        if has(.partsWithLength) { text += "Content-Length: \(answer.body.count)" + end }
        return text + end + String(decoding: answer.body, as: UTF8.self) + end
    }
}
