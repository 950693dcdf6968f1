import ODataModel

extension EnumType: MemberedType {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let (name, underlyingType) = (try reader.name(), try reader.primitive())
        var flags = try reader.flags()
        self.init(name: name, underlyingType: underlyingType, isFlags: flags.next())
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.primitive(underlyingType)
        writer.flags(isFlags)
    }
}

extension EnumMembers: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init()
        members = try reader.list()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.list(members)
        writer.list(annotations)
    }
}

extension EnumType.Member: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(name: try reader.string(), value: Int64(try reader.number()))
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.number(Int(value))
        writer.list(annotations)
    }
}

extension TypeDefinition: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(
            name: try reader.string(),
            underlyingType: try reader.primitive(),
            facets: try Facets(from: &reader)
        )
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.primitive(underlyingType)
        facets.write(to: &writer)
        writer.list(annotations)
    }
}

extension Operation: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let name = try reader.string()
        var flags = try reader.flags()
        self.init(name: name, kind: flags.next() ? .action : .function)
        isBound = flags.next()
        isComposable = flags.next()
        returnsNullable = flags.next()
        if flags.next() { returnType = try TypeReference(from: &reader) }
        entitySetPath = try reader.optionalString()
        parameters = try reader.list()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.flags(kind == .action, isBound, isComposable, returnsNullable, returnType != nil)
        returnType?.write(to: &writer)
        writer.string(entitySetPath)
        writer.list(parameters)
        writer.list(annotations)
    }
}

extension Operation.Parameter: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let (name, type) = (try reader.string(), try TypeReference(from: &reader))
        var flags = try reader.flags()
        self.init(name: name, type: type, isNullable: flags.next())
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        type.write(to: &writer)
        writer.flags(isNullable)
        writer.list(annotations)
    }
}
