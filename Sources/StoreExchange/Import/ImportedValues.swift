/// Which values an import takes.
package enum ImportedValues: Sendable {
    /// Those that the model allows, as local changes have them.
    case declared
    /// Those that downloads take: services are at times looser than their metadata.
    case served
}
