/// Bytes as an argument of a test, which prints the name in their place.
package struct NamedBytes: Sendable, CustomStringConvertible {
    /// What the test prints.
    package let description: String
    package let bytes: [UInt8]

    package init(_ name: String, _ bytes: [UInt8]) {
        description = name
        self.bytes = bytes
    }

    package init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
}
