import ODataModel
import ODataProtocol

/// What a bound URL addresses, in a few words.
struct BoundSketch {
    /// What kind of thing it is: entities, a property, an operation.
    private let resource: String
    /// The entity set or singleton reached.
    private let source: String?
    private let entityType: String?
    private let isSingle: Bool
    /// Property path or name of the operation.
    private let member: String?

    init(_ request: BoundRequest, in model: EdmModel) {
        switch request.resource {
        case .serviceDocument: self.init("serviceDocument")
        case .metadata: self.init("metadata")
        case .batch: self.init("batch")
        case .operation(let call): self.init("operation", member: call.name)
        case .entities(let path): self.init(path, model: model)
        case .all(let type):
            self.init("all", entityType: type.map { model[$0].name }, isSingle: false)
        case .crossjoin(let sources):
            let names = sources.map { model.name(of: $0) }
            self.init("crossjoin", source: names.joined(separator: ","), isSingle: false)
        }
    }

    private init(_ path: EntityPath, model: EdmModel) {
        let (resource, member): (String, String?) =
            switch path.target {
            case .entities: ("entities", nil)
            case .references: ("references", nil)
            case .count: ("count", nil)
            case .property(let names, let isRaw):
                (isRaw ? "rawValue" : "property", names.joined(separator: "/"))
            case .propertyCount(let names): ("propertyCount", names.joined(separator: "/"))
            case .mediaStream: ("mediaStream", nil)
            }
        self.init(
            resource,
            source: path.finalSource.map { model.name(of: $0) },
            entityType: path.entityType(in: model).map { model[$0].name },
            isSingle: path.isSingle(in: model),
            member: member
        )
    }

    private init(
        _ resource: String,
        source: String? = nil,
        entityType: String? = nil,
        isSingle: Bool = true,
        member: String? = nil
    ) {
        self.resource = resource
        self.source = source
        self.entityType = entityType
        self.isSingle = isSingle
        self.member = member
    }

    /// For people.
    var sentence: String {
        let owner = entityType ?? "the service"
        switch resource {
        case "entities": return isSingle ? "one \(owner)" : "entities of \(owner)"
        case "references": return "references to entities of \(owner)"
        case "count": return "the number of entities of \(owner)"
        case "operation": return "a call of \(member ?? "")"
        case "property", "rawValue", "propertyCount": return "\(member ?? "") of \(owner)"
        default: return resource
        }
    }

    func write(to tree: inout WrittenTree) {
        tree.string("resource", value: resource)
        if let source { tree.string("source", value: source) }
        if let entityType {
            tree.string("entityType", value: entityType)
            tree.writer.name("isSingle")
            tree.writer.boolean(isSingle)
        }
        if let member { tree.string("member", value: member) }
    }
}
