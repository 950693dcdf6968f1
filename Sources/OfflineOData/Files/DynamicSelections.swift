import ODataBinding
import ODataModel
import StoreRecords

/// The dynamic properties that queries bring: of others a store knows only what was written here, so there is nothing to compare.
struct DynamicSelections: Sendable {
    /// Sources of which all properties come.
    private var whole: Set<NavigationSource> = []
    /// Names that queries select.
    private var names: [NavigationSource: Set<String>] = [:]
    /// Whether any property may come: a query is in words that the model does not know.
    private var isUnknown = false

    init(_ urls: [String], model: EdmModel) {
        for url in urls {
            if let asked = AddressedEntities(url, in: model) {
                add(asked.options, of: asked.path.finalSource)
            } else {
                isUnknown = true
            }
        }
    }

    private mutating func add(_ options: BoundOptions, of source: NavigationSource?) {
        if let source {
            if let paths = options.select.paths {
                names[source, default: []].formUnion(paths.compactMap(\.first))
            } else {
                whole.insert(source)
            }
        }
        for item in options.expand { add(item.options, of: item.target) }
    }

    /// Whether a query brings a property that the model does not declare.
    func bring(_ name: String, of source: NavigationSource) -> Bool {
        isUnknown || whole.contains(source) || names[source]?.contains(name) ?? false
    }
}
