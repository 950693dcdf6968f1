import ODataModel
import Testing

@Suite struct EdmModelTests {
    @Test func findsPropertiesOfBaseTypes() throws {
        var model = EdmModel(version: .v4)
        var base = StructuredType(name: "NS.Base", kind: .entity)
        base.key = [KeyProperty(path: "ID")]
        base.properties = [StructuralProperty(name: "ID", type: TypeReference(.primitive(.int32)))]
        let baseID = model.add(base)
        var derived = StructuredType(name: "NS.Derived", kind: .entity)
        derived.baseType = baseID
        let derivedID = model.add(derived)

        #expect(model.property("ID", of: derivedID)?.name == "ID")
        #expect(model.key(of: derivedID).map(\.path) == ["ID"])
        #expect(model.type(derivedID, isOrExtends: baseID))
        #expect(!model.type(baseID, isOrExtends: derivedID))
    }
}
