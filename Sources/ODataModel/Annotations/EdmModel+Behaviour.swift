// What annotations say about the behaviour of a service, of version 4 and, by `sap:` attributes, of versions 1 to 3.

/// Terms of OASIS's vocabularies that the engine heeds.
enum Terms {
    static let computed = "Org.OData.Core.V1.Computed"
    static let computedDefault = "Org.OData.Core.V1.ComputedDefaultValue"
    static let immutable = "Org.OData.Core.V1.Immutable"
    static let permissions = "Org.OData.Core.V1.Permissions"
    static let alternateKeys = "Org.OData.Core.V1.AlternateKeys"
    static let communityAlternateKeys = "OData.Community.Keys.V1.AlternateKeys"
    static let mediaType = "Org.OData.Core.V1.MediaType"
    static let insertRestrictions = "Org.OData.Capabilities.V1.InsertRestrictions"
    static let updateRestrictions = "Org.OData.Capabilities.V1.UpdateRestrictions"
    static let deleteRestrictions = "Org.OData.Capabilities.V1.DeleteRestrictions"
    static let changeTracking = "Org.OData.Capabilities.V1.ChangeTracking"
    static let batchSupported = "Org.OData.Capabilities.V1.BatchSupported"
    static let batchSupport = "Org.OData.Capabilities.V1.BatchSupport"
    static let isolationSupported = "Org.OData.Capabilities.V1.IsolationSupported"
    static let schemaVersion = "Org.OData.Core.V1.SchemaVersion"
    static let odataVersions = "Org.OData.Core.V1.ODataVersions"
    static let repeatability = "Org.OData.Repeatability.V1.Supported"
}

extension StructuralProperty {
    /// Whether the service computes the value, so that what a client sends is ignored.
    ///
    /// `Core.Computed`; `sap:creatable` and `sap:updatable` both false; `StoreGeneratedPattern` of database tools.
    public var isComputed: Bool {
        if let flag = annotations.flag(Terms.computed) { return flag }
        if annotations.flag("sap:creatable") == false, annotations.flag("sap:updatable") == false {
            return true
        }
        let pattern = annotations.first { $0.term.hasSuffix(":StoreGeneratedPattern") }?.value.text
        return pattern == "Identity" || pattern == "Computed"
    }

    /// Whether the service computes the value where a created entity gives none (`Core.ComputedDefaultValue`).
    public var hasComputedDefault: Bool {
        annotations.flag(Terms.computedDefault) ?? false
    }

    /// Whether the value can be given when the entity is created, and not changed afterwards.
    ///
    /// `Core.Immutable`; `sap:updatable` false where `sap:creatable` is not.
    public var isImmutable: Bool {
        if let flag = annotations.flag(Terms.immutable) { return flag }
        return annotations.flag("sap:updatable") == false
            && annotations.flag("sap:creatable") != false
    }

    /// Whether `Core.Permissions` allows no more than reading.
    public var isReadOnly: Bool {
        guard let text = annotations.value(of: Terms.permissions)?.text else { return false }
        // `Org.OData.Core.V1.Permission/Read`, in CSDL JSON `Read` or the numbers 0 and 1.
        let name = text.split(separator: "/").last.map(String.init) ?? text
        return ["Read", "None", "0", "1"].contains(name) && !text.utf8.contains(UInt8(ascii: " "))
    }

    /// Media type of a binary, stream or string property (`Core.MediaType`, `m:MimeType`), constants only.
    public var mediaType: String? {
        (annotations.value(of: Terms.mediaType) ?? annotations.value(of: "m:MimeType"))?.text
    }
}

extension EntitySet {
    /// Whether entities can be created (`Capabilities.InsertRestrictions`, `sap:creatable`).
    public var isInsertable: Bool {
        allows(Terms.insertRestrictions, member: "Insertable", attribute: "sap:creatable")
    }

    /// Whether entities can be updated (`Capabilities.UpdateRestrictions`, `sap:updatable`).
    public var isUpdatable: Bool {
        allows(Terms.updateRestrictions, member: "Updatable", attribute: "sap:updatable")
    }

    /// Whether an update may create the entity that it names (`Capabilities.UpdateRestrictions`, OData 4.01 Part 1 § 11.4.4).
    public var isUpsertable: Bool {
        isUpdatable
            && annotations.value(of: Terms.updateRestrictions)?["Upsertable"]?.bool ?? true
    }

    /// Whether entities can be deleted (`Capabilities.DeleteRestrictions`, `sap:deletable`).
    public var isDeletable: Bool {
        allows(Terms.deleteRestrictions, member: "Deletable", attribute: "sap:deletable")
    }

