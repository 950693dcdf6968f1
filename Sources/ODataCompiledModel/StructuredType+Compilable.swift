import ODataModel

extension StructuredType: MemberedType {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let name = try reader.name()
        var flags = try reader.flags()
        self.init(name: name, kind: flags.next() ? .entity : .complex)
        isAbstract = flags.next()
        isOpen = flags.next()
        hasStream = flags.next()
        if flags.next() { baseType = try StructuredTypeID(from: &reader) }
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.flags(kind == .entity, isAbstract, isOpen, hasStream, baseType != nil)
        baseType?.write(to: &writer)
    }
}

extension TypeMembers: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init()
        key = try reader.list()
        properties = try reader.list()
        navigationProperties = try reader.list()
        annotations = try reader.list()
        foreignKeys = try reader.lists()
    }

    func write(to writer: inout ModelWriter) {
        writer.list(key)
        writer.list(properties)
        writer.list(navigationProperties)
        writer.list(annotations)
        writer.lists(foreignKeys)
    }
}

extension KeyProperty: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(path: try reader.string(), alias: try reader.optionalString())
    }

    func write(to writer: inout ModelWriter) {
        writer.string(path)
        writer.string(alias)
    }
}

extension StructuralProperty: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let name = try reader.string()
        let type = try TypeReference(from: &reader)
        var flags = try reader.flags()
        self.init(name: name, type: type, isNullable: flags.next())
        isConcurrencyToken = flags.next()
        isNullableStated = flags.next()
        defaultValue = try reader.optionalString()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        type.write(to: &writer)
        writer.flags(isNullable, isConcurrencyToken, isNullableStated)
        writer.string(defaultValue)
        writer.list(annotations)
    }
}

extension NavigationProperty: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let (name, targetName) = (try reader.string(), try reader.string())
        var flags = try reader.flags()
        let target = flags.next() ? try StructuredTypeID(from: &reader) : nil
        self.init(name: name, targetName: targetName, target: target)
        isCollection = flags.next()
        isNullable = flags.next()
        containsTarget = flags.next()
        partner = try reader.optionalString()
        if let action = try reader.optionalString() {
            guard let known = OnDelete(rawValue: action) else { throw reader.damage }
            onDelete = known
        }
        referentialConstraints = try reader.list()
        dependentConstraints = try reader.list()
        annotations = try reader.list()
    }

    func write(to writer: inout ModelWriter) {
        writer.string(name)
        writer.string(targetName)
        writer.flags(target != nil, isCollection, isNullable, containsTarget)
        target?.write(to: &writer)
        writer.string(partner)
        writer.string(onDelete?.rawValue)
        writer.list(referentialConstraints)
        writer.list(dependentConstraints)
        writer.list(annotations)
    }
}

extension ReferentialConstraint: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(property: try reader.string(), referencedProperty: try reader.string())
    }

    func write(to writer: inout ModelWriter) {
        writer.string(property)
        writer.string(referencedProperty)
    }
}
