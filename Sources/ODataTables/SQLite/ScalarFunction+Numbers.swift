import ODataProtocol

/// Rounding, remainders and decimals (OData 4.01 Part 2 § 5.1.1.9).
extension ScalarFunction {
    static let numbers: [ScalarFunction] = [
        unsafe ScalarFunction("odata_round", 1) { context, count, values in
            // Halves go away from zero.
            unsafe FunctionCall(context, count, values).mapReal {
                $0.rounded(.toNearestOrAwayFromZero)
            }
        },
        unsafe ScalarFunction("odata_floor", 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.down) }
        },
        unsafe ScalarFunction("odata_ceiling", 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.up) }
        },
        // odata_step(value, unit, mode): a scaled decimal brought to a multiple of the unit, without leaving the integers.
        unsafe ScalarFunction("odata_step", 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), call.integer(1) > 0 else { return call.setNull() }
            let (value, unit) = (call.integer(0), call.integer(1))
            let below = Instant.floorDivide(value, unit) * unit
            switch call.text(2) {
            case "floor": call.set(below)
            case "ceiling": call.set(below == value ? value : below &+ unit)
            default:
                let rest = value - below
                let isUp = value < 0 ? rest > unit / 2 : rest >= unit - rest
                call.set(isUp ? below &+ unit : below)
            }
        },
        // odata_decimal(value, scale): a scaled decimal as the text that compares as the number does.
        unsafe ScalarFunction("odata_decimal", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), (0...18).contains(call.integer(1)) else {
                return call.setNull()
            }
            call.set(DecimalText(call.integer(0), scale: Int(call.integer(1))).encoded)
        },
        // odata_real(text): the floating-point number nearest to a decimal.
        unsafe ScalarFunction("odata_real", 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), let decimal = DecimalText(encoded: call.text(0)),
                let real = Double(decimal.text)
            else { return call.setNull() }
            call.set(real)
        },
        unsafe ScalarFunction("odata_mod", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard !call.isNull(0), !call.isNull(1) else { return call.setNull() }
            call.set(call.real(0).truncatingRemainder(dividingBy: call.real(1)))
        },
        // odata_decimal(integer, scale): a scaled decimal in the form that compares by bytes.
        unsafe ScalarFunction("odata_decimal", 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0) else { return call.setNull() }
            call.set(DecimalText(call.integer(0), scale: Int(call.integer(1))).encoded)
        },
        // odata_real(text): a decimal in that form as a floating-point number.
        unsafe ScalarFunction("odata_real", 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), let decimal = DecimalText(encoded: call.text(0)),
                let number = Double(decimal.text)
            else {
                return call.setNull()
            }
            call.set(number)
        },
    ]
}

extension FunctionCall {
    /// Answers a function of one number; null gives null.
    func mapReal(_ body: (Double) -> Double) {
        guard !isNull(0) else { return setNull() }
        set(body(real(0)))
    }
}
