/// The `syncExpress` settings of a service: plain REST without metadata, whose resources path templates name.
public struct ExpressConfiguration: Sendable, Hashable {
    /// What speaks to the service; ``oracleRestHandler`` is the only one.
    public var handler = Self.oracleRestHandler
    /// The resources, in the order of the file.
    public var templates: [RESTTemplate]

    /// The handler of services that answer arrays, objects, or objects wrapped in `items`.
    public static let oracleRestHandler = "OracleRestHandler"

    /// Creates settings.
    public init(templates: [RESTTemplate]) {
        self.templates = templates
    }
}
