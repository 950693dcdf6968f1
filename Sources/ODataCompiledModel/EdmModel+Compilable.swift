import ODataModel

extension EdmModel: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        guard let version = ODataVersion(rawValue: try reader.string()) else {
            throw reader.damage
        }
        let schemas: [Schema] = try reader.list()
        self.init(
            version: version,
            structuredTypes: try reader.types(count: reader.counts.structured),
            enumTypes: try reader.types(count: reader.counts.enumerations),
            typeDefinitions: try reader.list(count: reader.counts.definitions)
        )
        self.schemas = schemas
        guard hasEndingLineages else { throw reader.damage }
        read(try reader.late(instead: []) { reader throws(DamagedModel) in try reader.list() })
        container = try EntityContainer(from: &reader)
        otherAnnotations = try reader.list()
        registerSources()
    }

    func write(to writer: inout ModelWriter) {
        writer.number(structuredTypes.count)
        writer.number(enumTypes.count)
        writer.number(typeDefinitions.count)
        writer.string(version.rawValue)
        writer.list(schemas)
        writer.types(structuredTypes)
        writer.types(enumTypes)
        for type in typeDefinitions { type.write(to: &writer) }
        writer.sized { $0.list(operations) }
        container.write(to: &writer)
        writer.list(otherAnnotations)
    }

    /// Whether no type extends itself, over others or not.
    private var hasEndingLineages: Bool {
        var isKnown = [Bool](repeating: false, count: structuredTypes.count)
        for start in structuredTypes.indices {
            var chain: [Int] = []
            var type: Int? = start
            while let here = type, !isKnown[here] {
                guard chain.count < structuredTypes.count else { return false }
                chain.append(here)
                type = structuredTypes[here].baseType?.index
            }
            for here in chain { isKnown[here] = true }
        }
        return true
    }
}

extension EdmModel.Schema: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(namespace: try reader.string(), alias: try reader.optionalString())
        version = try reader.optionalString()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(namespace)
        writer.string(alias)
        writer.string(version)
    }
}

extension EdmModel.TargetedAnnotations: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(target: try reader.string(), annotations: try reader.list())
    }

    func write(to writer: inout ModelWriter) {
        writer.string(target)
        writer.list(annotations)
    }
}
