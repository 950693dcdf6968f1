/// String functions of OData, by code points; SQLite's own stop at NUL and know ASCII letters only.
extension ScalarFunction {
    /// Every function of ours.
    static let all: [ScalarFunction] = text + dates + numbers + conversions + json

    private static let text: [ScalarFunction] = [
        unsafe ScalarFunction("odata_lower", argumentCount: 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapText { $0.lowercased() }
        },
        unsafe ScalarFunction("odata_upper", argumentCount: 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapText { $0.uppercased() }
        },
        unsafe ScalarFunction("odata_trim", argumentCount: 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapText { $0.trimmingWhiteSpace() }
        },
        unsafe ScalarFunction("odata_length", argumentCount: 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0) else { return call.setNull() }
            call.set(Int64(call.text(0).unicodeScalars.count))
        },
        unsafe ScalarFunction("odata_indexof", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), call.isText(1) else { return call.setNull() }
            call.set(Int64(call.text(0).codePointOffset(of: call.text(1)) ?? -1))
        },
        unsafe ScalarFunction("odata_substring", argumentCount: -1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.argumentCount >= 2, call.isText(0), call.isInteger(1),
                call.argumentCount < 3 || call.isInteger(2)
            else { return call.setNull() }
            let length = call.argumentCount > 2 ? call.integer(2) : .max
            call.set(call.text(0).substring(from: call.integer(1), length: length))
        },
        unsafe ScalarFunction("odata_starts", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), call.isText(1) else { return call.setNull() }
            call.set(call.text(0).utf8.starts(with: call.text(1).utf8) ? Int64(1) : Int64(0))
        },
        unsafe ScalarFunction("odata_ends", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), call.isText(1) else { return call.setNull() }
            let (text, end) = (call.text(0), call.text(1))
            let isEnd = text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
            call.set(isEnd ? Int64(1) : Int64(0))
        },
        // odata_search(term, text, …): whether one of the texts has the words of the term, one after the other.
        unsafe ScalarFunction("odata_search", argumentCount: -1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.argumentCount > 0, call.isText(0) else { return call.setNull() }
            guard let phrase = call.searchPhrase(0) else {
                return call.fail(SQLiteError.lacksFTS5Message)
            }
            let isFound = (1..<max(1, call.argumentCount)).contains { index in
                call.isText(index) && (unsafe call.withText(index) { unsafe phrase.occurs(in: $0) })
            }
            call.set(isFound ? Int64(1) : Int64(0))
        },
        unsafe ScalarFunction("odata_replace", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), call.isText(1), call.isText(2) else { return call.setNull() }
            call.set(call.text(0).replacingBytes(of: call.text(1), with: call.text(2)))
        },
    ]
}

extension FunctionCall {
    /// Answers a function of one text; null and unknown values give null.
    func mapText(_ body: (String) -> String) {
        guard isText(0) else { return setNull() }
        set(body(text(0)))
    }
}

extension String {
    func trimmingWhiteSpace() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// Where another text begins first, in code points, 0-based; nil where it does not occur.
    func codePointOffset(of other: String) -> Int? {
        let bytes = Array(utf8)
        let needle = Array(other.utf8)
        guard let offset = bytes.firstOffset(of: needle) else { return nil }
        return bytes[..<offset].count { $0 & 0xC0 != 0x80 }
    }

    /// Part of the text in code points; what lies outside is empty (OData 4.01 Part 2 § 5.1.1.5.7).
    func substring(from start: Int64, length: Int64) -> String {
        let scalars = unicodeScalars
        let from = start >= 0 ? start : max(0, Int64(scalars.count) + start)
        guard let offset = Int(exactly: from), length > 0,
            let first = scalars.index(
                scalars.startIndex,
                offsetBy: offset,
                limitedBy: scalars.endIndex
            )
        else { return "" }
        let last = scalars.index(
            first,
            offsetBy: Int(clamping: length),
            limitedBy: scalars.endIndex
        )
        return String(scalars[first..<(last ?? scalars.endIndex)])
    }

    func replacingBytes(of find: String, with replacement: String) -> String {
        let needle = Array(find.utf8)
        guard !needle.isEmpty else { return self }
        var rest = Array(utf8)[...]
        var result: [UInt8] = []
        while let offset = rest.firstOffset(of: needle) {
            result += rest.prefix(offset)
            result += replacement.utf8
            rest = rest.dropFirst(offset + needle.count)
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}

extension RandomAccessCollection<UInt8> {
    /// Where a sequence of bytes begins first, counted from the start of this collection.
    func firstOffset(of needle: [UInt8]) -> Int? {
        guard let first = needle.first else { return 0 }
        var position = startIndex
        while let candidate = self[position...].firstIndex(of: first) {
            if self[candidate...].starts(with: needle) {
                return distance(from: startIndex, to: candidate)
            }
            position = index(after: candidate)
        }
        return nil
    }
}
