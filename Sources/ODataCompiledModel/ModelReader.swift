import ODataModel

/// Reads what `ModelWriter` wrote; every count and index is checked, since files come from strangers.
struct ModelReader {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let strings: [String]
    private let primitives: [PrimitiveType]
    /// How many types the model has: ids lie below.
    var counts = TypeCounts()
    /// How deep the annotation that is read lies in others.
    private var depth = 0

    /// Deeper ones no document has (see `CSDLLimits`).
    private static let maximumDepth = 1_000

    /// The numbers of the model's types.
    struct TypeCounts {
        var structured = 0
        var enumerations = 0
        var definitions = 0
    }

    init(_ bytes: [UInt8], from start: Int) throws(DamagedModel) {
        self.bytes = bytes
        var numbers = NumberReader(bytes: bytes, position: start)
        strings = try Self.strings(&numbers)
        let count = try numbers.count()
        guard count <= strings.count else { throw numbers.damage }
        var primitives: [PrimitiveType] = []
        for name in strings.prefix(count) {
            guard let primitive = PrimitiveType(rawValue: name) else { throw numbers.damage }
            primitives.append(primitive)
        }
        self.primitives = primitives
        position = numbers.position
    }

    private static func strings(_ numbers: inout NumberReader) throws(DamagedModel) -> [String] {
        let count = try numbers.count()
        var lengths: [Int] = []
        lengths.reserveCapacity(count)
        for _ in 0..<count { lengths.append(try numbers.count()) }
        var strings: [String] = []
        strings.reserveCapacity(count)
        for length in lengths { strings.append(try numbers.text(length)) }
        return strings
    }

    /// - Throws: ``DamagedModel`` where bytes are left.
    func finish() throws(DamagedModel) {
        guard position == bytes.count else { throw damage }
    }

    var damage: DamagedModel { DamagedModel(offset: position) }

    mutating func number() throws(DamagedModel) -> Int {
        var numbers = NumberReader(bytes: bytes, position: position)
        let value = try numbers.number()
        position = numbers.position
        return value
    }

    mutating func string() throws(DamagedModel) -> String {
        let index = try number()
        guard strings.indices.contains(index) else { throw damage }
        return strings[index]
    }

    mutating func optionalString() throws(DamagedModel) -> String? {
        let index = try number()
        if index == 0 { return nil }
        guard index > 0, index <= strings.count else { throw damage }
        return strings[index - 1]
    }

    mutating func list<Item: Compilable>() throws(DamagedModel) -> [Item] {
        try list(count: try count())
    }

    /// A list whose number of items is known.
    mutating func list<Item: Compilable>(count: Int) throws(DamagedModel) -> [Item] {
        if count == 0 { return [] }
        var items: [Item] = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try Item(from: &self)) }
        return items
    }

    /// A list of lists.
    mutating func lists<Item: Compilable>() throws(DamagedModel) -> [[Item]] {
        var lists: [[Item]] = []
        for _ in 0..<(try count()) { lists.append(try list()) }
        return lists
    }

    /// A number of things of which each takes at least a byte.
    mutating func count() throws(DamagedModel) -> Int {
        let count = try number()
        guard 0...(bytes.count - position) ~= count else { throw damage }
        return count
    }

    /// An index below a limit.
    mutating func index(below limit: Int) throws(DamagedModel) -> Int {
        let index = try number()
        guard 0..<limit ~= index else { throw damage }
        return index
    }

    mutating func primitive() throws(DamagedModel) -> PrimitiveType {
        primitives[try index(below: primitives.count)]
    }

    mutating func flags() throws(DamagedModel) -> FlagReader { FlagReader(rest: try number()) }

    /// Runs the reading of one annotation's value, which may hold others.
    mutating func nested<R>(_ read: (inout Self) throws(DamagedModel) -> R) throws(DamagedModel)
        -> R
    {
        depth += 1
        guard depth <= Self.maximumDepth else { throw damage }
        let result = try read(&self)
        depth -= 1
        return result
    }
}
