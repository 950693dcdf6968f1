/// A relationship of CSDL 1.0 to 3.0: two ends with roles (CSDL 3.0 § 2.1.17).
///
/// Roles, names of associations and of sets are numbers of the assembly's symbols; -1 stands for none.
struct Association {
    /// Qualified name.
    var symbol: Int
    var ends = EndPair<End>()
    var constraint: Constraint?
    var line: Int

    /// Role of the end whose properties the constraint names as dependent; -1 without a constraint.
    var dependentRole: Int { constraint?.dependentRole ?? -1 }

    struct End {
        var role: Int
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
    }

    /// Equal properties of the two ends; positions belong together.
    struct Constraint {
        var principalRole = -1
        var principalProperties: [String] = []
        var dependentRole = -1
        var dependentProperties: [String] = []
    }
}

/// A navigation property of CSDL 1.0 to 3.0, which names an association and two of its roles.
struct RoleNavigation {
    /// Index of the declaring type in the model.
    var type: Int
    /// Index among the navigation properties of the type.
    var index: Int
    /// Name of the property: it is asked for in the order of the associations, in which the types stand far from each other.
    var name: Int
    /// Association as written.
    var relationship: Int
    var fromRole: Int
    var toRole: Int
    var line: Int
}

/// Which sets the ends of an association are in (CSDL 3.0 § 2.1.18).
struct AssociationSet {
    var name: SymbolTable.NotedText
    /// Association as written.
    var association: Int
    /// Role and name of the set.
    var ends = EndPair<End>()
    var line: Int

    struct End {
        var role: Int
        var entitySet: Int
    }
}
