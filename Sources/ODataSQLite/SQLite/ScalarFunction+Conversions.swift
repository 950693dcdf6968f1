import ODataValues
import ODataModel
import ODataPayload

/// Conversions between values and texts (OData 4.01 Part 2 § 5.1.1.10.1), and collections.
extension ScalarFunction {
    static let conversions: [ScalarFunction] = [
        // odata_parse(text, form): the value that a text says; null where it is none.
        unsafe ScalarFunction("odata_parse", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard !call.isNull(0), let form = ScalarForm(tag: call.text(1)),
                let parsed = form.parse(Array(call.text(0).utf8).span, in: noModel)
            else { return call.setNull() }
            call.set(parsed.scalar)
        },
        // odata_text(value, form): the text of a value.
        unsafe ScalarFunction("odata_text", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard !call.isNull(0), let form = ScalarForm(tag: call.text(1)) else {
                return call.setNull()
            }
            var text: [UInt8] = []
            form.write(call.scalar(0), in: noModel, into: &text)
            call.set(String(decoding: text, as: UTF8.self))
        },
        // odata_list(function, array, …): functions of collections (OData 4.01 Part 2 §§ 5.1.1.5, 5.1.1.6).
        unsafe ScalarFunction("odata_list", argumentCount: -1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.argumentCount >= 3, call.isText(1) else { return call.setNull() }
            let items = JSONItems(call.text(1)).items
            if call.text(0) == "substring" {
                guard call.isInteger(2), call.argumentCount < 4 || call.isInteger(3) else {
                    return call.setNull()
                }
                let length = call.argumentCount > 3 ? call.integer(3) : .max
                return call.set(JSONItems.text(items.part(from: call.integer(2), length: length)))
            }
            guard call.isText(2) else { return call.setNull() }
            let others = JSONItems(call.text(2)).items
            switch call.text(0) {
            case "concat": call.set(JSONItems.text(items + others))
            case "indexof": call.set(Int64(items.firstOffset(of: others) ?? -1))
            case "contains": call.set(items.firstOffset(of: others) == nil ? Int64(0) : Int64(1))
            case "startswith": call.set(items.starts(with: others) ? Int64(1) : Int64(0))
            case "endswith":
                call.set(items.reversed().starts(with: others.reversed()) ? Int64(1) : Int64(0))
            default: call.set(items.hasSubsequence(others) ? Int64(1) : Int64(0))
            }
        },
        // odata_members(value, members): the names of an enumeration's value.
        unsafe ScalarFunction("odata_members", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0) else { return call.setNull() }
            call.set(EnumerationSpec(text: call.text(1)).names(of: call.integer(0)))
        },
        // odata_flags(text, members): the value of an enumeration's names.
        unsafe ScalarFunction("odata_flags", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0),
                let value = EnumerationSpec(text: call.text(1)).value(of: call.text(0))
            else { return call.setNull() }
            call.set(value)
        },
        // odata_matches(text, pattern): whether a regular expression matches somewhere in a text.
        unsafe ScalarFunction("odata_matches", argumentCount: 2) { context, count, values in
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
    static let noModel = EdmModel(version: .v4)
}

extension SQLiteError {
    static let overflowMessage = "the result of an arithmetic operation is too large"
    static let divisionMessage = "a number cannot be divided by zero"
    /// What SQLite says where a sum of whole numbers is too large.
    static let sumMessage = "integer overflow"
    static let patternMessage = "the pattern is not understood: "

    /// Whether a value of the request, and nothing of the file, made a function fail.
    package var isFaultOfRequest: Bool {
        [Self.overflowMessage, Self.divisionMessage, Self.patternMessage, Self.sumMessage]
            .contains { message.hasPrefix($0) }
    }
}

/// The items of a JSON array that SQLite has written, as texts.
struct JSONItems {
    private(set) var items: [[UInt8]] = []

    /// The array of items.
    static func text(_ items: some Sequence<[UInt8]>) -> String {
        String(decoding: [0x5B] + items.joined(separator: [0x2C]) + [0x5D], as: UTF8.self)
    }

    init(_ json: String) {
        let bytes = Array(json.utf8)
        ByteCursor.with(bytes.span) { cursor in
            cursor.allowsDuplicateNames = true
            try? cursor.forEachItem { cursor throws(PayloadFault) in
                items.append(
                    Array(bytes[try cursor.place(depth: 1, limit: ByteCursor.storedDepth)])
                )
            }
        }
    }
}

extension [[UInt8]] {
    /// Where other items stand one after the other first, 0-based; nil where they do not.
    func firstOffset(of others: [[UInt8]]) -> Int? {
        guard others.count <= count else { return nil }
        return (0...(count - others.count)).first { self[$0...].starts(with: others) }
    }

    /// Whether other items stand here in the same order, perhaps with others between them.
    func hasSubsequence(_ others: [[UInt8]]) -> Bool {
        var rest = self[...]
        for item in others {
            guard let place = rest.firstIndex(of: item) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    /// Part of the items; a start below zero counts from the end (OData 4.01 Part 2 § 5.1.1.5.7).
    func part(from start: Int64, length: Int64) -> ArraySlice<[UInt8]> {
        let from = start >= 0 ? start : Swift.max(0, Int64(count) + start)
        guard length > 0, from < Int64(count) else { return [] }
        return self[Int(from)...].prefix(Int(clamping: length))
    }
}