    private func allows(_ term: String, member: String, attribute: String) -> Bool {
        annotations.value(of: term)?[member]?.bool ?? annotations.flag(attribute) ?? true
    }
}

extension Singleton {
    /// Whether the entity can be updated (`Capabilities.UpdateRestrictions`).
    public var isUpdatable: Bool {
        annotations.value(of: Terms.updateRestrictions)?["Updatable"]?.bool ?? true
    }
}

extension EdmModel {
    /// Whether the entities of a set or singleton can be updated; contained ones always.
    public func isUpdatable(_ source: NavigationSource) -> Bool {
        switch source {
        case .entitySet(let index): container.entitySets[index].isUpdatable
        case .singleton(let index): container.singletons[index].isUpdatable
        case .contained: true
        }
    }
}

extension EdmModel {
    /// Returns whether a set can be asked for changes since the last read; nil where the document does not say.
    public func isChangeTracked(_ set: EntitySet) -> Bool? {
        let value =
            set.annotations.value(of: Terms.changeTracking)
            ?? container.annotations.value(of: Terms.changeTracking)
        return value.flatMap { $0["Supported"]?.bool ?? ($0 == .defaultValue ? true : nil) }
    }

    /// Whether the service takes `$batch` requests; nil where the document does not say.
    public var isBatchSupported: Bool? {
        container.annotations.value(of: Terms.batchSupport)?["Supported"]?.bool
            ?? container.annotations.flag(Terms.batchSupported)
    }

    /// Whether a body in a change set may name a new entity by its Content-ID
    /// (`Capabilities.BatchSupport/ReferencesInRequestBodiesSupported`).
    public var takesReferencesInBodies: Bool {
        container.annotations.value(of: Terms.batchSupport)?["ReferencesInRequestBodiesSupported"]?
            .bool ?? false
    }

    /// Whether the service says that it takes batches in JSON, and in no other format (`Capabilities.BatchSupport/SupportedFormats`).
    public var takesJSONBatchesOnly: Bool {
        let support = container.annotations.value(of: Terms.batchSupport)
        guard case .collection(let formats)? = support?["SupportedFormats"] else { return false }
        let names = formats.compactMap(\.text)
        return names.contains { $0.hasPrefix("application/json") }
            && !names.contains { $0.hasPrefix("multipart/mixed") }
    }

    /// Whether a read can be asked for that shows one moment of the data (`Capabilities.IsolationSupported`).
    public var isSnapshotSupported: Bool {
        let text = container.annotations.value(of: Terms.isolationSupported)?.text ?? ""
        // `Org.OData.Capabilities.V1.IsolationLevel/Snapshot`, in CSDL JSON `Snapshot` or its number.
        return text.split(separator: " ").contains {
            ["Snapshot", "1"].contains($0.split(separator: "/").last ?? "")
        }
    }

    /// The versions of the protocol that the service speaks (`Core.ODataVersions`), such as `4.0` and `4.01`; nil where the document
    /// does not say.
    public var odataVersions: [String]? {
        container.annotations.value(of: Terms.odataVersions)?.text
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init) }
    }

    /// Whether the service may speak a version: nothing says that it does not.
    public func maySpeak(_ version: ODataVersion) -> Bool {
        odataVersions?.contains(version.rawValue) ?? true
    }

    /// Whether requests can be made against a version of the schema (`$schemaversion`, OData 4.01 Part 1 § 11.2.12).
    public func hasSchemaVersion(_ version: String) -> Bool {
        version == "*" || schemas.contains { $0.version == version }
    }

    /// Whether the service recognises repeated requests (Repeatable Requests 1.0); nil where the document does not say.
    public var isRepeatabilitySupported: Bool? {
        container.annotations.flag(Terms.repeatability)
    }

    /// Returns the alternate keys of a type, each as paths with their aliases (`Core.AlternateKeys`), those of a set before.
    public func alternateKeys(of id: StructuredTypeID, in source: NavigationSource? = nil)
        -> [[KeyProperty]]
    {
        var annotations: [Annotation] = []
        if case .entitySet(let index)? = source {
            annotations = container.entitySets[index].annotations
        }
        annotations += lineage(of: id).flatMap { self[$0].annotations }
        let value =
            annotations.value(of: Terms.alternateKeys)
            ?? annotations.value(of: Terms.communityAlternateKeys)
        return (value?.items ?? []).map { key in
            (key["Key"]?.items ?? []).compactMap { part in
                part["Name"]?.text.map { KeyProperty(path: $0, alias: part["Alias"]?.text) }
            }
        }
    }
}
