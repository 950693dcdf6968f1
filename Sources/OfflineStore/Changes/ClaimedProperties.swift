import ODataModel
import ODataTables
import StoreUpload

/// The properties that requests of an entity set.
struct ClaimedProperties {
    private var slots: Set<Int> = []
    private var names: Set<String> = []
    private var navigations: Set<NavigationPropertyID> = []
    /// Whether one of them is a replacement: it sets what it does not name as well.
    private let isReplacing: Bool

    /// - Parameter isReplacing: Whether one of the bodies is that of a `PUT`.
    init(_ bodies: [EntityBody], isReplacing: Bool) {
        self.isReplacing = isReplacing
        for body in bodies {
            slots.formUnion(body.values.map(\.slot))
            names.formUnion(body.undeclared.map(\.name))
            navigations.formUnion(body.bindings.map(\.navigation) + body.inline.map(\.navigation))
        }
    }

    /// Returns the part of a body that sets these properties, or the one that sets others.
    func part(of body: EntityBody, isClaimed: Bool) -> EntityBody {
        var part = body
        part.values.removeAll { (isReplacing || slots.contains($0.slot)) != isClaimed }
        part.undeclared.removeAll { (isReplacing || names.contains($0.name)) != isClaimed }
        part.bindings.removeAll {
            (isReplacing || navigations.contains($0.navigation)) != isClaimed
        }
        part.inline.removeAll { navigations.contains($0.navigation) != isClaimed }
        return part
    }
}
