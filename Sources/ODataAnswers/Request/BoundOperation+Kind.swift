import ODataModel
import ODataBinding

extension BoundOperation {
    /// Whether the metadata declares an action.
    func isAction(in model: EdmModel) -> Bool { kind(in: model) == .action }

    /// Whether the metadata declares a function.
    func isFunction(in model: EdmModel) -> Bool { kind(in: model) == .function }

    /// Nil for a function import of versions 1 to 3, which the model has no operation of.
    private func kind(in model: EdmModel) -> Operation.Kind? {
        operation.map { model.operations[$0].kind }
    }
}
