import ODataBinding
import ODataModel
import ODataPayload
import ODataTables
import ODataURL

/// What the changes of one transaction make once and share: the members of a change set are much alike.
final class ChangePlans: RequestMemory {
    /// By these entities are read back that were changed.
    let rows = RowPlans()
    /// By these the bodies are read.
    let bodies: CompiledPlans
    private let model: EdmModel
    /// The request that was bound last.
    private var last: (text: RequestText, request: KnownRequest)?

    init(_ schema: TableSchema) {
        model = schema.model
        bodies = CompiledPlans(model: schema.model, source: schema.plans)
    }

    func request(_ text: String, version: ODataVersion, limits: URLLimits) throws(ODataURLError)
        -> KnownRequest
    {
        if let last, last.text.isOf(text, version: version, limits: limits) { return last.request }
        let request = KnownRequest(
            try BoundRequest(parsing: text, in: model, version: version, limits: limits)
        )
        last = (RequestText(text, version: version, limits: limits), request)
        return request
    }
}
