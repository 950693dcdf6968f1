/// The elements of CSDL XML of any version that the reader knows.
///
/// The spelling in documents is the case's name with a capital first letter.
enum ElementName: UInt8, CaseIterable {
    // Wrapper (namespaces of edmx).
    case edmx, dataServices, reference, include, includeAnnotations, annotationsReference
    case runtime, conceptualModels, storageModels, mappings, designer
    // Schema.
    case schema, using, documentation, summary, longDescription
    case entityType, complexType, enumType, typeDefinition, term, valueTerm, rowType
    case property, navigationProperty, key, propertyRef, member
    case referentialConstraint, onDelete
    case action, function, parameter, returnType, definingExpression
    case association, end, principal, dependent, associationSet
    case entityContainer, entitySet, singleton, functionImport, actionImport
    case navigationPropertyBinding
    // Annotations.
    case annotations, annotation, valueAnnotation, typeAnnotation
    case record, propertyValue, collection
    case bool, string, int, float, decimal, double, enumMember
    case binary, date, dateTime, dateTimeOffset, time, timeOfDay, duration, guid
    case path, propertyPath, navigationPropertyPath, annotationPath, modelElementPath
    case anyPropertyPath
    case null, apply, `if`, cast, isOf, isType, urlRef, labeledElement, labeledElementReference
    case and, or, not, eq, ne, gt, ge, lt, le, has, `in`
    case add, sub, mul, div, divBy, mod, neg

    /// The local name in documents.
    var spelling: String { ElementName.spellings[Int(rawValue)] }

    /// Spellings in the order of the cases, written out: to ask for the names of cases takes a millisecond at each start.
    static let spellings = """
        Edmx DataServices Reference Include IncludeAnnotations AnnotationsReference Runtime
        ConceptualModels StorageModels Mappings Designer Schema Using Documentation Summary
        LongDescription EntityType ComplexType EnumType TypeDefinition Term ValueTerm RowType Property
        NavigationProperty Key PropertyRef Member ReferentialConstraint OnDelete Action Function
        Parameter ReturnType DefiningExpression Association End Principal Dependent AssociationSet
        EntityContainer EntitySet Singleton FunctionImport ActionImport NavigationPropertyBinding
        Annotations Annotation ValueAnnotation TypeAnnotation Record PropertyValue Collection Bool
        String Int Float Decimal Double EnumMember Binary Date DateTime DateTimeOffset Time TimeOfDay
        Duration Guid Path PropertyPath NavigationPropertyPath AnnotationPath ModelElementPath
        AnyPropertyPath Null Apply If Cast IsOf IsType UrlRef LabeledElement LabeledElementReference And
        Or Not Eq Ne Gt Ge Lt Le Has In Add Sub Mul Div DivBy Mod Neg
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Whether the element is an expression whose value is its text.
    var holdsText: Bool {
        switch self {
        case .bool, .string, .int, .float, .decimal, .double, .enumMember, .binary, .date,
            .dateTime, .dateTimeOffset, .time, .timeOfDay, .duration, .guid, .path, .propertyPath,
            .navigationPropertyPath, .annotationPath, .modelElementPath, .anyPropertyPath,
            .labeledElementReference:
            true
        default: false
        }
    }

    /// Whether the element belongs to the namespaces of the wrapper.
    var isWrapper: Bool { rawValue <= ElementName.designer.rawValue }
}
