import ODataProtocol

/// Rounding, remainders and decimals (OData 4.01 Part 2 § 5.1.1.9).
extension ScalarFunction {
    static let numbers: [ScalarFunction] = [
        unsafe ScalarFunction("odata_round", 1) { context, count, values in
            // Halves go away from zero.
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.toNearestOrAwayFromZero) }
        },
        unsafe ScalarFunction("odata_floor", 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.down) }
        },
        unsafe ScalarFunction("odata_ceiling", 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.up) }
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
            guard call.isText(0), let decimal = DecimalText(encoded: call.text(0)), let number = Double(decimal.text) else {
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
