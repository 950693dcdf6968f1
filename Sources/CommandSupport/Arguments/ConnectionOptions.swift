/// What the command line says of connections, as far as every transport can do it.
public struct ConnectionOptions: Sendable {
    /// PEM file with the authorities to trust instead of the system's.
    public var authorityFile: String?
}
