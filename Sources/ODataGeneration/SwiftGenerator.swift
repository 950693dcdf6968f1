import ODataText
import ODataValues
public import ODataModel

/// Writes Swift types for the entities of a service: structs, enumerations, and accessors of the sets.
///
/// Each schema is an enumeration without cases that its types are nested in, so that a type named `Task` hides none of Swift's.
public struct SwiftGenerator: Sendable {
    private let model: EdmModel
    private let selection: TypeSelection
    private let names: TypeNames

    /// Creates a generator for all sets and singletons, or for some.
    ///
    /// Types are written that entities of the sets have, with the complex types and enumerations that these use. A navigation property is
    /// written where its target is written too.
    ///
    /// - Throws: ``SwiftGenerationError`` where a set is unknown.
    public init(model: EdmModel, sets: [String]? = nil) throws(SwiftGenerationError) {
        let all = model.container.entitySets.map(\.name) + model.container.singletons.map(\.name)
        for name in sets ?? [] where !all.contains(name) {
            let nearest = NearestName.of(name, among: all).map { "; did you mean \($0)?" } ?? ""
            throw SwiftGenerationError(description: "there is no entity set '\(name)'\(nearest)")
        }
        self.model = model
        selection = TypeSelection(model, sets: sets ?? all)
        names = TypeNames(model, selection)
    }

    /// The sources, in the order of their names.
    public func sources() -> [SwiftSource] {
        var sources = names.schemas.map { schema in
            source(
                schema,
                [
                    "/// Types of the namespace \(names.namespace(of: schema)).",
                    "public enum \(schema) {}",
                ]
            )
        }
        for id in selection.structured {
            let lines = StructWriter(model: model, names: names, selection: selection, id: id).lines
            sources.append(source(names.file(of: .structured(id)), lines))
        }
        for id in selection.enumerations {
            let lines = EnumWriter(type: model[id], names: names, id: id).lines
            sources.append(source(names.file(of: .enumeration(id)), lines))
        }
        let accessors = AccessorWriter(model: model, names: names, selection: selection).lines
        if !accessors.isEmpty { sources.append(source("OfflineODataProvider+Sets", accessors)) }
        return sources.sorted { $0.name < $1.name }
    }

    private func source(_ name: String, _ lines: [String]) -> SwiftSource {
        let head = [
            SwiftSource.mark, "// swift-format-ignore-file", "", "public import OfflineOData", "",
        ]
        // A namespace without its types needs no import.
        let isEmpty = lines.contains { $0.hasSuffix("{}") } && lines.count == 2
        let all = (isEmpty ? Array(head.prefix(3)) : head) + lines
        return SwiftSource(name: name + ".swift", text: all.joined(separator: "\n") + "\n")
    }
}
