@testable import ODataModel
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

    /// The table of names is made once; a container that is changed afterwards is still looked through.
    @Test func findsSetsByNameInAContainerThatWasChanged() throws {
        var model = EdmModel(version: .v4)
        let type = model.add(StructuredType(name: "NS.T", kind: .entity))
        model.container.entitySets = ["A", "B"].map { EntitySet(name: $0, type: type) }
        model.container.singletons = [Singleton(name: "Me", type: type)]
        model.registerSources()
        #expect(model.navigationSource(named: "B") == .entitySet(1))
        #expect(model.navigationSource(named: "Me") == .singleton(0))

        model.container.entitySets.removeFirst()
        model.container.entitySets.append(EntitySet(name: "C", type: type))
        model.container.singletons = []

        #expect(model.navigationSource(named: "A") == nil)
        #expect(model.navigationSource(named: "B") == .entitySet(0))
        #expect(model.navigationSource(named: "C") == .entitySet(1))
        #expect(model.navigationSource(named: "Me") == nil)
    }
}
