import ODataModel

extension EntityContainer: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(name: try reader.string())
        extends = try reader.optionalString()
        entitySets = try reader.list()
        singletons = try reader.list()
        functionImports = try reader.list()
        actionImports = try reader.list()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.string(extends)
        writer.list(entitySets)
        writer.list(singletons)
        writer.list(functionImports)
        writer.list(actionImports)
        writer.list(annotations)
    }
}

extension EntitySet: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(name: try reader.string(), type: try StructuredTypeID(from: &reader))
        var flags = try reader.flags()
        isInServiceDocument = flags.next()
        navigationBindings = try reader.list()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        type.write(to: &writer)
        writer.flags(isInServiceDocument)
        writer.list(navigationBindings)
        writer.list(annotations)
    }
}

extension Singleton: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(name: try reader.string(), type: try StructuredTypeID(from: &reader))
        var flags = try reader.flags()
        isNullable = flags.next()
        navigationBindings = try reader.list()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        type.write(to: &writer)
        writer.flags(isNullable)
        writer.list(navigationBindings)
        writer.list(annotations)
    }
}

extension NavigationBinding: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(path: try reader.string(), target: try reader.string())
    }

    func write(to writer: inout ModelWriter) {
        writer.string(path)
        writer.string(target)
    }
}

extension OperationImport: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(name: try reader.string(), operation: try reader.string())
        entitySet = try reader.optionalString()
        httpMethod = try reader.optionalString()
        line = try reader.number()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.string(operation)
        writer.string(entitySet)
        writer.string(httpMethod)
        writer.number(line)
        writer.list(annotations)
    }
}
