package import ODataModel
package import ODataSQL
package import ODataText
import ODataTables

/// The rules of the values that a call gives to the parameters of an action (OData 4.01 Part 1 § 11.5.4.1).
package struct ParameterRules {
    private let layout: Layout

    package init(_ layout: Layout) { self.layout = layout }

    /// What is wrong with the value of a parameter, with the path of the place; nil where nothing is.
    ///
    /// Entities are the service's to judge: they come as references, or with as much of them as the action needs.
    package func fault(
        of parameter: ODataModel.Operation.Parameter,
        in tree: JSONTree,
        _ value: JSONNode
    )
        -> String?
    {
        if case .structured(let type) = parameter.type.type, layout.model[type].kind == .entity {
            return nil
        }
        let property = StructuralProperty(
            name: parameter.name,
            type: parameter.type,
            isNullable: parameter.isNullable
        )
        return ItemRules(layout, tree: tree).fault(in: value, property, at: parameter.name)
    }
}
