/// Whole numbers of any size in limbs of nine decimal digits, least significant first, without zeros at the end.
enum Magnitude {
    private static let base = DecimalNumber.base

    /// Returns the limbs without zeros at the end.
    static func trimmed(_ limbs: [UInt32]) -> [UInt32] {
        var count = limbs.count
        while count > 0, limbs[count - 1] == 0 { count -= 1 }
        return count == limbs.count ? limbs : Array(limbs[..<count])
    }

    /// Whether the first number is smaller.
    static func precedes(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        if left.count != right.count { return left.count < right.count }
        for index in left.indices.reversed() where left[index] != right[index] {
            return left[index] < right[index]
        }
        return false
    }

    /// The number of decimal digits; 0 for zero.
    static func digitCount(_ limbs: [UInt32]) -> Int {
        guard var top = limbs.last else { return 0 }
        var count = (limbs.count - 1) * DecimalNumber.limbDigits
        while top > 0 {
            count += 1
            top /= 10
        }
        return count
    }

    /// The digits as ASCII, without zeros at the beginning.
    static func digits(_ limbs: [UInt32]) -> [UInt8] {
        var text: [UInt8] = []
        for limb in limbs {
            var rest = limb
            for _ in 0..<DecimalNumber.limbDigits {
                text.append(0x30 + UInt8(rest % 10))
                rest /= 10
            }
        }
        while text.last == 0x30 { text.removeLast() }
        return text.reversed()
    }

    static func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(left.count, right.count) {
            carry += UInt64(index < left.count ? left[index] : 0)
            carry += UInt64(index < right.count ? right[index] : 0)
            result.append(UInt32(carry % base))
            carry /= base
        }
        if carry > 0 { result.append(UInt32(carry)) }
        return result
    }

    /// Returns the difference of a number and one that is not larger.
    static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var result = left
        var borrow: Int64 = 0
        for index in result.indices {
            var value = Int64(result[index]) - borrow
            value -= Int64(index < right.count ? right[index] : 0)
            borrow = value < 0 ? 1 : 0
            result[index] = UInt32(value + borrow * Int64(base))
        }
        return trimmed(result)
    }

    static func product(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        guard !left.isEmpty, !right.isEmpty else { return [] }
        var result = [UInt32](repeating: 0, count: left.count + right.count)
        for (offset, factor) in left.enumerated() where factor > 0 {
            var carry: UInt64 = 0
            for (index, limb) in right.enumerated() {
                carry += UInt64(factor) * UInt64(limb) + UInt64(result[offset + index])
                result[offset + index] = UInt32(carry % base)
                carry /= base
            }
            result[offset + right.count] = UInt32(carry)
        }
        return trimmed(result)
    }

    /// Returns a number times a power of ten.
    static func shifted(_ limbs: [UInt32], by places: Int) -> [UInt32] {
        guard places > 0, !limbs.isEmpty else { return limbs }
        let (whole, rest) = places.quotientAndRemainder(dividingBy: DecimalNumber.limbDigits)
        let factor = (0..<rest).reduce(UInt32(1)) { power, _ in power * 10 }
        return [UInt32](repeating: 0, count: whole) + product(limbs, [factor])
    }

    /// Returns quotient and remainder by long division (Knuth, volume 2, 4.3.1 D); the divisor is not zero.
    static func quotient(_ left: [UInt32], _ right: [UInt32]) -> (
        quotient: [UInt32], remainder: [UInt32]
    ) {
        if precedes(left, right) { return ([], left) }
        if right.count == 1 { return quotient(left, by: right[0]) }
        // The divisor's first limb is made large, so that a guess of a limb is at most two too high.
        let factor = UInt32(base / (UInt64(right[right.count - 1]) + 1))
        let divisor = product(right, [factor])
        var rest = product(left, [factor])
        while rest.count <= left.count { rest.append(0) }
        var result = [UInt32](repeating: 0, count: rest.count - divisor.count)
        for place in result.indices.reversed() {
            result[place] = takeMultiple(of: divisor, from: &rest, at: place)
        }
        return (trimmed(result), quotient(trimmed(rest), by: factor).quotient)
    }

    /// Takes the divisor away as often as it goes at a place and returns how often that was.
    private static func takeMultiple(of divisor: [UInt32], from rest: inout [UInt32], at place: Int)
        -> UInt32
    {
        let count = divisor.count
        let head = UInt64(rest[place + count]) * base + UInt64(rest[place + count - 1])
        let top = UInt64(divisor[count - 1])
        var guess = min(head / top, base - 1)
        while guess > 0, !subtract(divisor, times: guess, from: &rest, at: place) { guess -= 1 }
        return UInt32(guess)
    }

    /// Takes a multiple away; leaves everything as it is and answers false where it is too large.
    private static func subtract(
        _ divisor: [UInt32],
        times factor: UInt64,
        from rest: inout [UInt32],
        at place: Int
    ) -> Bool {
        var result = rest
        var carry: UInt64 = 0
        var borrow: Int64 = 0
        for index in 0...divisor.count {
            carry += factor * UInt64(index < divisor.count ? divisor[index] : 0)
            let value = Int64(result[place + index]) - Int64(carry % base) - borrow
            carry /= base
            borrow = value < 0 ? 1 : 0
            result[place + index] = UInt32(value + borrow * Int64(base))
        }
        guard borrow == 0, carry == 0 else { return false }
        rest = result
        return true
    }

    private static func quotient(_ left: [UInt32], by divisor: UInt32) -> (
        quotient: [UInt32], remainder: [UInt32]
    ) {
        var result = left
        var rest: UInt64 = 0
        for index in result.indices.reversed() {
            rest = rest * base + UInt64(result[index])
            result[index] = UInt32(rest / UInt64(divisor))
            rest %= UInt64(divisor)
        }
        return (trimmed(result), rest == 0 ? [] : [UInt32(rest)])
    }
}
