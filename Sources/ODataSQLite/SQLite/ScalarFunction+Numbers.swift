import ODataValues

/// Arithmetic that SQLite does not do as OData does (OData 4.01 Part 2 §§ 5.1.1.2, 5.1.1.9).
extension ScalarFunction {
    static let numbers: [ScalarFunction] = wholeNumbers + realNumbers + decimals

    private static let wholeNumbers: [ScalarFunction] = [
        // odata_whole(value): the result of arithmetic on whole numbers, which SQLite makes a real where it overflows.
        unsafe ScalarFunction("odata_whole", argumentCount: 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            if call.isNull(0) {
                call.setNull()
            } else if call.isInteger(0) {
                call.set(call.integer(0))
            } else {
                call.fail(SQLiteError.overflowMessage)
            }
        },
        // odata_div(a, b): how often b goes into a whole number.
        unsafe ScalarFunction("odata_div", argumentCount: 2) { context, count, values in
            unsafe FunctionCall(context, count, values).mapIntegers {
                $0.dividedReportingOverflow(by: $1)
            }
        },
        // odata_mod(a, b): the remainder, with the sign of a; of reals where one of them is.
        unsafe ScalarFunction("odata_mod", argumentCount: 2) { context, count, values in
            unsafe FunctionCall(context, count, values).mapIntegers { a, b in
                // The remainder by -1 is 0, also where the quotient would be too large.
                b == -1 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
            }
        },
        // odata_step(value, unit, mode): a scaled decimal brought to a multiple of the unit, without leaving the integers.
        unsafe ScalarFunction("odata_step", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), call.integer(1) > 0 else { return call.setNull() }
            let (value, unit) = (call.integer(0), call.integer(1))
            let below = value.dividedFloor(by: unit).quotient * unit
            switch call.text(2) {
            case "floor": call.set(below)
            case "ceiling": call.set(below == value ? value : below &+ unit)
            default:
                let rest = value - below
                let isUp = value < 0 ? rest > unit / 2 : rest >= unit - rest
                call.set(isUp ? below &+ unit : below)
            }
        },
        // odata_span(ticks, operation, decimal): a duration times or divided by a number, in whole ticks.
        unsafe ScalarFunction("odata_span", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), let number = call.decimal(2),
                let operation = ArithmeticOperator(rawValue: call.text(1))
            else { return call.setNull() }
            call.answer { () throws(DecimalText.ArithmeticError) in
                let ticks = try DecimalText(call.integer(0)).applying(operation, number)
                guard let whole = ticks.rounded(.even).integer else { throw .tooLarge }
                call.set(whole)
            }
        },
    ]

    private static let realNumbers: [ScalarFunction] = [
        unsafe ScalarFunction("odata_round", argumentCount: 1) { context, count, values in
            // Halves go away from zero.
            unsafe FunctionCall(context, count, values).mapReal {
                $0.rounded(.toNearestOrAwayFromZero)
            }
        },
        unsafe ScalarFunction("odata_floor", argumentCount: 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.down) }
        },
        unsafe ScalarFunction("odata_ceiling", argumentCount: 1) { context, count, values in
            unsafe FunctionCall(context, count, values).mapReal { $0.rounded(.up) }
        },
        // odata_real(operation, a, b): reals as IEEE 754 has them; SQLite makes NaN and division by zero null.
        unsafe ScalarFunction("odata_real", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let a = call.number(1), let b = call.number(2) else { return call.setNull() }
            switch call.text(0) {
            case "add": call.set(number: a + b)
            case "sub": call.set(number: a - b)
            case "mul": call.set(number: a * b)
            case "mod" where b == 0: call.fail(SQLiteError.divisionMessage)
            case "mod": call.set(number: a.truncatingRemainder(dividingBy: b))
            default: call.set(number: a / b)
            }
        },
    ]

    private static let decimals: [ScalarFunction] = [
        // odata_decimal(integer, scale): a scaled decimal in the form that compares by bytes.
        unsafe ScalarFunction("odata_decimal", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), (0...18).contains(call.integer(1)) else {
                return call.setNull()
            }
            call.set(DecimalText(call.integer(0), scale: Int(call.integer(1))).encoded)
        },
        // odata_cut(texts, beginning, integer, scale): a decimal of which a scaled decimal has cut digits off; null where it has cut off
        // none. The decimal stands in a JSON object of plain strings, behind its name with quotes and colon.
        unsafe ScalarFunction("odata_cut", argumentCount: 4) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            let scale = Int(call.integer(3))
            // Most texts are kept for their zeros at the end alone.
            guard let text = call.decimal(behind: 1, in: 0, beyond: scale),
                case .text(let exact)? = ScalarForm.decimalText.parse(text.span, in: noModel)?
                    .scalar
            else { return call.setNull() }
            let isWhole =
                call.isInteger(2) && exact == DecimalText(call.integer(2), scale: scale).encoded
            isWhole ? call.setNull() : call.set(exact)
        },
        // odata_real(text): the floating-point number nearest to a decimal.
        unsafe ScalarFunction("odata_real", argumentCount: 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let decimal = call.decimal(0) else { return call.setNull() }
            call.set(number: decimal.real)
        },
        // odata_compute(operation, a, b): exact arithmetic on decimals.
        unsafe ScalarFunction("odata_compute", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let operation = ArithmeticOperator(rawValue: call.text(0)),
                let a = call.decimal(1), let b = call.decimal(2)
            else { return call.setNull() }
            call.answer { () throws(DecimalText.ArithmeticError) in
                call.set(try a.applying(operation, b).encoded)
            }
        },
        // odata_whole(decimal, mode): a decimal made whole.
        unsafe ScalarFunction("odata_whole", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let value = call.decimal(0),
                let rule = DecimalText.Rounding(rawValue: call.text(1))
            else { return call.setNull() }
            call.set(value.rounded(rule).encoded)
        },
        // odata_negate(decimal): a decimal with the other sign.
        unsafe ScalarFunction("odata_negate", argumentCount: 1) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let value = call.decimal(0) else { return call.setNull() }
            call.set(value.negated.encoded)
        },
        // odata_integer(decimal, from, to): its whole part within bounds; null beyond.
        unsafe ScalarFunction("odata_integer", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let value = call.decimalOfAny(0)?.rounded(.truncate).integer,
                value >= call.integer(1), value <= call.integer(2)
            else { return call.setNull() }
            call.set(value)
        },
        // odata_scaled(decimal, scale): a decimal as an integer of a scale, cut; null where it does not fit.
        unsafe ScalarFunction("odata_scaled", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard let value = call.decimalOfAny(0), (0...18).contains(call.integer(1)),
                let product = value.shifted(by: Int(call.integer(1))),
                let scaled = product.rounded(.truncate).integer
            else { return call.setNull() }
            call.set(scaled)
        },
    ]
}

