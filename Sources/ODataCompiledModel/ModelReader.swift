import ODataModel

/// Reads what `ModelWriter` wrote; every count and index is checked, since files come from strangers.
struct ModelReader {
    private var numbers: NumberReader
    private let shared: SharedParts
    /// How deep the annotation that is read lies in others.
    private var depth = 0

    /// Deeper ones no document has (see `CSDLLimits`).
    private static let maximumDepth = 1_000

    init(_ bytes: [UInt8], from start: Int) throws(DamagedModel) {
        var numbers = NumberReader(bytes, from: start)
        let shared = try SharedParts(&numbers)
        self.init(numbers, sharing: shared)
    }

    private init(_ numbers: NumberReader, sharing shared: SharedParts) {
        (self.numbers, self.shared) = (numbers, shared)
    }

    /// How many types the model has: ids lie below.
    var counts: TypeCounts { shared.counts }

    /// - Throws: ``DamagedModel`` where bytes are left.
    func finish() throws(DamagedModel) {
        guard numbers.isAtEnd else { throw damage }
    }

    var damage: DamagedModel { numbers.damage }

    mutating func number() throws(DamagedModel) -> Int { try numbers.number() }

    /// A number of things of which each takes at least a byte.
    mutating func count() throws(DamagedModel) -> Int { try numbers.count() }

    /// Goes beyond a part that was written with its length, and returns what reads it later by a closure.
    ///
    /// - Parameter instead: What counts where it cannot be read: whoever writes a file can write a checksum, too.
    mutating func late<Part: Sendable>(
        instead: Part,
        reading read: @escaping @Sendable (inout Self) throws(DamagedModel) -> Part
    ) throws(DamagedModel) -> Late<Part> {
        let (numbers, shared) = (try numbers.passOver(try count()), shared)
        return Late {
            var reader = Self(numbers, sharing: shared)
            guard let part = try? read(&reader), reader.numbers.isAtEnd else { return instead }
            return part
        }
    }

    mutating func string() throws(DamagedModel) -> String {
        shared.strings[try index(below: shared.strings.count)]
    }

    /// A string that no other part is likely to ask for.
    mutating func name() throws(DamagedModel) -> String {
        shared.strings.unkept(try index(below: shared.strings.count))
    }

    mutating func optionalString() throws(DamagedModel) -> String? {
        let index = try number()
        if index == 0 { return nil }
        guard index > 0, index <= shared.strings.count else { throw damage }
        return shared.strings[index - 1]
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

    /// An index below a limit.
    mutating func index(below limit: Int) throws(DamagedModel) -> Int {
        let index = try number()
        guard 0..<limit ~= index else { throw damage }
        return index
    }

    mutating func primitive() throws(DamagedModel) -> PrimitiveType {
        shared.primitives[try index(below: shared.primitives.count)]
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
