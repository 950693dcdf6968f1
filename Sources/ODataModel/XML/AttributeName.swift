/// The attributes without namespace of CSDL XML of any version that the reader knows.
///
/// The spelling in documents is the case's name with a capital first letter, but for `SRID`.
enum AttributeName: UInt8, CaseIterable {
    case name, type, nullable, maxLength, precision, scale, unicode, srid, defaultValue
    case fixedLength, collation, concurrencyMode, collectionKind, dateTimeKind
    case namespace, alias, version, uri, termNamespace, qualifier, targetNamespace, url
    case baseType, abstract, openType, hasStream, underlyingType, isFlags, value
    case containsTarget, partner, relationship, fromRole, toRole
    case referencedProperty, action, function, role, multiplicity, association
    case isBound, isComposable, entitySetPath, isBindable, isSideEffecting, returnType, mode
    case entityType, entitySet, includeInServiceDocument, extends, target, appliesTo, usage
    case term, property
    // Expressions of annotations.
    case bool, string, int, float, decimal, double, enumMember
    case binary, date, dateTime, dateTimeOffset, time, timeOfDay, duration, guid
    case path, propertyPath, navigationPropertyPath, annotationPath, modelElementPath
    case anyPropertyPath, urlRef

    /// The local name in documents.
    var spelling: String { AttributeName.spellings[Int(rawValue)] }

    /// Spellings in the order of the cases.
    static let spellings: [String] = allCases.map {
        $0 == .srid ? "SRID" : capitalized(String(describing: $0))
    }

    /// Whether the attribute is an annotation expression in short form.
    var isExpression: Bool { rawValue >= AttributeName.bool.rawValue }

    /// Whether the expression is a path.
    var isPath: Bool {
        rawValue >= AttributeName.path.rawValue && self != .urlRef
    }
}
