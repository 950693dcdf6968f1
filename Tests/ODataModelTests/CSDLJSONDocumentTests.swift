import ODataModel
import Testing

/// Documents that exist in both forms.
///
/// Left out: schemas in the wrapper's namespace, which the converter did not read, and documents that declare a name
/// twice, of which JSON can keep one only (it kept the last, or a function).
private let pairs: [String] = SharedData.names(in: "metadata-json")
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    .filter {
        !$0.hasSuffix("SampleServiceV2") && !$0.hasSuffix("spometadata")
            && !$0.contains("preprocess_csdl_test")
    }

private let native: [String] = SharedData.names(in: "metadata-json/native")
    .filter { $0.hasSuffix(".json") }

@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct CSDLJSONDocumentTests {
    @Test(arguments: pairs)
    func readsTheModelOfTheXML(_ name: String) throws {
        let json = try SharedData.document("metadata-json/\(name).json")
        let xml = try SharedData.document("metadata/\(name).xml")

        let expected = outline(xml.model)
        let found = outline(json.model)
        for (name, lines) in expected {
            #expect(found[name] == lines)
        }
        #expect(found.count == expected.count)
    }

    @Test(arguments: native)
    func readsNativeDocuments(_ name: String) throws {
        let document = try SharedData.document("metadata-json/native/" + name)

        #expect(document.counts.schemas > 0)
    }

    @Test func findsDocumentsOfBothKinds() {
        #expect(pairs.count == 136)
        #expect(native.count > 50)
    }
}

/// Each type with its key and properties, as lines: names, types, nullability.
private func outline(_ model: EdmModel) -> [String: [String]] {
    var outline: [String: [String]] = [:]
    for type in model.structuredTypes {
        var lines = ["\(type.kind) \(type.baseType.map { model[$0].name } ?? "")"]
        lines += type.key.map { "key \($0.name)=\($0.path)" }
        lines += type.properties.map { property in
            let type = property.type
            let many = type.isCollection ? "*" : ""
            return
                "\(property.name): \(name(of: type.type, in: model))\(many) \(property.isNullable)"
        }
        lines += type.navigationProperties.map { property in
            let target = property.target.map { model[$0].name } ?? property.targetName
            return "\(property.name) -> \(target) \(property.isCollection) \(property.isNullable)"
        }
        outline[type.name] = lines.sorted()
    }
    return outline
}

private func name(of type: NamedType, in model: EdmModel) -> String {
    switch type {
    case .primitive(let primitive): primitive.rawValue
    case .structured(let id): model[id].name
    case .enumeration(let id): model[id].name
    case .definition(let id): model[id].name
    case .untyped(let name), .unresolved(let name): name
    }
}
