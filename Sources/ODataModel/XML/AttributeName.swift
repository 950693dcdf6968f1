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
    case term, property, baseTerm
    // Expressions of annotations.
    case bool, string, int, float, decimal, double, enumMember
    case binary, date, dateTime, dateTimeOffset, time, timeOfDay, duration, guid
    case path, propertyPath, navigationPropertyPath, annotationPath, modelElementPath
    case anyPropertyPath, urlRef

    /// The local name in documents.
    var spelling: String { AttributeName.spellings[Int(rawValue)] }

    /// Spellings in the order of the cases, written out as those of `ElementName` are.
    static let spellings = """
        Name Type Nullable MaxLength Precision Scale Unicode SRID DefaultValue FixedLength Collation
        ConcurrencyMode CollectionKind DateTimeKind Namespace Alias Version Uri TermNamespace Qualifier
        TargetNamespace Url BaseType Abstract OpenType HasStream UnderlyingType IsFlags Value
        ContainsTarget Partner Relationship FromRole ToRole ReferencedProperty Action Function Role
        Multiplicity Association IsBound IsComposable EntitySetPath IsBindable IsSideEffecting
        ReturnType Mode EntityType EntitySet IncludeInServiceDocument Extends Target AppliesTo Usage
        Term Property BaseTerm Bool String Int Float Decimal Double EnumMember Binary Date DateTime
        DateTimeOffset Time TimeOfDay Duration Guid Path PropertyPath NavigationPropertyPath
        AnnotationPath ModelElementPath AnyPropertyPath UrlRef
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Whether the attribute is an annotation expression in short form.
    var isExpression: Bool { rawValue >= AttributeName.bool.rawValue }

    /// Whether the expression is a path.
    var isPath: Bool {
        rawValue >= AttributeName.path.rawValue && self != .urlRef
    }
}
