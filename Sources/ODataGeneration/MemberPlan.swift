import ODataModel

/// A property of a struct: its names, its type, and how it stands in queries.
struct MemberPlan {
    /// Name in OData.
    var odataName: String
    /// Name in Swift, not escaped.
    var name: String
    /// Type in Swift, without `?`.
    var type: String
    var isOptional: Bool
    /// The expression that makes the member of `Fields`.
    var field: String
    /// The type of the member of `Fields`.
    var fieldType: String
    var documentation: [String]

    var fullType: String { isOptional ? type + "?" : type }
    var escapedName: String { SwiftName.escaped(name) }
}

/// Plans the members of a struct.
struct MemberPlanner {
    let model: EdmModel
    let names: TypeNames
    let selection: TypeSelection
    let id: StructuredTypeID

    func members() -> [MemberPlan] {
        // `Fields` has a member of its own.
        var taken: Set<String> = ["odataPlace"]
        let properties = model.properties(of: id).compactMap { property($0) }
        let navigations = model.navigationProperties(of: id).compactMap { navigation($0) }
        var known: Set<String> = []
        // A derived type that declares a property once more has it once.
        let members = (properties + navigations).filter { known.insert($0.odataName).inserted }
        return members.map { member in
            var member = member
            member.name = SwiftName.unique(member.name, among: &taken)
            return member
        }
    }

    // MARK: Properties

    private func property(_ property: StructuralProperty) -> MemberPlan? {
        // A stream is read by its own URL.
        if model.underlyingPrimitive(of: property.type.type) == .stream { return nil }
        let single = swiftType(of: property.type.type)
        let isCollection = property.type.isCollection
        let holdsItself = !isCollection && isRecursive(property.type.type)
        let type =
            isCollection
            ? "[\(single)\(property.isNullable ? "?" : "")]"
            : holdsItself ? "ODataRelated<\(single)>" : single
        // What the service computes is not there before it has answered.
        let isComputed = property.annotations.flag("Org.OData.Core.V1.Computed") == true
        let isOptional =
            isCollection ? isComputed : property.isNullable || isComputed || holdsItself
        let (field, fieldType) = field(property, type + (isOptional ? "?" : ""), single)
        return MemberPlan(
            odataName: property.name,
            name: SwiftName.member(property.name),
            type: type,
            isOptional: isOptional,
            field: field,
            fieldType: fieldType,
            documentation: Documentation.lines(
                property.annotations,
                fallback: "The property `\(property.name)`."
            )
        )
    }

    private func field(
        _ property: StructuralProperty,
        _ fullType: String,
        _ single: String
    ) -> (expression: String, type: String) {
        let name = SwiftName.literal(property.name)
        if case .structured = property.type.type {
            let type = property.type.isCollection ? "ODataRelations" : "ODataRelation"
            return ("\(type)(odataPlace, \(name))", "\(type)<\(single)>")
        }
        let form =
            switch model.underlyingPrimitive(of: property.type.type) {
            case .date: ", as: .day"
            case .dateTime: ", as: .dateTime"
            case .timeOfDay: ", as: .timeOfDay"
            default: ""
            }
        return ("ODataField(odataPlace, \(name)\(form))", "ODataField<\(fullType)>")
    }

    private func swiftType(of type: NamedType) -> String {
        switch type {
        case .primitive(let primitive): return Self.swiftType(of: primitive)
        case .definition(let id): return Self.swiftType(of: model[id].underlyingType)
        case .enumeration, .structured: return names.qualified(type)
        case .untyped, .unresolved: return "ODataValue"
        }
    }

    private static func swiftType(of type: PrimitiveType) -> String {
        switch type {
        case .string, .timeOfDay: "String"
        case .boolean: "Bool"
        case .byte: "UInt8"
        case .sbyte: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int64: "Int64"
        case .single: "Float"
        case .double: "Double"
        case .decimal: "Decimal"
        case .guid: "UUID"
        case .date, .dateTime, .dateTimeOffset: "Date"
        case .duration, .time: "Duration"
        case .binary: "Data"
        default: "ODataValue"
        }
    }

    /// Whether a value of the type may hold one of this type, which a struct cannot.
    private func isRecursive(_ type: NamedType) -> Bool {
        guard case .structured(let start) = type else { return false }
        var waiting = [start]
        var seen: Set<StructuredTypeID> = []
        while let next = waiting.popLast() {
            if next == id { return true }
            guard seen.insert(next).inserted else { continue }
            for property in model.properties(of: next) where !property.type.isCollection {
                if case .structured(let inner) = property.type.type { waiting.append(inner) }
            }
        }
        return false
    }

    // MARK: Relations

    private func navigation(_ navigation: NavigationProperty) -> MemberPlan? {
        guard let target = navigation.target, selection.contains(target) else { return nil }
        let type = names.qualified(.structured(target))
        let field = navigation.isCollection ? "ODataRelations" : "ODataRelation"
        return MemberPlan(
            odataName: navigation.name,
            name: SwiftName.member(navigation.name),
            type: navigation.isCollection ? "[\(type)]" : "ODataRelated<\(type)>",
            isOptional: true,
            field: "\(field)(odataPlace, \(SwiftName.literal(navigation.name)))",
            fieldType: "\(field)<\(type)>",
            documentation: Documentation.lines(
                navigation.annotations,
                fallback: "The relation `\(navigation.name)`; nil where it is not expanded."
            )
        )
    }
}
