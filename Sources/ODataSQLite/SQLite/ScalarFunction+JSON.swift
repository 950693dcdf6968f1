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
        },
        // odata_items(json, path, places, count): a text with the items at the places, `2,0`, of the collection at the path, and the
        // count beside it where it is not null.
        unsafe ScalarFunction("odata_items", argumentCount: 4) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            let json = call.text(0)
            guard let tree = JSONTree(Array(json.utf8)) else { return call.set(json) }
            let places = call.isNull(2) ? "" : call.text(2)
            let choice = ItemChoice(
                path: call.text(1),
                places: places.split(separator: ",").compactMap { Int($0) },
                count: call.isNull(3) ? nil : call.integer(3)
            )
            call.set(String(decoding: choice.written(tree), as: UTF8.self))
        },
    ]
}
