import ODataModel

/// A type whose members are read later than its name.
protocol MemberedType: Compilable {
    associatedtype Members: Compilable & Sendable

    var allMembers: Members { get }

    mutating func read(_ members: LateItem<Members>)
}

/// The members of some types stand together behind these types, with their length, so that they can be passed over: whoever asks for
/// one type reads those beside it, and a model of thousands of types keeps some hundred places only.
private let groupSize = 16

extension ModelReader {
    /// Types whose number is known.
    mutating func types<Item: MemberedType>(count: Int) throws(DamagedModel) -> [Item] {
        var types: [Item] = []
        types.reserveCapacity(count)
        while types.count < count {
            let size = min(groupSize, count - types.count)
            let start = types.count
            for _ in 0..<size { types.append(try Item(from: &self)) }
            let members: Late<[Item.Members]> = try late(instead: []) {
                reader throws(DamagedModel) in try reader.list(count: size)
            }
            for place in 0..<size { types[start + place].read(LateItem(members, at: place)) }
        }
        return types
    }
}

extension ModelWriter {
    /// Types without their number.
    mutating func types<Item: MemberedType>(_ types: [Item]) {
        for start in stride(from: 0, to: types.count, by: groupSize) {
            let group = types[start..<min(start + groupSize, types.count)]
            for type in group { type.write(to: &self) }
            sized { for type in group { type.allMembers.write(to: &$0) } }
        }
    }
}
