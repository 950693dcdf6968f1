import ODataValues
import ODataModel
import TestSupport
import Testing

/// Our conversions against those of the standard library.
@Suite struct RealTextTests {
    private static let model = EdmModel(version: .v4)

    private static func written(_ value: Double, _ form: ScalarForm) -> [UInt8] {
        var output: [UInt8] = []
        form.write(.real(value), in: model, into: &output)
        return output
    }

    @Test func roundTripsAnyBitPattern() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            #expect(
                parse(Self.written(value, .double), .double)?.scalar
                    == .real(value)
            )
        }
    }

    @Test func roundTripsAnySingle() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<20_000 {
            let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())))
            guard value.isFinite else { continue }
            #expect(
                parse(Self.written(value, .single), .single)?.scalar
                    == .real(value)
            )
        }
    }

    @Test func roundsAsTheStandardLibraryDoes() throws {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<20_000 {
            let bits = UInt64.random(in: 0...63, using: &generator)
            let digits = (generator.next() >> bits) % 10_000_000_000_000_000_000
            let text = "\(digits)e\(Int.random(in: -30...30, using: &generator))"
            let expected = try #require(Double(text))
            #expect(
                parse(text, .double)?.scalar
                    == .real(expected),
                "\(text)"
            )
            let single = try #require(Float(text))
            let read = parse(text, .single)?.scalar
            #expect(read == (single.isFinite ? .real(Double(single)) : nil), "\(text)")
        }
    }

    /// Numbers halfway between two neighbours, and next to it.
    @Test(arguments: [
        "9007199254740993", "9007199254740992.5", "9007199254740993.0000000001",
        "4503599627370496.5",
        "4503599627370497.5", "1.00000005960464477539", "1.000000059604644775390625", "8388609.5",
        "0.000000000000000000000000001", "9999999999999999999e27", "1844674407370955161.5",
    ])
    func roundsHalvesToEven(_ text: String) throws {
        let expected = try #require(Double(text))
        #expect(
            parse(text, .double)?.scalar
                == .real(expected)
        )
    }

    @Test func writesAsShortAsTheStandardLibrary() {
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<10_000 {
            let digits = Int64(truncatingIfNeeded: generator.next() % 10_000_000_000)
            let value = Double(digits) / 1_000
            let text = String(decoding: Self.written(value, .double), as: UTF8.self)
            let expected = value.description
            #expect(text == (expected.hasSuffix(".0") ? String(expected.dropLast(2)) : expected))
        }
    }
}
