import OfflineValues

/// What an answer holds, in whichever version of OData it was written.
struct AnswerContent {
    var kind = OfflineODataTable.Kind.entity
    var items: [ODataValue] = []
    var totalCount: Int?
    var nextLink: String?
    /// What the answer is said to hold (OData JSON 4.01 § 10); nil in versions 1 to 3.
    var contextURL: String?

    init(_ answer: ODataValue) {
        guard case .object(let members) = answer else {
            read(answer)
            return
        }
        // Versions 1 to 3 wrap the answer in "d", and a collection in "results" besides.
        if members.count == 1, members[0].name == "d" {
            readOld(members[0].value)
            return
        }
        func control(_ name: String) -> ODataValue? {
            answer[member: "@odata." + name] ?? answer[member: "@" + name]
        }
        contextURL = control("context")?.stringValue
        totalCount = Self.count(control("count"))
        nextLink = control("nextLink")?.stringValue
        let properties = members.filter { !$0.name.contains("@") }
        if properties.count == 1, properties[0].name == "value" {
            read(properties[0].value)
        } else {
            items = [answer]
        }
    }

    private mutating func readOld(_ content: ODataValue) {
        guard let results = content[member: "results"] else {
            if case .collection = content { read(content) } else { items = [content] }
            return
        }
        totalCount = Self.count(content[member: "__count"])
        nextLink = content[member: "__next"]?.stringValue
        read(results)
    }

    private mutating func read(_ value: ODataValue) {
        guard case .collection(let values) = value else {
            kind = .value
            items = [value]
            return
        }
        kind = .collection
        items = values
    }

    /// Versions 1 to 3 write the count as a text.
    private static func count(_ value: ODataValue?) -> Int? {
        switch value {
        case .integer(let count): Int(exactly: count)
        case .string(let text): Int(text)
        default: nil
        }
    }
}
