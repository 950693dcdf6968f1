import ODataText
import ODataValues

extension EntityReader {
    /// What is known of an object before its members are read.
    struct Head {
        /// Place of the opening brace.
        var start: Int
        /// Whether the object has nothing but control information, and the closing brace is passed.
        var isAtEnd = false
        /// Whether there is control information that a reference does not have.
        var isMoreThanReference = false
        var context: ByteCursor.Token?
        var type: ByteCursor.Token?
        var id: ByteCursor.Token?
        /// Whether the object is a tombstone, and where its value stands.
        var removed: Int?
        var error: Int?
    }

    /// Reads control information up to the first other member, and looks for it further on where all depends on it.
    mutating func readHead(
        _ cursor: inout ByteCursor,
        plan: CompiledPlan,
        as role: Role
    ) throws -> Head {
        var head = Head(start: cursor.index)
        try cursor.expect(UInt8(ascii: "{"), what: "an entity")
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "}") {
            cursor.advance()
            head.isAtEnd = true
            return head
        }
        while isControl(cursor) {
            let name = try cursor.string()
            note(name, from: &cursor)
            try cursor.colon()
            try readControl(name, head: &head, isAhead: false, from: &cursor)
            if try !cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object") {
                head.isAtEnd = true
                break
            }
        }
        if !head.isAtEnd, needsLookAhead(head, plan: plan, as: role) {
            try lookAhead(&head, from: &cursor)
        }
        return head
    }

    /// Whether the name of a member of control information stands here.
    private func isControl(_ cursor: borrowing ByteCursor) -> Bool {
        guard cursor.byte == UInt8(ascii: "\"") else { return false }
        let first = cursor.byte(after: 1)
        guard isVerbose else { return first == UInt8(ascii: "@") }
        if first == UInt8(ascii: "@") { return true }
        let distance = first == UInt8(ascii: "_") ? 12 : 7
        guard first == UInt8(ascii: "_") || first == UInt8(ascii: "o") else { return false }
        return cursor.withSpan(
            from: cursor.index,
            to: min(cursor.index + distance, cursor.endIndex)
        ) {
            $0.isEqual(to: "\"__metadata\"") || $0.isEqual(to: "\"odata.")
        }
    }

    private func needsLookAhead(_ head: Head, plan: CompiledPlan, as role: Role) -> Bool {
        if head.type == nil, plan.canBeDerived { return true }
        switch role {
        // What has a context of its own may be of another set, whose types are derived.
        case .item:
            return isDelta && head.removed == nil && (head.context == nil || head.type == nil)
        case .inline(_, let isDelta): return isDelta && head.removed == nil
        case .single: return false
        }
    }

    /// Passes the members once without reading them, then returns to the first.
    private mutating func lookAhead(_ head: inout Head, from cursor: inout ByteCursor) throws {
        let start = cursor.index
        repeat {
            let isControl = isControl(cursor)
            let name = try cursor.string()
            try cursor.colon()
            if isControl {
                try readControl(name, head: &head, isAhead: true, from: &cursor)
            } else {
                try cursor.skipValue(depth: 2, limit: limits.maximumDepth)
            }
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
        cursor.move(to: start)
    }

    /// Reads the value of a member of control information; what the look-ahead finds is passed to the sink in its turn.
    private mutating func readControl(
        _ name: ByteCursor.Token,
        head: inout Head,
        isAhead: Bool,
        from cursor: inout ByteCursor
    ) throws {
        if cursor.withSpan(name, body: { $0.isEqual(to: "__metadata") }) {
            return try readMetadata(&head, isAhead: isAhead, from: &cursor)
        }
        let control = cursor.withSpan(name) { ControlName(control: $0) }
        try readControlValue(control, head: &head, isAhead: isAhead, from: &cursor)
    }

    /// Reads the value of control information; anything but a string says nothing.
    mutating func readControlValue(
        _ control: ControlName,
        head: inout Head,
        isAhead: Bool,
        from cursor: inout ByteCursor
    ) throws {
        switch control {
        case .removed: head.removed = cursor.index
        case .error:
            head.error = cursor.index
            cursor.allowsDuplicateNames = true
        default: break
        }
        guard cursor.byte == UInt8(ascii: "\"") else {
            return try cursor.skipValue(depth: 2, limit: limits.maximumDepth)
        }
        let token = try cursor.string()
        switch control {
        case .context: head.context = token
        case .type: if head.type == nil { head.type = token }
        case .metadataETag: info.metadataETag = try string(token, from: &cursor)
        case .entity(.id):
            head.id = token
            if !isAhead { controls.append(Control(information: .id, token: token)) }
        case .entity(let information):
            head.isMoreThanReference = true
            if !isAhead { controls.append(Control(information: information, token: token)) }
        default: break
        }
    }

    /// Reads `__metadata` (JSON Verbose § 6.2).
    mutating func readMetadata(
        _ head: inout Head,
        isAhead: Bool,
        from cursor: inout ByteCursor
    ) throws {
        try cursor.expect(UInt8(ascii: "{"), what: "an object")
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "}") { return cursor.advance() }
        var uri: ByteCursor.Token?
        repeat {
            let name = try cursor.string()
            let control = cursor.withSpan(name) { ControlName(metadata: $0) }
            try cursor.colon()
            guard cursor.byte == UInt8(ascii: "\"") else {
                try cursor.skipValue(depth: 3, limit: limits.maximumDepth)
                continue
            }
            let token = try cursor.string()
            switch control {
            case .type: head.type = token
            case .entity(.editLink): uri = token
            case .entity(let information):
                if information == .id { head.id = token } else { head.isMoreThanReference = true }
                if !isAhead { controls.append(Control(information: information, token: token)) }
            default: break
            }
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
        guard let uri else { return }
        // Version 2 has no id beside the address of the entity.
        let information = head.id == nil ? EntityControl.id : .editLink
        if head.id == nil { head.id = uri }
        if !isAhead { controls.append(Control(information: information, token: uri)) }
    }
}

extension ControlName {
    /// The meaning of a name with its `@` (or, in version 3, without).
    init(control name: Span<UInt8>) {
        let start = name.count > 0 && name[0] == UInt8(ascii: "@") ? 1 : 0
        self.init(name.extracting(start..<name.count))
    }
}
