import ODataText
public import ODataValues
public import ODataModel

/// Writes primitive values as literals of URLs, in the form of a version.
public struct URLLiteral: Sendable {
    private let model: EdmModel
    private let version: ODataVersion

    /// Creates a writer of literals.
    public init(model: EdmModel, version: ODataVersion) {
        self.model = model
        self.version = version
    }

    /// Returns the literal of a value, percent-encoded for a path or a query; nil where the type has none.
    ///
    /// OData 4.01 ABNF, section 7; OData 2.0 Overview, 6, for the forms of versions 1 to 3.
    public func text(_ scalar: Scalar, _ type: TypeReference) -> String? {
        if case .null = scalar { return "null" }
        guard let form = ScalarForm(type, in: model) else { return nil }
        var value: [UInt8] = []
        let style: ScalarStyle = version.isV4 || form != .timeOfDay ? .v4 : .v2
        form.write(scalar, in: model, style: style, into: &value)
        let primitive = model.underlyingPrimitive(of: type.type)
        guard let frame = frame(form, type: primitive, value: &value) else { return nil }
        var output = Array(frame.before.utf8)
        if frame.isString { value = value.flatMap { $0 == Byte.quote ? [$0, $0] : [$0] } }
        PercentEncoding.append(value, keeping: frame.isString ? "'" : ":,=", to: &output)
        output += Array(frame.after.utf8)
        return String(decoding: output, as: UTF8.self)
    }

    /// What stands around a value.
    private struct Frame {
        var before = ""
        var after = ""
        var isString = false

        static func quoted(_ prefix: String) -> Frame {
            Frame(before: prefix + "'", after: "'")
        }
    }

    private func frame(_ form: ScalarForm, type: PrimitiveType?, value: inout [UInt8])
        -> Frame?
    {
        switch form {
        case .string: return Frame(before: "'", after: "'", isString: true)
        case .enumeration(let id): return .quoted(model[id].name)
        case .json: return nil
        default: return version.isV4 ? current(form) : older(form, type: type, value: &value)
        }
    }

    private func current(_ form: ScalarForm) -> Frame {
        switch form {
        case .duration: .quoted("duration")
        case .binary: .quoted("binary")
        default: Frame()
        }
    }

    private func older(_ form: ScalarForm, type: PrimitiveType?, value: inout [UInt8]) -> Frame {
        switch form {
        case .integer(.int64): return Frame(after: "L")
        case .scaledDecimal, .decimalText: return Frame(after: "M")
        case .double: return Frame(after: ASCII.isDigit(value.last ?? 0) ? "d" : "")
        case .single: return Frame(after: ASCII.isDigit(value.last ?? 0) ? "f" : "")
        case .guid: return .quoted("guid")
        case .timeOfDay: return .quoted("time")
        case .duration: return .quoted("time")
        case .dateTimeOffset where type == .dateTime:
            // Values of Edm.DateTime have no offset.
            if value.last == UInt8(ascii: "Z") { value.removeLast() }
            return .quoted("datetime")
        case .dateTimeOffset: return .quoted("datetimeoffset")
        case .binary:
            value = hexadecimal(value)
            return .quoted("X")
        default: return Frame()
        }
    }

    /// Versions 1 to 3 write bytes as hexadecimal digits.
    private func hexadecimal(_ base64: [UInt8]) -> [UInt8] {
        guard case .blob(let bytes)? = ScalarForm.binary.parse(base64.span, in: model)?.scalar
        else {
            return []
        }
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
