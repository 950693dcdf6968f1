import ODataText
import Testing

@Suite struct UTF8CheckTests {
    /// Texts longer than a machine word, with the fault behind, inside of and before whole words.
    @Test(
        arguments: [
            ([0x61, 0xC3, 0xA9], nil), ([UInt8](repeating: 0x61, count: 17), nil),
            ([UInt8](repeating: 0x61, count: 8) + [0xFF], 8),
            ([UInt8](repeating: 0x61, count: 9) + [0xC3], 9),
            ([0xE2, 0x82, 0xAC, 0x61, 0xC0, 0x80, 0x61, 0x61, 0x61], 4),
            ([0xF0, 0x9F, 0x98, 0x80], nil), ([0xF4, 0x90, 0x80, 0x80], 0),
            ([0xED, 0xA0, 0x80], 0),
            ([], nil),
        ] as [([UInt8], Int?)]
    )
    func findsTheFirstFault(bytes: [UInt8], fault: Int?) {
        #expect(UTF8Check.firstFault(in: bytes.span) == fault)
    }

    /// Wherever the fault stands among plain bytes, and whether another character comes before it.
    @Test(arguments: 0..<80)
    func findsAFaultAtEachDistance(_ distance: Int) {
        for before in [[], [0xC3, 0xA9], [0xE2, 0x82, 0xAC, 0xE2, 0x82, 0xAC]] as [[UInt8]] {
            let text = before + [UInt8](repeating: 0x61, count: distance)
            for fault in [[0xFF], [0xC3], [0xC3, 0x61], [0x80]] as [[UInt8]] {
                let rest = [UInt8](repeating: 0x62, count: fault == [0xC3] ? 0 : 40)
                let bytes = text + fault + rest
                #expect(UTF8Check.firstFault(in: bytes.span) == text.count)
            }
            #expect(UTF8Check.firstFault(in: text.span) == nil)
        }
    }
}
