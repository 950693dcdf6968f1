import ODataValues
import ODataModel

/// What is done with a member; plain bytes, so that it is copied without counting references.
struct MemberAction {
    enum Kind: UInt8 {
        case scalar
        case complex
        case json
        /// A navigation property to one entity.
        case single
        /// A navigation property to many entities.
        case collection
        case stream
    }

    var kind: Kind
    /// Whether it is a key property of the entity itself.
    var isKey = false
    var form: ScalarForm
    var slot: Int
    /// Index into the list of the table that goes with the kind, -1 where none does; of other values, the member's own.
    var reference: Int
    /// Most characters of a string, and bytes of a binary value, that the model declares.
    var maximumLength = Int.max
    /// Most digits of a decimal that the model declares, and most of them behind the point.
    var maximumPrecision = Int.max
    var maximumScale = Int.max

    init(_ kind: Kind, form: ScalarForm = .json, slot: Int = 0, reference: Int = 0) {
        self.kind = kind
        self.form = form
        self.slot = slot
        self.reference = reference
    }

    /// Takes the limits that the model declares.
    mutating func limit(by facets: Facets) {
        if case .length(let length)? = facets.maxLength { maximumLength = length }
        guard form.isDecimal else { return }
        maximumPrecision = facets.precision ?? .max
        // Without a scale, a decimal is whole (OData CSDL 4.01 § 7.2.4); versions 1 to 3 say nothing of it.
        if case .digits(let digits)? = facets.scale { maximumScale = digits }
    }
}
