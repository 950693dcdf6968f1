@testable import ODataValues
import ODataModel
import TestSupport
import Testing

/// Members are written into room that is made beforehand: what is longest must fit, and all must read as when written piece by
/// piece.
@Suite struct JSONMemberTests {
    private static let scalarForms: [ScalarForm] =
        [
            .boolean, .integer(.int64), .date, .timeOfDay, .duration, .dateTimeOffset, .guid,
            .single, .double, .binary, .string, .json, .decimalText,
        ] + (0...18).map { .scaledDecimal(scale: $0) }

    private static let styles: [ScalarStyle] = [.v4, .v2, .v2DateTime]

    private static let integers: [Int64] = [
        .min, .min + 1, -1, 0, 1, 9, 10, 99_999_999, 100_000_000, 3_652_058, 1 << 30, .max - 1,
        .max,
    ]

    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 0)
        writer.beginObject()
        body(&writer)
        body(&writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Every room from none to more than enough: what does not fit is written piece by piece.
    private static let rooms = [0, 3, 20, 63, 64, 67, 68, 80, 100, 200, 1_000]

    /// Writes a member twice as rows do: into room made beforehand, else piece by piece.
    private func members(
        _ name: JSONName,
        room: Int,
        fast: (inout OutputSpan<UInt8>, Span<UInt8>) -> Bool,
        otherwise: (inout JSONWriter) -> Void
    ) -> String {
        var writer = JSONWriter(capacity: 0)
        writer.beginObject()
        for _ in 0..<2 {
            var isWritten = false
            writer.members(room: room) { output, needsComma in
                let prepared = name.prepared.span
                let start = needsComma ? prepared : prepared.extracting(1..<prepared.count)
                let count = output.count
                isWritten = fast(&output, start)
                #expect(isWritten || output.count == count)
                needsComma = needsComma || isWritten
            }
            if !isWritten {
                writer.name(name)
                otherwise(&writer)
            }
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: scalarForms, styles)
    func writesIntegersAsPieceByPiece(_ form: ScalarForm, _ style: ScalarStyle) {
        let name = JSONName("n")
        for isQuoted in [false, true] {
            let column = JSONScalarForm(form, style: style, isQuoted: isQuoted)
            for value in Self.integers {
                let expected = written {
                    $0.name(name)
                    $0.integer(value, as: column)
                }
                for room in Self.rooms {
                    let found = members(name, room: room) {
                        $0.member($1, integer: value, as: column)
                    } otherwise: {
                        $0.integer(value, as: column)
                    }
                    #expect(found == expected)
                }
            }
        }
    }

    @Test(arguments: scalarForms, [false, true])
    func writesRealsAsPieceByPiece(_ form: ScalarForm, _ isQuoted: Bool) {
        let name = JSONName("n")
        let column = JSONScalarForm(form, isQuoted: isQuoted)
        for value in [
            0, -0.0, 1, -1.5, 0.1, 12.34, 1e15, -2.2250738585072014e-308,
            Double.leastNonzeroMagnitude,
            -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, .pi,
        ] {
            let expected = written {
                $0.name(name)
                $0.real(value, as: column)
            }
            for room in Self.rooms {
                let found = members(name, room: room) {
                    $0.member($1, real: value, as: column)
                } otherwise: {
                    $0.real(value, as: column)
                }
                #expect(found == expected)
            }
        }
    }

    @Test(arguments: scalarForms)
    func writesTextsAndBytesAsPieceByPiece(_ form: ScalarForm) {
        let name = JSONName("a \"name\" of some length, longer than thirty-two bytes")
        let column = JSONScalarForm(form)
        for text in [
            "", "x", "1234567", "12345678", "a\"b", "ü\n", String(repeating: "y", count: 99),
        ] {
            let bytes = Array(text.utf8)
            let expected = written {
                $0.name(name)
                $0.text(bytes.span, as: column)
            }
            let blob = written {
                $0.name(name)
                $0.blob(bytes.span, as: column)
            }
            for room in Self.rooms {
                let found = members(name, room: room) {
                    $0.member($1, text: bytes.span, as: column)
                } otherwise: {
                    $0.text(bytes.span, as: column)
                }
                #expect(found == expected)
                let foundBlob = members(name, room: room) {
                    $0.member($1, blob: bytes.span, as: column)
                } otherwise: {
                    $0.blob(bytes.span, as: column)
                }
                #expect(foundBlob == blob)
            }
        }
    }

    @Test func writesCommonValuesIntoTheRoom() {
        let name = JSONName("n")
        for form in [ScalarForm.boolean, .integer(.int64), .date, .dateTimeOffset] {
            let found = members(name, room: 1_000) {
                let isWritten = $0.member($1, integer: 1, as: JSONScalarForm(form))
                #expect(isWritten)
                return isWritten
            } otherwise: { _ in
            }
            #expect(found.hasPrefix(#"{"n":"#))
        }
    }

    @Test(arguments: 0...40) func copiesNamesOfEveryLength(_ length: Int) {
        let name = String("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ".prefix(length))
        let text = members(JSONName(name), room: 200) {
            $0.nullMember($1)
        } otherwise: {
            $0.null()
        }
        #expect(text == #"{"\#(name)":null,"\#(name)":null}"#)
    }
}
