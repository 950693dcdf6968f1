/// The checksum of a token: FNV-1a over its bytes and the request that it belongs to.
///
/// It finds damage and mix-ups; values of a forged token still only become parameters of the same query.
package enum TokenSeal {
    package static func sum(_ bytes: [UInt8], request: String) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in request.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }
}
