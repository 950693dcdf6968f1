package import ODataModel
package import ODataProtocol

/// Collects the entities of a small payload as `EntityBody` values.
package struct EntityBodyCollector: EntitySink {
    /// The entities of the top level, complete ones.
    package private(set) var entities: [EntityBody] = []
    private var open: [EntityBody] = []
    private var navigations: [EntityBody.Inline] = []

    package init() {}

    package mutating func beginEntity(_ plan: EntityPlan) {
        open.append(EntityBody(plan: plan))
    }

    package mutating func endEntity() {
        guard let body = open.popLast() else { return }
        if open.isEmpty {
            entities.append(body)
        } else {
            navigations[navigations.count - 1].entities.append(body)
        }
    }

    package mutating func type(_ plan: EntityPlan) {
        top { $0.plan = plan }
    }

    package mutating func null(_ slot: Int) { add(.null, slot) }
    package mutating func integer(_ value: Int64, _ slot: Int) { add(.integer(value), slot) }
    package mutating func real(_ value: Double, _ slot: Int) { add(.real(value), slot) }
    package mutating func text(_ value: Span<UInt8>, _ slot: Int) {
        add(.text(String(value)), slot)
    }
    package mutating func blob(_ value: Span<UInt8>, _ slot: Int) { add(.blob(Array(value)), slot) }

    package mutating func exact(_ text: Span<UInt8>, _ slot: Int) {
        let text = String(text)
        top { body in
            guard let last = body.values.indices.last, body.values[last].slot == slot else {
                return
            }
            body.values[last].exact = text
        }
    }

    package mutating func undeclared(_ name: Span<UInt8>, _ json: Span<UInt8>) {
        let member = (String(name), String(json))
        top { $0.undeclared.append(member) }
    }

    package mutating func control(_ information: EntityControl, _ value: Span<UInt8>) {
        let value = String(value)
        top { $0.control[information] = value }
    }

    package mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        let binding = EntityBody.Binding(navigation: navigation, reference: String(reference))
        top { $0.bindings.append(binding) }
    }

    package mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        navigations.append(.init(navigation: navigation, entities: [], isDelta: isDelta))
    }

    package mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        guard var inline = navigations.popLast() else { return }
        // An object that is nothing but an id is a reference (OData JSON 4.01 § 14).
        let references = inline.entities.compactMap(\.referenceOnly)
        let isEmpty = inline.entities.isEmpty
        inline.entities.removeAll { $0.referenceOnly != nil }
        top { body in
            body.bindings += references.map { .init(navigation: navigation, reference: $0) }
            if isEmpty || !inline.entities.isEmpty { body.inline.append(inline) }
        }
    }

    package mutating func removed(id: Span<UInt8>, reason: RemovalReason) {}
    package mutating func link(_ change: LinkChange) {}

    private mutating func add(_ value: Scalar, _ slot: Int) {
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
