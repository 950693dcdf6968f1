import ODataText
import ODataPayload

/// The text of a data file, `{"value":[…]}`, `[…]` or an entity, as the payload that a reader takes.
package struct DataFileText {
    /// A payload of OData.
    package let payload: [UInt8]
    /// Bytes of the payload that stand before those of the file; negative where the file begins with a mark that is left out.
    private let shift: Int

    /// What stands before an array to make a payload of OData of it.
    private static let arrayHead = Array("{\"value\":".utf8)

    /// Takes the bytes of a file.
    package init(_ bytes: [UInt8]) {
        let markCount = ByteOrderMark.count(aheadOf: bytes)
        let text = bytes[markCount...]
        let isArray = text.first { $0 > 0x20 } == UInt8(ascii: "[")
        payload = isArray ? Self.arrayHead + text + [UInt8(ascii: "}")] : Array(text)
        shift = (isArray ? Self.arrayHead.count : 0) - markCount
    }

    /// Runs work whose errors name places in the payload; they become places in the file.
    package func atPlaceInFile<R>(_ work: () throws -> R) throws -> R {
        do {
            return try work()
        } catch var error as PayloadError {
            error.byteOffset = max(0, error.byteOffset - shift)
            if error.line == 1 { error.column = max(1, error.column - shift) }
            throw error
        }
    }
}