extension FunctionCall {
    /// Answers a function of one number; null and values not known give null.
    func mapReal(_ body: (Double) -> Double) {
        guard let value = number(0) else { return setNull() }
        set(number: body(value))
    }

    /// Answers a function of two whole numbers; dividing by zero and results that are too large fail.
    func mapIntegers(_ body: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)) {
        guard isInteger(0), isInteger(1) else { return setNull() }
        guard integer(1) != 0 else { return fail(SQLiteError.divisionMessage) }
        let (value, overflow) = body(integer(0), integer(1))
        overflow ? fail(SQLiteError.overflowMessage) : set(value)
    }

    /// Runs what sets an answer; arithmetic without a result fails the request.
    func answer(_ body: () throws(DecimalText.ArithmeticError) -> Void) {
        do throws(DecimalText.ArithmeticError) {
            try body()
        } catch {
            switch error {
            case .divisionByZero: fail(SQLiteError.divisionMessage)
            case .tooLarge: fail(SQLiteError.overflowMessage)
            }
        }
    }

    /// A number as a real; NaN is kept as text.
    func number(_ index: Int) -> Double? {
        switch scalar(index) {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .text(let text): text == "NaN" ? .nan : nil
        case .null, .blob: nil
        }
    }

    /// Answers a real; SQLite would make NaN null.
    func set(number: Double) {
        number.isNaN ? set("NaN") : set(number)
    }

    /// A decimal in the form that compares by bytes.
    func decimal(_ index: Int) -> DecimalText? {
        isText(index) ? DecimalText(encoded: text(index)) : nil
    }

    /// A decimal, or a number of another form as a decimal.
    func decimalOfAny(_ index: Int) -> DecimalText? {
        switch scalar(index) {
        case .integer(let value): DecimalText(value)
        case .real(let value): DecimalText(value)
        case .text: decimal(index)
        case .null, .blob: nil
        }
    }
}
