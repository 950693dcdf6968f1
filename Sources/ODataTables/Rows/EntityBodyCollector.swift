import ODataValues
package import ODataModel
package import ODataPayload

/// Collects the entities of a small payload as `EntityBody` values.
package struct EntityBodyCollector: EntitySink {
    /// The entities of the top level, complete ones.
    package private(set) var entities: [EntityBody] = []
    private var open: [EntityBody] = []
    private var navigations: [OpenNavigation] = []

    /// A navigation property whose value is being read.
    private struct OpenNavigation {
        var inline: EntityBody.Inline
        /// The number of entities around it.
        var depth: Int
    }

    package init() {}

    package mutating func beginEntity(_ plan: EntityPlan) {
        open.append(EntityBody(plan: plan))
    }

    package mutating func endEntity() {
        guard let body = open.popLast() else { return }
        if open.isEmpty {
            entities.append(body)
        } else {
            navigations[navigations.count - 1].inline.entities.append(body)
        }
    }

    package mutating func type(_ plan: EntityPlan) {
        top { $0.plan = plan }
    }

    package mutating func null(_ slot: Int) { add(.null, slot: slot) }
    package mutating func integer(_ value: Int64, slot: Int) { add(.integer(value), slot: slot) }
    package mutating func real(_ value: Double, slot: Int) { add(.real(value), slot: slot) }
    package mutating func text(_ value: Span<UInt8>, slot: Int) {
        add(.text(String(value)), slot: slot)
    }
    package mutating func blob(_ value: Span<UInt8>, slot: Int) {
        add(.blob(Array(value)), slot: slot)
    }

    package mutating func exact(_ text: Span<UInt8>, slot: Int) {
        let text = String(text)
        top { body in
            guard let last = body.values.indices.last, body.values[last].slot == slot else {
                return
            }
            body.values[last].exact = text
        }
    }

    package mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {
        let member = (String(name), String(json))
        top { $0.undeclared.append(member) }
    }

    package mutating func control(_ information: EntityControl, value: Span<UInt8>) {
        let value = String(value)
        top { $0.control[information] = value }
    }

    package mutating func streamControl(
        _ property: Span<UInt8>,
        _ information: EntityControl,
        value: Span<UInt8>
    ) {
        guard information == .mediaETag else { return }
        let (property, etag) = (String(property), String(value))
        top { $0.streamETags[property] = etag }
    }

    package mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        let binding = EntityBody.Binding(navigation: navigation, reference: String(reference))
        top { $0.bindings.append(binding) }
        inOpenNavigation { $0.references.append(binding.reference) }
    }

    package mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        let inline = EntityBody.Inline(navigation: navigation, entities: [], isDelta: isDelta)
        navigations.append(OpenNavigation(inline: inline, depth: open.count))
    }

    package mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        guard var inline = navigations.popLast()?.inline else { return }
        // An object that is nothing but an id is a reference (OData JSON 4.01 § 14).
        let references = inline.entities.compactMap(\.referenceOnly)
        inline.entities.removeAll { $0.referenceOnly != nil }
        inline.references += references
        inline.isPartial = nextLink != nil
        top { body in
            if nextLink != nil, inline.isEmpty {
                // The link to the rest of what has come before.
                let earlier = body.inline.lastIndex { $0.navigation == navigation }
                if let earlier { body.inline[earlier].isPartial = true }
            }
            body.bindings += references.map { .init(navigation: navigation, reference: $0) }
            if body.isChanged(by: inline) { body.inline.append(inline) }
        }
    }

    package mutating func removed(id: Span<UInt8>, reason: RemovalReason) {
        let removal = EntityBody.Removal(id: String(id), reason: reason)
        inOpenNavigation { $0.removals.append(removal) }
    }

    package mutating func link(_ change: LinkChange) {}

    /// Changes the navigation property whose value is being read, if no entity in it is.
    private mutating func inOpenNavigation(_ change: (inout EntityBody.Inline) -> Void) {
        guard let last = navigations.indices.last, navigations[last].depth == open.count else {
            return
        }
        change(&navigations[last].inline)
    }

    private mutating func add(_ value: Scalar, slot: Int) {
        top { $0.values.append(.init(slot: slot, value: value, exact: nil)) }
    }

    private mutating func top(_ change: (inout EntityBody) -> Void) {
        guard let last = open.indices.last else { return }
        change(&open[last])
    }
}

extension EntityBody {
    /// The id of a body that has nothing else.
    fileprivate var referenceOnly: String? {
        values.isEmpty && undeclared.isEmpty && bindings.isEmpty && inline.isEmpty
            ? control[.id] : nil
    }

    /// Whether a navigation property says more than the body's bindings do.
    ///
    /// References make the whole of a collection; those of a single-valued property, and of a delta, are bindings as any.
    fileprivate func isChanged(by inline: Inline) -> Bool {
        if inline.isPartial && inline.isEmpty { return false }
        guard inline.entities.isEmpty, inline.removals.isEmpty, !inline.references.isEmpty else {
            return !inline.isDelta || !inline.isEmpty
        }
        return !inline.isDelta && plan.isCollection(inline.navigation)
    }
}

extension String {
    /// The text of checked UTF-8 bytes.
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// The bytes of a span.
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension EntityPlan {
    /// Whether a navigation property of the type leads to many entities.
    fileprivate func isCollection(_ navigation: NavigationPropertyID) -> Bool {
        members.contains {
            if case .navigation(navigation, isCollection: true) = $0.kind { true } else { false }
        }
    }
}
