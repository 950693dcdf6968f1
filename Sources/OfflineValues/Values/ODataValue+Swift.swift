/// Values of Swift's own types; literals need none of these.
extension ODataValue {
    /// Creates a string.
    public init(_ text: some StringProtocol) { self = .string(String(text)) }

    /// Creates a Boolean.
    public init(_ value: Bool) { self = .boolean(value) }

    /// Creates a whole number; one that 64 bits do not hold stands digit by digit.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map { .integer($0) } ?? .number("\(number)")
    }

    /// Creates a floating-point number.
    public init(_ number: Double) { self = .double(number) }

    /// Creates a floating-point number with the digits that identify it among all of its type.
    public init(_ number: Float) { self = .double(Double(number.description) ?? Double(number)) }

    /// Creates a collection.
    public init(_ items: [ODataValue]) { self = .collection(items) }

    /// Creates a complex value, its members in the order of their names.
    public init(_ members: [String: ODataValue]) {
        self = .object(members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }
}
