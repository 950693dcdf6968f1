import ODataModel

extension Annotation: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self.init(
            term: try reader.string(),
            qualifier: try reader.optionalString(),
            value: try AnnotationExpression(from: &reader)
        )
    }

    func write(to writer: inout ModelWriter) {
        writer.string(term)
        writer.string(qualifier)
        value.write(to: &writer)
    }
}

extension AnnotationExpression: Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel) {
        self = try reader.nested { (reader) throws(DamagedModel) in try Self.read(&reader) }
    }

    private static func read(_ reader: inout ModelReader) throws(DamagedModel) -> Self {
        switch try reader.number() {
        case 0: .constant(kind: try reader.string(), text: try reader.string())
        case 1: .path(kind: try reader.string(), text: try reader.string())
        case 2: .collection(try reader.list())
        case 3: .record(type: try reader.optionalString(), try members(&reader))
        case 4:
            .dynamic(
                element: try reader.string(),
                attributes: try attributes(&reader),
                try reader.list()
            )
        case 5: .defaultValue
        default: throw reader.damage
        }
    }

    private static func members(_ reader: inout ModelReader) throws(DamagedModel) -> [(
        String, Self
    )] {
        var members: [(String, Self)] = []
        for _ in 0..<(try reader.count()) {
            members.append((try reader.string(), try Self(from: &reader)))
        }
        return members
    }

    private static func attributes(_ reader: inout ModelReader) throws(DamagedModel) -> [(
        String, String
    )] {
        var attributes: [(String, String)] = []
        for _ in 0..<(try reader.count()) {
            attributes.append((try reader.string(), try reader.string()))
        }
        return attributes
    }

    func write(to writer: inout ModelWriter) {
        switch self {
        case .constant(let kind, let text): writer.named(0, kind, text)
        case .path(let kind, let text): writer.named(1, kind, text)
        case .collection(let items):
            writer.number(2)
            writer.list(items)
        case .record(let type, let members): write(3, type: type, members: members, to: &writer)
        case .dynamic(let element, let attributes, let operands):
            writer.named(4, element)
            writer.number(attributes.count)
            for (name, value) in attributes {
                writer.string(name)
                writer.string(value)
            }
            writer.list(operands)
        case .defaultValue: writer.number(5)
        }
    }

    private func write(
        _ kind: Int,
        type: String?,
        members: [(String, Self)],
        to writer: inout ModelWriter
    ) {
        writer.number(kind)
        writer.string(type)
        writer.number(members.count)
        for (name, value) in members {
            writer.string(name)
            value.write(to: &writer)
        }
    }
}
