extension SharedFolder {
    /// Why a test is off.
    package static let absence = "The folder '../shared' with recorded data is absent."

    /// Returns the body of a recorded HTTP answer: what follows the first empty line, as it was sent.
    package static func body(_ path: String) throws -> [UInt8] {
        let bytes = try bytes(path)
        for index in bytes.indices.dropLast(3)
        where bytes[index...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) {
            return Array(bytes[(index + 4)...])
        }
        return []
    }
}
