import OfflineProvider

/// Settings of the reference engine that are always so here; they exist so that code written for it compiles.
extension OfflineODataParameters {
    /// Whether entries of the error archive are discarded one by one: always.
    ///
    /// What is set is not kept.
    public var enableIndividualErrorArchiveDeletion: Bool {
        get { true }
        set { _ = newValue }
    }

    /// Whether the creation of an entity that was not uploaded can be undone: always.
    ///
    /// What is set is not kept.
    public var enableUndoLocalCreation: Bool {
        get { true }
        set { _ = newValue }
    }

    /// Whether changes can be put into transactions: always, by `transactionID`.
    ///
    /// What is set is not kept.
    public var enableTransactionBuilder: Bool {
        get { true }
        set { _ = newValue }
    }

    /// Whether defining queries are loaded in the order of their addition: always begun so.
    ///
    /// What is set is not kept.
    public var refreshInOrderOfAddition: Bool {
        get { true }
        set { _ = newValue }
    }
}
