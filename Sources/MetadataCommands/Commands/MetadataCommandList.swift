public import CommandSupport

/// The commands of this module, as the program's overview groups them.
public enum MetadataCommandList {
    /// What looks at metadata and URLs, without a store.
    public static let documents: [any Command.Type] = [
        MetadataSummaryCommand.self, MetadataDiffCommand.self, MetadataMatrixCommand.self,
        MetadataRulesCommand.self, MetadataSQLCommand.self, MetadataJSONCommand.self,
        MetadataXMLCommand.self, URLCheckCommand.self, GenerateSwiftCommand.self,
    ]

    /// What looks at a file of policies.
    public static let policies: any Command.Type = PolicyCheckCommand.self

    /// What tries an upgrade on a copy of a store.
    public static let rehearsal: any Command.Type = RehearseCommand.self
}
