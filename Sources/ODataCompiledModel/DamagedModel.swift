/// Bytes that are no compiled model of the present form.
public struct DamagedModel: Error, CustomStringConvertible {
    /// Where reading ended, in bytes from the beginning.
    public let offset: Int

    /// What is wrong, and where.
    public var description: String { "the compiled model cannot be read beyond byte \(offset)" }
}
