import ODataBinding
import ODataModel
import ODataSQL
import ODataTables
import ODataValues

/// What the files of an import say of an entity, in little room: by column, a number that differs where the values do.
struct StatedValues: Sendable {
    /// Zero where nothing is said.
    private var marks: [Int32] = []

    init() {}

    /// Values and foreign keys; JSON is left out, since the same value has many texts.
    init(_ body: EntityBody, in source: NavigationSource, _ layout: Layout) {
        guard let table = layout[source] else { return }
        for item in body.values where table.columns[item.slot].kind != .json {
            set(item.value, slot: item.slot)
        }
        for inline in body.inline {
            let target = layout.model.target(of: inline.navigation, from: source)
            guard let entity = inline.entities.first,
                case .dependent(let pairs) = layout.relationship(
                    inline.navigation,
                    from: source,
                    to: target
                )
            else { continue }
            for pair in pairs {
                if let value = entity.value(of: pair.there) { set(value, slot: pair.here) }
            }
        }
    }

    /// Adds the foreign key that an entity has by the place where it stands.
    mutating func addForeignKey(
        to owner: EntityBody,
        through navigation: NavigationPropertyID,
        from source: NavigationSource,
        _ layout: Layout
    ) {
        let target = layout.model.target(of: navigation, from: source)
        guard
            case .principal(let pairs) = layout.relationship(navigation, from: source, to: target)
        else { return }
        for pair in pairs {
            if let value = owner.value(of: pair.here) { set(value, slot: pair.there) }
        }
    }

    private mutating func set(_ value: Scalar, slot: Int) {
        while marks.count <= slot { marks.append(0) }
        let mark = Int32(truncatingIfNeeded: value.hashValue)
        marks[slot] = mark == 0 ? 1 : mark
    }

    /// Adds what is said of the same entity in another place; answers the first column of which it says otherwise.
    mutating func add(_ other: StatedValues) -> Int? {
        while marks.count < other.marks.count { marks.append(0) }
        for (slot, mark) in other.marks.enumerated() where mark != 0 {
            guard marks[slot] == 0 || marks[slot] == mark else { return slot }
            marks[slot] = mark
        }
        return nil
    }
}
