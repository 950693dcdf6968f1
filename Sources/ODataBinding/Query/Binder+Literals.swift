import ODataText
import ODataURL
package import ODataValues
import ODataPayload
package import ODataModel

extension Binder {
    /// Gives a literal its value: in the wanted form where the text says that value exactly, else in its own.
    func literal(_ literal: WrittenLiteral, at offset: Int, wanted: ScalarForm?)
        throws(ODataURLError) -> BoundExpression
    {
        if literal.kind == .null { return .null }
        if isInKey, let wanted, !wanted.isNumeric, wanted.cuts(Array(literal.text.utf8).span) {
            throw ODataURLError(
                .type,
                at: offset,
                "a key is compared to 100 ns, and this one has finer digits",
                found: literal.text
            )
        }
        if let value = converted(literal, wanted: wanted) { return value }
        if let value = own(literal) {
            if wanted == nil, let value = zoned(literal) { return value }
            guard let wanted, let form = value.form, !fits(form, wanted: wanted) else {
                return value
            }
            throw mismatch(literal, wanted: wanted, at: offset)
        }
        if let wanted { throw mismatch(literal, wanted: wanted, at: offset) }
        throw ODataURLError(
            .type,
            at: offset,
            "the literal is out of range or has no meaning",
            found: literal.text
        )
    }

    private func fits(_ form: ScalarForm, wanted: ScalarForm) -> Bool {
        form == wanted || form.isNumeric && wanted.isNumeric || wanted == .json
    }

    private func mismatch(_ literal: WrittenLiteral, wanted: ScalarForm, at offset: Int)
        -> ODataURLError
    {
        var error = ODataURLError(
            .type,
            at: offset,
            "the literal is not a value of \(describe(wanted))",
            found: literal.text
        )
        if case .enumeration(let id) = wanted {
            let members = model[id].members.map(\.name)
            error.suggestion = NearestName.of(literal.text, among: members)
            error.expected = members.first.map { ["'\($0)'", "\(describe(wanted))'\($0)'"] } ?? []
        }
        return error
    }

    // MARK: The wanted form

    private func converted(_ literal: WrittenLiteral, wanted: ScalarForm?) -> BoundExpression? {
        guard let wanted else { return nil }
        switch (literal.kind, wanted) {
        case (.integer, _) where wanted.isNumeric, (.decimal, _) where wanted.isNumeric,
            (.double, _) where wanted.isNumeric, (.int64, _) where wanted.isNumeric,
            (.fixedDecimal, _) where wanted.isNumeric, (.single, _) where wanted.isNumeric:
            return parsed(literal.text, as: wanted)
        case (.string, .enumeration), (.string, .duration):
            return parsed(literal.text, as: wanted)
        case (.string, .json), (.json, _): return parsed(literal.text, as: wanted)
        case (.enumeration(let type), .enumeration(let id)):
            guard model.type(named: type) == .enumeration(id) else { return nil }
            return parsed(literal.text, as: wanted)
        // The times of versions 1 to 3 are written as durations since midnight ([MC-CSDL] § 2.2.1: Edm.Time).
        case (.duration, .timeOfDay) where !model.version.isV4:
            return parsed(literal.text, as: wanted)
        // A date stands for the midnight in UTC that begins it.
        case (.date, .dateTimeOffset): return parsed(literal.text + "T00:00:00Z", as: wanted)
        default: return nil
        }
    }

    private func parsed(_ text: String, as form: ScalarForm) -> BoundExpression? {
        let bytes = Array(text.utf8)
        guard let value = form.parse(bytes.span, in: model) else { return nil }
        return form.isExact(of: value, text, in: model) ? .literal(value.scalar, form) : nil
    }

    // MARK: Its own form

    private func own(_ literal: WrittenLiteral) -> BoundExpression? {
        switch literal.kind {
        case .null: .null
        case .boolean: parsed(literal.text, as: .boolean)
        case .integer:
            parsed(literal.text, as: .integer(.int32)) ?? parsed(literal.text, as: .integer(.int64))
                ?? parsed(literal.text, as: .decimalText)
        case .int64: parsed(literal.text, as: .integer(.int64))
        case .decimal, .fixedDecimal: parsed(literal.text, as: .decimalText)
        case .double: parsed(literal.text, as: .double)
        case .single: parsed(literal.text, as: .single)
        case .string, .json: .literal(.text(literal.text), .string)
        case .guid: parsed(literal.text, as: .guid)
        case .date: parsed(literal.text, as: .date)
        case .timeOfDay, .time: parsed(literal.text, as: .timeOfDay)
        case .dateTimeOffset, .dateTime: parsed(literal.text, as: .dateTimeOffset)
        case .duration: parsed(literal.text, as: .duration)
        case .binary: binary(literal.text)
        case .hexadecimal: hexadecimal(literal.text)
        case .enumeration(let type): enumeration(type, members: literal.text)
        case .geography, .geometry: GeoLiteral.json(literal.text).map { .literal(.text($0), .json) }
        }
    }

    /// An instant in another zone than UTC, which functions of its parts must know: its text, converted.
    private func zoned(_ literal: WrittenLiteral) -> BoundExpression? {
        guard literal.kind == .dateTimeOffset, literal.text.last?.uppercased() != "Z" else {
            return nil
        }
        return .cast(.literal(.text(literal.text), .string), .dateTimeOffset)
    }

    private func enumeration(_ type: String, members: String) -> BoundExpression? {
        guard case .enumeration(let id) = model.type(named: type) else { return nil }
        return parsed(members, as: .enumeration(id))
    }

    /// `binary'…'` holds base64url in version 4 and hexadecimal digits before.
    private func binary(_ text: String) -> BoundExpression? {
        version.isV4 ? parsed(text, as: .binary) : hexadecimal(text)
    }

    private func hexadecimal(_ text: String) -> BoundExpression? {
        var bytes: [UInt8] = []
        var half: UInt8?
        for byte in text.utf8 {
            guard let digit = ASCII.hexDigit(byte) else { return nil }
            if let high = half {
                bytes.append(high << 4 | digit)
                half = nil
            } else {
                half = digit
            }
        }
        return half == nil ? .literal(.blob(bytes), .binary) : nil
    }
}

extension ScalarForm {
    /// Whether a scalar is the very value that its text says: digits beyond the scale of a decimal are cut off.
    package func isExact(of value: ParsedScalar, _ text: String, in model: EdmModel) -> Bool {
        guard case .scaledDecimal = self, value.needsExact else { return true }
        var again: [UInt8] = []
        write(value.scalar, in: model, into: &again)
        return DecimalText(again.span) == DecimalText(Array(text.utf8).span)
    }
}
