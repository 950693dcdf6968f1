/// A relationship of CSDL 1.0 to 3.0: two ends with roles (CSDL 3.0 § 2.1.17).
struct Association {
    /// Qualified name.
    var name: String
    var ends: [End] = []
    var constraint: Constraint?
    var line: Int

    struct End {
        var role: String
        /// Type as written.
        var type: NamedType
        var multiplicity: Multiplicity
        var onDelete: OnDelete?
    }

    /// How many entities an end may have.
    enum Multiplicity {
        case zeroOrOne
        case one
        case many

        /// Reads `0..1`, `1` or `*`.
        init?(_ text: String) {
            switch text {
            case "0..1": self = .zeroOrOne
            case "1": self = .one
            case "*": self = .many
            default: return nil
            }
        }
    }

    /// Equal properties of the two ends; positions belong together.
    struct Constraint {
        var principalRole = ""
        var principalProperties: [String] = []
        var dependentRole = ""
        var dependentProperties: [String] = []
    }
}

/// A navigation property of CSDL 1.0 to 3.0, which names an association and two of its roles.
struct RoleNavigation {
    /// Index of the declaring type in the model.
    var type: Int
    /// Index among the navigation properties of the type.
    var index: Int
    /// Association as written.
    var relationship: String
    var fromRole: String
    var toRole: String
    var line: Int
}

/// Which sets the ends of an association are in (CSDL 3.0 § 2.1.18).
struct AssociationSet {
    var name: String
    /// Association as written.
    var association: String
    /// Role, empty where it is left out, and the name of the set.
    var ends: [(role: String, entitySet: String)] = []
    var line: Int
}
