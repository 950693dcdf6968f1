import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Binds path and options.
    mutating func request(_ written: WrittenRequest) throws(ODataURLError) -> BoundRequest {
        if written.path.first?.name == "$entity" { return try entity(written) }
        var walk = ResourceWalk(segments: written.path)
        let resource = try resource(&walk)
        if case .crossjoin(let sources) = resource {
            let options = try crossjoinOptions(written.options, sources: sources)
            return BoundRequest(resource: resource, options: options)
        }
        if case .all(let type) = resource {
            return BoundRequest(
                resource: resource,
                options: try allOptions(written.options, of: type)
            )
        }
        guard case .entities(let path) = resource else {
            try refuseUnfit(written.options, for: resource)
            var options = BoundOptions()
            options.format = written.options.format
            return BoundRequest(resource: resource, options: options)
        }
        var options = try options(
            written.options,
            on: try subject(of: path, walk),
            isOutermost: true
        )
        if let filter = walk.filter {
            options.filter = options.filter.map { .and([filter, $0]) } ?? filter
        }
        return BoundRequest(resource: resource, options: options)
    }

    /// Binds `$entity?$id=…` and `$entity/Type?$id=…` (OData 4.01 Part 2 § 4.14): the id must be relative to the service root.
    private mutating func entity(_ written: WrittenRequest) throws(ODataURLError) -> BoundRequest {
        guard let id = written.options.id, let place = written.options.place(of: .id) else {
            throw ODataURLError(.syntax, at: written.path[0].offset, "$entity needs $id")
        }
        var target: WrittenRequest
        do throws(ODataURLError) {
            target = try WrittenRequest(parsing: id, version: version, limits: limits)
        } catch {
            throw ODataURLError(
                error.code,
                at: place,
                "the id is no relative URL: " + error.message
            )
        }
        guard target.path.first?.name != "$entity" else {
            throw ODataURLError(.meaning, at: place, "the id is no URL of an entity")
        }
        target.path += written.path.dropFirst()
        target.options = written.options
        target.options.id = nil
        target.options.places.removeAll { $0.option == .id }
        let request = try self.request(target)
        guard case .entities(let path) = request.resource, path.isSingle(in: model) else {
            throw ODataURLError(.meaning, at: place, "the id is no URL of an entity")
        }
        return request
    }

    /// The documents take their form and their version alone (OData ABNF `metadataOptions`, OData 4.01 Part 1 § 11.2.1).
    private func refuseUnfit(_ options: WrittenOptions, for resource: BoundResource)
        throws(ODataURLError)
    {
        let document: String
        switch resource {
        case .metadata: document = "metadata document"
        case .serviceDocument: document = "service document"
        default: return
        }
        guard
            let other = options.places.first(where: {
                ![.format, .schemaversion].contains($0.option)
            })
        else { return }
        throw ODataURLError(
            .meaning,
            at: other.offset,
            "$\(other.option.rawValue) does not apply to the \(document)"
        )
    }

    // MARK: First segment

    mutating func resource(_ walk: inout ResourceWalk) throws(ODataURLError)
        -> BoundResource
    {
        guard let first = walk.next else { return .serviceDocument }
        switch first.name {
        case "$metadata": return try alone(.metadata, walk: walk)
        case "$batch": return try alone(.batch, walk: walk)
        case "$all": return try all(walk)
        case "$crossjoin":
            return .crossjoin(try crossjoin(first, walk: walk))
        default: break
        }
        guard let written = first.name else {
            throw first.fault ?? ODataURLError(.syntax, at: first.offset, "no name")
        }
        let name = withoutContainer(written)
        if let source = model.navigationSource(named: name) {
            return try entities(from: source, &walk)
        }
        if let call = try importCall(first, named: name, walk: walk) { return call }
        let container = model.container
        let names =
            container.entitySets.map(\.name) + container.singletons.map(\.name)
            + container.functionImports.map(\.name) + container.actionImports.map(\.name)
        throw unknown(name, at: first.offset, what: "the service", among: names)
    }

    /// A name without that of the container whose names are short, `Container.Orders` (OData 2.0 URI Conventions, 3.1).
    private func withoutContainer(_ name: String) -> String {
        let container = model.container.name
        guard name.utf8.contains(UInt8(ascii: ".")), model.navigationSource(named: name) == nil
        else { return name }
        let simple = container.split(separator: ".").last.map(String.init) ?? container
        for prefix in [container + ".", simple + "."] where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.utf8.count))
        }
        return name
    }

    private func alone(_ resource: BoundResource, walk: ResourceWalk) throws(ODataURLError)
        -> BoundResource
    {
        if let extra = walk.after(0) {
            throw ODataURLError(.meaning, at: extra.offset, "nothing can follow", found: extra.text)
        }
        return resource
    }

    func importCall(_ segment: WrittenSegment, named name: String, walk: ResourceWalk)
        throws(ODataURLError) -> BoundResource?
    {
        let container = model.container
        let imports = container.functionImports + container.actionImports
        guard let found = imports.first(where: { $0.name == name }) else { return nil }
        if let extra = walk.after(0) {
            throw ODataURLError(
                .notSupported,
                at: extra.offset,
                "results of functions cannot be followed further",
                found: extra.text
            )
        }
        let written = segment.groups.first ?? []
        let operation = overload(of: found.operation, boundTo: nil, written.compactMap(\.name))
        let arguments = arguments(written, ofOperation: operation)
        return .operation(
            BoundOperation(binding: nil, operation: operation, name: name, arguments: arguments)
        )
    }

    // MARK: Operations

    /// Returns the index of the overload that has this binding parameter and these parameters, or of the only one
    /// (OData 4.01 Part 1 § 11.5.4.2).
    func overload(of name: String, boundTo path: EntityPath?, _ parameters: [String]) -> Int? {
        let isBound = path != nil
        let qualified = model.resolvingAlias(name) ?? name
        let all = model.operations.indices.filter {
            model.operations[$0].isBound == isBound
                && (model.operations[$0].name == name || model.operations[$0].name == qualified)
        }
        let fitting = path.map { path in nearest(all.filter { fits($0, at: path) }) } ?? all
        let exact = (fitting.isEmpty ? all : fitting).first {
            let declared = model.operations[$0].parameters.dropFirst(isBound ? 1 : 0).map(\.name)
            return Set(declared) == Set(parameters)
        }
        return exact ?? fitting.first ?? all.first
    }

    /// Whether what a path reaches can be the binding parameter of an operation.
    private func fits(_ operation: Int, at path: EntityPath) -> Bool {
        guard let parameter = model.operations[operation].parameters.first,
            case .structured(let declared) = parameter.type.type,
            let type = path.entityType(in: model)
        else { return false }
        return parameter.type.isCollection != path.isSingle(in: model)
            && model.type(type, isOrExtends: declared)
    }

    /// The overloads for the most derived type come first.
    private func nearest(_ operations: [Int]) -> [Int] {
        let depth = { (operation: Int) -> Int in
            guard
                case .structured(let type)? = model.operations[operation].parameters.first?.type
                    .type
            else { return 0 }
            return model.lineage(of: type).count
        }
        return operations.sorted { (-depth($0), $0) < (-depth($1), $1) }
    }

    /// Returns the arguments as text: those in parentheses, aliases replaced, else query options of the parameters' names.
    func arguments(_ written: [WrittenArgument], ofOperation operation: Int?)
        -> [(name: String, text: String)]
    {
        var arguments: [(name: String, text: String)] = []
        for argument in written {
            guard let name = argument.name else { continue }
            arguments.append((name, text(of: argument)))
        }
        // Implicit aliases (OData 4.01 Part 1 § 11.5.4.1.1), and all arguments of versions 1 to 3.
        let declared = operation.map { model.operations[$0].parameters.map(\.name) }
        for option in custom {
            guard let value = option.value, declared?.contains(option.name) ?? !version.isV4,
                !arguments.contains(where: { $0.name == option.name })
            else { continue }
            arguments.append((option.name, value))
        }
        return arguments
    }

    private func text(of argument: WrittenArgument) -> String {
        if case .path(let members) = argument.value.node, members.count == 1,
            case .alias(let name) = members[0].kind
        {
            return aliases.first { $0.name == name }?.text ?? "null"
        }
        return argument.text
    }

    // MARK: Options' subject

    /// Returns what the options of a request apply to.
    private func subject(of path: EntityPath, _ walk: ResourceWalk) throws(ODataURLError)
        -> OptionSubject
    {
        guard let type = path.entityType(in: model) else {
            return OptionSubject(item: .value(TypeReference(.untyped("Edm.EntityType")), nil))
        }
        switch path.target {
        case .entities, .references, .count:
            return OptionSubject(
                item: .entity(type, path.finalSource),
                isCollection: !path.isSingle(in: model)
            )
        case .mediaStream:
            return OptionSubject(item: .entity(type, path.finalSource), isCollection: false)
        case .property, .propertyCount:
            guard let reference = walk.propertyType else {
                return OptionSubject(item: .value(TypeReference(.untyped("Edm.Untyped")), .json))
            }
            return OptionSubject(
                item: item(of: reference),
                isCollection: reference.isCollection
            )
        }
    }

    /// Returns what one value of a property is.
    func item(of reference: TypeReference) -> BoundVariable.Item {
        if case .structured(let id) = reference.type { return .complex(id) }
        var single = reference
        single.isCollection = false
        return .value(single, ScalarForm(single, in: model))
    }
}

/// What the options of a request or expand apply to.
struct OptionSubject {
    /// One of the items.
    var item: BoundVariable.Item
    /// Whether there may be several.
    var isCollection = true
}
