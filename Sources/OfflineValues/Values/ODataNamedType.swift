/// A Swift type that stands for a type of a service's model.
public protocol ODataNamedType {
    /// Qualified name of the type in the model.
    static var odataType: String { get }
}
