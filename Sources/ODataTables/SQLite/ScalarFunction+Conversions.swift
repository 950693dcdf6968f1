import ODataModel
import ODataProtocol

/// Conversions between values and texts (OData 4.01 Part 2 § 5.1.1.10.1), and collections.
extension ScalarFunction {
    static let conversions: [ScalarFunction] = [
        // odata_parse(text, form): the value that a text says; null where it is none.
        unsafe ScalarFunction("odata_parse", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard !call.isNull(0), let form = ScalarForm(tag: call.text(1)),
                let parsed = form.parse(Array(call.text(0).utf8).span, in: noModel)
            else { return call.setNull() }
            call.set(parsed.scalar)
        },
        // odata_text(value, form): the text of a value.
        unsafe ScalarFunction("odata_text", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard !call.isNull(0), let form = ScalarForm(tag: call.text(1)) else {
                return call.setNull()
            }
            var text: [UInt8] = []
            form.write(call.scalar(0), in: noModel, into: &text)
            call.set(String(decoding: text, as: UTF8.self))
        },
        // odata_whole(value): the result of arithmetic on whole numbers, which SQLite makes a real where it overflows.
        unsafe ScalarFunction("odata_whole", 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            if call.isNull(0) {
                call.setNull()
            } else if call.isInteger(0) {
                call.set(call.integer(0))
            } else {
                call.fail(SQLiteError.overflowMessage)
            }
        },
        // odata_subsequence(all, some): whether the items of one JSON array stand in another one in the same order.
        unsafe ScalarFunction("odata_subsequence", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            var rest = JSONItems(call.text(0)).items[...]
            for item in JSONItems(call.text(1)).items {
                guard let place = rest.firstIndex(of: item) else { return call.set(Int64(0)) }
                rest = rest[(place + 1)...]
            }
            call.set(Int64(1))
        },
        // odata_matches(text, pattern): whether a regular expression matches somewhere in a text.
        unsafe ScalarFunction("odata_matches", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), call.isText(1) else { return call.setNull() }
            do throws(TextPattern.PatternError) {
                call.set(try TextPattern(call.text(1)).matches(call.text(0)) ? Int64(1) : Int64(0))
            } catch {
                call.fail(SQLiteError.patternMessage + error.message)
            }
        },
    ]

    /// Only enumerations ask a model, and they have no name here.
    private static let noModel = EdmModel(version: .v4)
}

extension SQLiteError {
    static let overflowMessage = "the result of an arithmetic operation is too large"
    static let patternMessage = "the pattern is not understood: "

    /// Whether a value of the request, and nothing of the file, made a function fail.
    package var isFaultOfRequest: Bool {
        message.hasPrefix(Self.overflowMessage) || message.hasPrefix(Self.patternMessage)
    }
}

/// The items of a JSON array that SQLite has written, as texts.
struct JSONItems {
    private(set) var items: [[UInt8]] = []

    init(_ json: String) {
        var item: [UInt8] = []
        var depth = 0
        var isString = false
        var isEscaped = false
        for byte in json.utf8 {
            if isString {
                item.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > 1 { item.append(byte) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth > 0 { item.append(byte) } else if !item.isEmpty { items.append(item) }
            case UInt8(ascii: ",") where depth == 1:
                items.append(item)
                item = []
            default:
                isString = byte == UInt8(ascii: "\"")
                item.append(byte)
            }
        }
    }
}
