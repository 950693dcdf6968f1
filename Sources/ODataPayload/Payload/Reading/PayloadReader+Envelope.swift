import ODataText
import ODataValues

extension PayloadReader {
    private func isNamed(_ literal: StaticString) -> Bool {
        name.span.isEqual(to: literal)
    }

    /// Reads the value of the named member of an envelope.
    mutating func value(_ byte: UInt8) throws -> Bool {
        let isTop = envelopes.count == 1
        if byte == UInt8(ascii: "["), isItems(isTop: isTop) {
            try refuseItems()
            envelopes[envelopes.count - 1].isDecided = true
            hasContent = true
            index += 1
            state = .item(isFirst: true)
            return true
        }
        if byte == UInt8(ascii: "{"), isOld, isTop, isNamed("d") {
            envelopes[0].isDecided = true
            open()
            return true
        }
        if isTop, isOld, isNamed("d") {
            // No entity, as for a navigation property that leads to none.
            guard byte == UInt8(ascii: "n") else {
                throw PayloadFault(.unexpectedContent, at: index, "expected entities")
            }
            envelopes[0].isDecided = true
            return try skipOther(isError: false)
        }
        if isTop, isNamed("value"), !plan.plan.isOpen, plan.members.names.find(name.span) == nil {
            throw PayloadFault(.unexpectedContent, at: index, "expected an array of entities")
        }
        // Annotations and offered operations (`#Namespace.Action`) stand in envelopes and entities alike and decide nothing.
        let isControl =
            name.contains(UInt8(ascii: "@")) || name.first == UInt8(ascii: "#")
            || isOldAnnotation || isOld && isOldControl
        if !isControl, !envelopes[envelopes.count - 1].isDecided {
            if isNamed("error"), byte == UInt8(ascii: "{"),
                plan.members.names.find(name.span) == nil
            {
                return try skipOther(isError: true)
            }
            try refuseEntity()
            scanner = ItemScanner(limits: limits)
            index = envelopes[envelopes.count - 1].start
            state = .single
            return true
        }
        guard isControl else { return try skipOther(isError: isNamed("error")) }
        return try control()
    }

    /// Refuses several entities where one was asked for.
    private func refuseItems() throws {
        guard expectation.shape == .entity else { return }
        throw PayloadFault(.unexpectedContent, at: index, "expected one entity, found an array")
    }

    /// Whether the named array holds the items of the payload.
    private func isItems(isTop: Bool) -> Bool {
        if expectation.shape == .entity, !isOld, plan.members.names.find(name.span) != nil {
            return false
        }
        if entities.info.context.map({ ContextKind(Array($0.utf8).span) == .entity }) ?? false {
            return false
        }
        guard isOld else { return isTop && isNamed("value") }
        return isTop ? isNamed("d") || isNamed("value") : isNamed("results")
    }

    /// Control information as version 3 writes it; no property has a dot in its name, so it is none in any version.
    private var isOldAnnotation: Bool { name.starts(with: "odata.".utf8) }

    private var isOldControl: Bool {
        isNamed("__count") || isNamed("__next")
            || isNamed("__delta")
    }

    /// Passes a member that says nothing to us.
    private mutating func skipOther(isError: Bool) throws -> Bool {
        guard let end = try scan() else { return false }
        try window.withCursor(index..<end) { cursor in
            if isError, cursor.byte == UInt8(ascii: "{") {
                throw entities.inStreamError(at: cursor.index, &cursor)
            }
            try cursor.skipValue(depth: 1, limit: limits.maximumDepth)
        }
        index = end
        state = .afterMember
        return true
    }

    /// Reads control information of the page.
    private mutating func control() throws -> Bool {
        let isError =
            if case .error = ControlName(control: name.span), name.first == UInt8(ascii: "@") {
                true
            } else { false }
        guard !isError, let end = try scan() else {
            return isError ? try skipOther(isError: true) : false
        }
        let start = index
        let text: String? = try window.withCursor(start..<end) { cursor in
            if cursor.byte == UInt8(ascii: "\"") {
                let token = try cursor.string()
                return try entities.string(token, from: &cursor)
            }
            // `__next` and `__deferred` come as `{"uri": …}` as well.
            if isOld, cursor.byte == UInt8(ascii: "{"),
                let uri = try entities.stringMembers(["uri"], inObjectAt: start, from: &cursor)[0]
            {
                return try entities.string(uri, from: &cursor)
            }
            cursor.move(to: start)
            try cursor.skipValue(depth: 1, limit: limits.maximumDepth)
            let isNumber = cursor.withSpan(from: start, to: start + 1) { ASCII.digit($0[0]) != nil }
            guard isNumber else { return nil }
            return cursor.withSpan(from: start, to: end) {
                String(decoding: $0.copied(), as: UTF8.self)
            }
        }
        try note(text)
        index = end
        state = .afterMember
        return true
    }

    /// Keeps what the page says.
    private mutating func note(_ text: String?) throws {
        if isNamed("__next") {
            entities.info.nextLink = text
        } else if isNamed("__delta") {
            entities.info.deltaLink = text
        } else if isNamed("__count") {
            try noteCount(text)
        } else if name.first != UInt8(ascii: "#") {
            switch ControlName(control: name.span) {
            case .context: noteContext(text)
            case .nextLink: entities.info.nextLink = text
            case .deltaLink: entities.info.deltaLink = text
            case .count: try noteCount(text)
            case .metadataETag: entities.info.metadataETag = text
            default: break
            }
        }
    }

    private mutating func noteCount(_ text: String?) throws {
        guard let text, let count = IntegerText.parse(Array(text.utf8).span), count >= 0 else {
            throw PayloadFault(.wrongType, at: index, "expected a count")
        }
        entities.info.count = count
    }

    private mutating func noteContext(_ text: String?) {
        guard let text else { return }
        entities.info.context = text
        let bytes = Array(text.utf8)
        if ContextKind(bytes.span) == .delta { entities.isDelta = true }
        if let set = ContextKind.setName(bytes.span) { entities.pageSet = Array(bytes[set]) }
        entities.isPageOfSet = ContextKind.namesSet(bytes.span)
    }
}
