/// Where the value of a policy comes from, highest precedence first.
public enum PolicyLevel: String, Sendable, Hashable, Codable, CaseIterable {
    /// A header of the service's response.
    case header
    /// The read or change itself.
    case request
    /// The configuration's entry for the resource path.
    case path
    /// The default of the configured service.
    case service
    /// The default of the library.
    case library
}
