import ODataBinding
import ODataHTTP
import ODataModel

/// What the metadata says that clients cannot ask of a set or singleton (Capabilities vocabulary), which a stand-alone service obeys.
struct ReadRestrictions {
    private let model: EdmModel
    private let name: String
    private let annotations: [Annotation]
    private static let vocabulary = "Org.OData.Capabilities.V1."

    /// Creates the restrictions of the source that a path leads to; nil where it is neither a set nor a singleton.
    init?(_ path: EntityPath, in model: EdmModel) {
        guard let source = path.finalSource else { return nil }
        annotations = model.annotations(of: source)
        guard !annotations.isEmpty else { return nil }
        self.model = model
        name = model.name(of: source)
    }

    /// Refuses a request that asks for what is not offered.
    func check(_ path: EntityPath, options: BoundOptions) throws {
        try checkReadable(path)
        if isOfWholeSet(path), options.deltaToken == nil { try checkRequiredFilter(options) }
        try checkFilter(options)
        if options.search != nil {
            try demand(
                "SearchRestrictions",
                member: "Searchable",
                message: "\(name) takes no $search"
            )
        }
        try checkOrder(options)
        if options.count || path.target.isCount {
            try demand(
                "CountRestrictions",
                member: "Countable",
                message: "entities of \(name) cannot be counted"
            )
        }
        if options.top != nil { try demandTag("TopSupported", message: "\(name) takes no $top") }
        if options.skip != nil { try demandTag("SkipSupported", message: "\(name) takes no $skip") }
        try checkExpand(options)
    }

    private func checkReadable(_ path: EntityPath) throws {
        let restrictions = annotations.value(of: Self.vocabulary + "ReadRestrictions")
        let byKey = path.isSingle(in: model) ? restrictions?["ReadByKeyRestrictions"] : nil
        guard (byKey?["Readable"] ?? restrictions?["Readable"])?.bool == false else { return }
        var refusal = refusal(
            "ReadRestrictions/Readable",
            message: "entities of \(name) cannot be read",
            status: 405
        )
        refusal.headers["Allow"] = AllowedMethods(model: model).listWithoutReading(of: path)
        throw refusal
    }

    private func checkFilter(_ options: BoundOptions) throws {
        guard let filter = options.filter else { return }
        try demand("FilterRestrictions", member: "Filterable", message: "\(name) takes no $filter")
        let unusable = paths("FilterRestrictions", member: "NonFilterableProperties")
        guard let used = filter.ownProperties.first(where: unusable.contains) else { return }
        throw refusal(
            "FilterRestrictions/NonFilterableProperties",
            message: "\(name) cannot be filtered by \(used)"
        )
    }

    /// Whether a request is for the entities of the set itself, none of them named.
    private func isOfWholeSet(_ path: EntityPath) -> Bool {
        switch path.target {
        case .entities, .references, .count:
            path.steps.allSatisfy(\.isCast) && !path.isSingle(in: model)
        default: false
        }
    }

    private func checkRequiredFilter(_ options: BoundOptions) throws {
        let restrictions = annotations.value(of: Self.vocabulary + "FilterRestrictions")
        if restrictions?["RequiresFilter"]?.bool == true, options.filter == nil {
            throw refusal(
                "FilterRestrictions/RequiresFilter",
                message: "\(name) is read with $filter only"
            )
        }
        let used = options.filter?.ownProperties ?? []
        let required = paths("FilterRestrictions", member: "RequiredProperties")
        guard let missing = required.subtracting(used).min() else { return }
        throw refusal(
            "FilterRestrictions/RequiredProperties",
            message: "$filter of \(name) has to use \(missing)"
        )
    }

    private func checkOrder(_ options: BoundOptions) throws {
        guard !options.orderBy.isEmpty else { return }
        try demand("SortRestrictions", member: "Sortable", message: "\(name) takes no $orderby")
        let unusable = paths("SortRestrictions", member: "NonSortableProperties")
        let used = options.orderBy.flatMap(\.expression.ownProperties)
        try checkDirections(options)
        guard let used = used.first(where: unusable.contains) else { return }
        throw refusal(
            "SortRestrictions/NonSortableProperties",
            message: "\(name) cannot be ordered by \(used)"
        )
    }

    /// Refuses the direction that a property is not offered in.
    private func checkDirections(_ options: BoundOptions) throws {
        for (member, isDescending, other) in [
            ("AscendingOnlyProperties", true, "desc"), ("DescendingOnlyProperties", false, "asc"),
        ] {
            let limited = paths("SortRestrictions", member: member)
            let used = options.orderBy.filter { $0.isDescending == isDescending }
                .flatMap(\.expression.ownProperties)
            guard let used = used.first(where: limited.contains) else { continue }
            throw refusal(
                "SortRestrictions/\(member)",
                message: "\(name) cannot be ordered by \(used) \(other)"
            )
        }
    }

    private func checkExpand(_ options: BoundOptions) throws {
        guard !options.expand.isEmpty else { return }
        try demand("ExpandRestrictions", member: "Expandable", message: "\(name) takes no $expand")
        let unusable = paths("ExpandRestrictions", member: "NonExpandableProperties")
        let used = options.expand.map { model[$0.navigation].name }
        guard let used = used.first(where: unusable.contains) else { return }
        throw refusal(
            "ExpandRestrictions/NonExpandableProperties",
            message: "\(used) of \(name) cannot be expanded"
        )
    }

    // MARK: Annotations

    private func demand(_ term: String, member: String, message: String) throws {
        guard annotations.value(of: Self.vocabulary + term)?[member]?.bool == false else { return }
        throw refusal("\(term)/\(member)", message: message)
    }

    private func demandTag(_ term: String, message: String) throws {
        guard annotations.flag(Self.vocabulary + term) == false else { return }
        throw refusal(term, message: message)
    }

    /// The properties that a term lists.
    private func paths(_ term: String, member: String) -> Set<String> {
        guard case .collection(let items)? = annotations.value(of: Self.vocabulary + term)?[member]
        else { return [] }
        return Set(
            items.compactMap {
                switch $0 {
                case .path(_, let text), .constant(_, let text): text
                default: nil
                }
            }
        )
    }

    private func refusal(_ term: String, message: String, status: Int = 400) -> ServiceError {
        ServiceError(status, "\(message): the metadata says so (Capabilities.\(term))")
    }
}

extension EntityPath.Target {
    /// Whether it is the number of entities.
    fileprivate var isCount: Bool {
        if case .count = self { true } else { false }
    }
}

extension BoundExpression {
    /// Paths of the properties of the entity itself that the expression uses.
    var ownProperties: [String] {
        switch self {
        case .path(let path):
            path.steps.isEmpty && !path.isComputed ? [path.property.joined(separator: "/")] : []
        default: operands.flatMap(\.ownProperties)
        }
    }
}
