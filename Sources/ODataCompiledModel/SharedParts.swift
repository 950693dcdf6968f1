import ODataModel

/// What stands before a compiled model, which every part of it refers to.
final class SharedParts: Sendable {
    let strings: StringTable
    let primitives: [PrimitiveType]
    let counts: TypeCounts

    init(_ numbers: inout NumberReader) throws(DamagedModel) {
        strings = try StringTable(&numbers)
        primitives = try Self.primitives(&numbers, strings: strings)
        counts = TypeCounts(
            structured: try numbers.count(),
            enumerations: try numbers.count(),
            definitions: try numbers.count()
        )
    }

    /// The first strings name the primitive types.
    private static func primitives(
        _ numbers: inout NumberReader,
        strings: StringTable
    ) throws(DamagedModel) -> [PrimitiveType] {
        let count = try numbers.count()
        guard count <= strings.count else { throw numbers.damage }
        var primitives: [PrimitiveType] = []
        for index in 0..<count {
            guard let primitive = PrimitiveType(rawValue: strings[index]) else {
                throw numbers.damage
            }
            primitives.append(primitive)
        }
        return primitives
    }
}
