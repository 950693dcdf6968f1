/// Changes since the last time.
extension LegalTrait {
    static let deltas: [LegalTrait] = [
        deltaMissing,
        trackingRefused400,
        trackingRefused501,
        deltaLinkUnasked,
        deltaForgotten410,
        deltaForgotten404,
        deltaForgotten400,
        deltaRepeats,
        deltaNamesTwice,
        deltaTombstonesFirst,
        deltaTombstonesOld,
        deltaTombstonesByKey,
        deltaIDsRelative,
        deltaReasonMissing,
        deltaReasonAlwaysChanged,
        deltaNamesStrangers,
    ]

    static let deltaMissing = LegalTrait(
        "deltaMissing",
        "OData 4.01 Part 1 § 8.2.8.8 (tracking may be ignored)",
        "does not track changes",
        family: "delta"
    )
    static let trackingRefused400 = LegalTrait(
        "trackingRefused400",
        "hand-made services",
        "answers 400 to track-changes",
        family: "delta"
    )
    static let trackingRefused501 = LegalTrait(
        "trackingRefused501",
        "Olingo, hand-made services",
        "answers 501 to track-changes",
        family: "delta"
    )
    static let deltaLinkUnasked = LegalTrait(
        "deltaLinkUnasked",
        "OData 4.01 Part 1 § 11.3 (a service may offer it), Graph",
        "brings a delta link unasked"
    )
    static let deltaForgotten410 = LegalTrait(
        "deltaForgotten410",
        "OData 4.01 Part 1 § 11.3.2",
        "forgets delta links with 410",
        family: "deltaForgotten"
    )
    static let deltaForgotten404 = LegalTrait(
        "deltaForgotten404",
        "OData 4.01 Part 1 § 11.3.2",
        "forgets delta links with 404",
        family: "deltaForgotten"
    )
    static let deltaForgotten400 = LegalTrait(
        "deltaForgotten400",
        "hand-made services, Graph (resync)",
        "forgets delta links with 400",
        family: "deltaForgotten"
    )
    static let deltaRepeats = LegalTrait(
        "deltaRepeats",
        "OData 4.01 Part 1 § 11.3 (entities may come again)",
        "brings unchanged entities again"
    )
    static let deltaNamesTwice = LegalTrait(
        "deltaNamesTwice",
        "OData 4.01 Part 1 § 11.3 (the last state counts)",
        "brings an entity twice in one delta"
    )
    static let deltaTombstonesFirst = LegalTrait(
        "deltaTombstonesFirst",
        "OData JSON 4.01 § 15 (order)",
        "brings deletions before changes"
    )
    static let deltaTombstonesOld = LegalTrait(
        "deltaTombstonesOld",
        "OData JSON 4.0 § 14.2",
        "writes deletions with a $deletedEntity context",
        family: "tombstones"
    )
    static let deltaTombstonesByKey = LegalTrait(
        "deltaTombstonesByKey",
        "OData JSON 4.01 § 15.3 (key properties instead of the id)",
        "names deleted entities by key",
        family: "tombstones"
    )
    static let deltaIDsRelative = LegalTrait(
        "deltaIDsRelative",
        "OData JSON 4.01 § 4.5.8",
        "names deleted entities by relative ids"
    )
    static let deltaReasonMissing = LegalTrait(
        "deltaReasonMissing",
        "OData JSON 4.01 § 15.3 (reason is optional)",
        "gives no reason for a removal",
        family: "reason"
    )
    static let deltaReasonAlwaysChanged = LegalTrait(
        "deltaReasonAlwaysChanged",
        "OData JSON 4.01 § 15.3 (changed: no longer in the result)",
        "gives the reason changed for everything",
        family: "reason"
    )
    static let deltaNamesStrangers = LegalTrait(
        "deltaNamesStrangers",
        "OData 4.01 Part 1 § 11.3 (clients must be prepared for unknown ids)",
        "names entities as deleted that the client has never seen"
    )
}
