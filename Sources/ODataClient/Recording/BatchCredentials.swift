import OfflineValues

/// Takes the header fields that are credentials out of the requests and answers inside a batch.
enum BatchCredentials {
    /// Returns the body without such fields; one that is no batch is returned as it is.
    static func removed(from body: [UInt8], type: String?) -> [UInt8] {
        let type = type?.lowercased() ?? ""
        if type.hasPrefix("multipart/mixed") { return multipart(body) }
        guard type.hasPrefix("application/json"), mayBeBatch(body) else { return body }
        return json(body)
    }

    // MARK: Multipart

    /// Header fields stand on lines of their own; a line of JSON does not begin with a name and a colon.
    private static func multipart(_ body: [UInt8]) -> [UInt8] {
        let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false)
        return Array(
            lines.filter { !isCredential($0) }.joined(separator: [0x0A])
        )
    }

    private static func isCredential(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.prefix(128).firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(isNameByte) else { return false }
        return OfflineODataCredentialFields.isCredential(
            header: String(decoding: name, as: UTF8.self)
        )
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: JSON

    /// Whether the body begins as a batch in JSON does (OData JSON 4.01 § 19).
    private static func mayBeBatch(_ body: [UInt8]) -> Bool {
        let start = String(decoding: body.prefix(200), as: UTF8.self)
        return start.contains("\"requests\"") || start.contains("\"responses\"")
    }

    private static func json(_ body: [UInt8]) -> [UInt8] {
        guard case .object(let members)? = ODataValue(json: String(decoding: body, as: UTF8.self))
        else { return body }
        let batch = members.map { name, value in
            guard ["requests", "responses"].contains(name), case .collection(let items) = value
            else { return (name: name, value: value) }
            return (name: name, value: ODataValue.collection(items.map(message)))
        }
        return Array(ODataValue.object(batch).json.utf8)
    }

    private static func message(_ message: ODataValue) -> ODataValue {
        guard case .object(let members) = message else { return message }
        return .object(
            members.map { name, value in
                guard name == "headers", case .object(let fields) = value else {
                    return (name: name, value: value)
                }
                let kept = fields.filter {
                    !OfflineODataCredentialFields.isCredential(header: $0.name)
                }
                return (name: name, value: .object(kept))
            }
        )
    }
}
