import ODataText
import ODataValues

/// Values of collections and dynamic properties, which services write as they like.
extension ScalarFunction {
    static let json: [ScalarFunction] = [
        // odata_same(json, json): 1 where two JSON texts have one value, else 0.
        unsafe ScalarFunction("odata_same", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            let isSame =
                call.isText(0) && call.isText(1) && JSONTree.isSame(call.text(0), call.text(1))
            call.set(isSame ? Int64(1) : Int64(0))
        }
    ]
}
