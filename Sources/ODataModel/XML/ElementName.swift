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

    /// Spellings in the order of the cases.
    static let spellings: [String] = allCases.map { capitalized(String(describing: $0)) }

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

/// Returns the text with an upper-case first ASCII letter.
func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
}
