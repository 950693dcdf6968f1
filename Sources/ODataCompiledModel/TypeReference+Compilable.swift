import ODataModel

extension TypeReference: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        let type = try NamedType(from: &reader)
        var flags = try reader.flags()
        let isCollection = flags.next()
        let facets = flags.next() ? try Facets(from: &reader) : Facets()
        self.init(type, isCollection: isCollection, facets: facets)
    }

    func write(to writer: inout ModelWriter) {
        type.write(to: &writer)
        let hasFacets = facets != Facets()
        writer.flags(isCollection, hasFacets)
        if hasFacets { facets.write(to: &writer) }
    }
}

extension NamedType: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self =
            switch try reader.number() {
            case 0: .primitive(try reader.primitive())
            case 1: .structured(try StructuredTypeID(from: &reader))
            case 2: .enumeration(EnumTypeID(try reader.index(below: reader.counts.enumerations)))
            case 3:
                .definition(TypeDefinitionID(try reader.index(below: reader.counts.definitions)))
            case 4: .untyped(try reader.string())
            case 5: .unresolved(try reader.string())
            default: throw reader.damage
            }
    }

    func write(to writer: inout ModelWriter) {
        switch self {
        case .primitive(let type): writer.named(0, type.rawValue)
        case .structured(let id): writer.numbers(1, id.index)
        case .enumeration(let id): writer.numbers(2, id.index)
        case .definition(let id): writer.numbers(3, id.index)
        case .untyped(let name): writer.named(4, name)
        case .unresolved(let name): writer.named(5, name)
        }
    }
}

extension StructuredTypeID: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(try reader.index(below: reader.counts.structured))
    }

    func write(to writer: inout ModelWriter) { writer.number(index) }
}

extension Facets: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        var flags = try reader.flags()
        let (hasLength, hasPrecision, hasScale) = (flags.next(), flags.next(), flags.next())
        let (saysUnicode, isUnicode) = (flags.next(), flags.next())
        self.init(
            maxLength: hasLength ? try MaxLength(from: &reader) : nil,
            precision: hasPrecision ? try reader.index(below: .max) : nil,
            scale: hasScale ? try Scale(from: &reader) : nil,
            isUnicode: saysUnicode ? isUnicode : nil,
            srid: try reader.optionalString()
        )
    }

    func write(to writer: inout ModelWriter) {
        writer.flags(
            maxLength != nil,
            precision != nil,
            scale != nil,
            isUnicode != nil,
            isUnicode ?? false
        )
        maxLength?.write(to: &writer)
        if let precision { writer.number(precision) }
        scale?.write(to: &writer)
        writer.string(srid)
    }
}

extension Facets.MaxLength: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        switch try reader.number() {
        case 0: self = .length(try reader.index(below: .max))
        case 1: self = .max
        default: throw reader.damage
        }
    }

    func write(to writer: inout ModelWriter) {
        switch self {
        case .length(let length): writer.numbers(0, length)
        case .max: writer.number(1)
        }
    }
}

extension Facets.Scale: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        switch try reader.number() {
        case 0: self = .digits(try reader.index(below: .max))
        case 1: self = .variable
        case 2: self = .floating
        default: throw reader.damage
        }
    }

    func write(to writer: inout ModelWriter) {
        switch self {
        case .digits(let count): writer.numbers(0, count)
        case .variable: writer.number(1)
        case .floating: writer.number(2)
        }
    }
}
