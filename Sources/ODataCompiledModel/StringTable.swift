import ODataValues
import Synchronization

/// The strings of a compiled model, each made when it is first asked for.
final class StringTable: Sendable {
    let count: Int
    private let bytes: [UInt8]
    /// Where the first string begins.
    private let start: Int
    /// Where each string ends, counted from there.
    private let ends: [UInt32]
    private let made = Mutex<[Int: String]>([:])

    /// Passes over the table of strings.
    init(_ numbers: inout NumberReader) throws(DamagedModel) {
        count = try numbers.count()
        var ends: [UInt32] = []
        ends.reserveCapacity(count)
        var end = 0
        for _ in 0..<count {
            end += try numbers.count()
            guard let known = UInt32(exactly: end) else { throw numbers.damage }
            ends.append(known)
        }
        (start, bytes, self.ends) = (numbers.position, numbers.bytes, ends)
        _ = try numbers.passOver(end)
    }

    /// The string at a place that there is.
    subscript(index: Int) -> String {
        made.guarded { made in
            if let string = made[index] { return string }
            let string = unkept(index)
            made[index] = string
            return string
        }
    }

    /// The string at a place that there is, for one that is asked for once, as the name of a type is.
    func unkept(_ index: Int) -> String {
        let first = index == 0 ? start : start + Int(ends[index - 1])
        return String(decoding: bytes[first..<start + Int(ends[index])], as: UTF8.self)
    }
}
