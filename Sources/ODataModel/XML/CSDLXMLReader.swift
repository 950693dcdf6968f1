/// Builds the assembly of a model from the elements of a CSDL XML document, of any version, as they come.
///
/// One stack of contexts says where in the document the reader is; what is being built (a type, an operation, a
/// container) stands in a member of its own until its end tag. Namespaces, elements and places that are wrong are
/// reported as diagnostics and skipped with their content, and so are elements without required attributes; a fatal error
/// is kept in `failure`.
struct CSDLXMLReader {
    /// Where the reader is, by the element that it is in.
    enum Context {
        case document, edmx, wrapper, reference
        case schema, entityType, complexType, property, navigationProperty, key
        case enumType, member, typeDefinition
        case operation, parameter, returnType
        case association, associationEnd, constraint, principal, dependent
        case container, entitySet, singleton, associationSet, functionImport, actionImport
        /// A function import of versions 1 to 3, which is an operation, too.
        case operationImport
        case annotations, annotation, record, propertyValue, collection, expression
        /// An element that can only be annotated, and whose annotations have no place in the model.
        case leaf
    }

    /// A wrong namespace of a schema that is read all the same, and with it that of the elements in it.
    enum AdoptedNamespace {
        case none
        case wrapper
    }

    var assembly: CSDLAssembly
    /// Whether this is the document itself, not one that it refers to.
    let isMain: Bool
    let limits: CSDLLimits
    /// First error that ends the reading.
    var failure: CSDLError?
    /// Line of the element at hand.
    var line = 0
    /// Lines that were skipped before the first element.
    let skippedLines: Int
    /// Character data of an expression, gathered while `wantsText`.
    var text: [UInt8] = []
    var wantsText = false

    var contexts: [Context] = [.document]
    /// Whether a diagnostic says already that the current element is skipped.
    var isLeftOut = false
    /// Depth inside of an element that is skipped.
    var skipDepth = 0
    var elementCounts = [Int](repeating: 0, count: ElementName.allCases.count)

    // Versions as stated in the document.
    var edmxVersion: String?
    /// Newest version among the schemas, times ten.
    var edmVersion = 0
    /// Version of the schema at hand, times ten.
    var schemaVersion = 0
    /// Namespace of the schema at hand where it is not that of schemas.
    var adoptedNamespace: AdoptedNamespace?
    /// Version of the wrapper's namespace, times ten; 0 without a wrapper.
    var wrapperVersion = 0
    var dataServiceVersion: String?
    var maximumDataServiceVersion: String?

    // What is being built.
    var namespace = ""
    var namespaceSymbol = 0
    var type = StructuredType(name: "", kind: .entity)
    var typeNote = CSDLAssembly.TypeNote(line: 0)
    var typeSymbol = 0
    /// Where the role navigations of the type at hand begin.
    var firstRole = 0
    /// Whether the type at hand has a fault that would give it another meaning.
    var isTypeLeftOut = false
    var enumeration = EnumType(name: "")
    var nextMemberValue: Int64? = 0
    /// Names of members of the enumeration at hand that were declared before.
    var repeatedMembers: [String] = []
    var definition = TypeDefinition(name: "", underlyingType: .string)
    var operation = Operation(name: "", kind: .function)
    var operationImport: ImportDraft?
    var container = ContainerDraft(name: "", line: 0)
    var association = Association(symbol: 0, line: 0)
    /// Names of associations come in the same order where properties, associations and their sets have them.
    var associationNames = NameSequence()
    var namesInSets = NameSequence()
    var reference = CSDLReference(uri: "", line: 0)
    var targeted = CSDLAssembly.TargetedAnnotations(
        target: .other(""),
        annotations: [],
        line: 0
    )
    var targetedQualifier: String?
    var frames: [ExpressionFrame] = []

    /// Types and terms, and where they are by the number of the name that is written.
    var typeIndexes = SymbolMap()
    var writtenTypes: [WrittenType] = []
    var termIndexes = SymbolMap()
    var terms: [(written: Int, resolved: String)] = []
    /// For each name the type or enumeration that last declared a member of it, as a running number.
    var stamps = SymbolMap()
    var stamp = 0

    init(assembly: CSDLAssembly, isMain: Bool, skippedLines: Int, limits: CSDLLimits) {
        self.limits = limits
        self.assembly = assembly
        self.isMain = isMain
        self.skippedLines = skippedLines
    }

    /// A function import of versions 1 to 3 while it is read.
    struct ImportDraft {
        var imported: OperationImport
        var isBindable: Bool
    }
}

// MARK: - Faults

extension CSDLXMLReader {
    /// The element of the model at hand, for diagnostics.
    var path: String {
        switch contexts.last(where: { $0.isNamed }) {
        case .entityType?, .complexType?, .key?: type.name
        case .property?: type.name + "/" + (type.ownProperties.last?.name ?? "")
        case .navigationProperty?:
            type.name + "/" + (type.ownNavigations.last?.name ?? "")
        case .enumType?: enumeration.name
        case .member?: enumeration.name + "/" + (enumeration.members.last?.name ?? "")
        case .typeDefinition?: definition.name
        case .operation?, .operationImport?: operation.name
        case .parameter?: operation.name + "/" + (operation.parameters.last?.name ?? "")
        case .association?: assembly.symbols[association.symbol]
        case .container?: container.name
        case .entitySet?, .singleton?: container.name + "/" + (container.sources.last?.name ?? "")
        case .functionImport?:
            container.name + "/" + (container.functionImports.last?.name ?? "")
        case .actionImport?: container.name + "/" + (container.actionImports.last?.name ?? "")
        case .annotations?: assembly.text(of: targeted.target)
        default: namespace
        }
    }

    mutating func warn(_ message: String, at path: String? = nil) {
        note(.warning, message, at: path)
    }

    mutating func note(
        _ severity: CSDLDiagnostic.Severity,
        _ message: String,
        at place: String? = nil
    ) {
        guard isMain else { return }
        assembly.diagnostics.add(
            severity,
            path: place ?? path,
            line: line + skippedLines,
            message: message
        )
    }

    /// Skips the element at hand with all that is in it: it lacks what it needs, and the rest has a meaning without it.
    @discardableResult
    mutating func leaveOut(_ message: String, at place: String? = nil) -> Context? {
        note(.error, message + "; it is left out.", at: place)
        isLeftOut = true
        return nil
    }

    mutating func fail(_ code: CSDLError.Code, _ message: String) {
        guard failure == nil else { return }
        failure = CSDLError(code, message, line: line + skippedLines, path: path)
    }
}

extension CSDLXMLReader.Context {
    /// Whether the context has a path of its own in diagnostics.
    fileprivate var isNamed: Bool {
        switch self {
        case .annotation, .record, .propertyValue, .collection, .expression, .leaf, .returnType,
            .associationEnd, .constraint, .principal, .dependent, .associationSet:
            false
        default: true
        }
    }

    /// Whether annotation expressions may stand here.
    var holdsExpressions: Bool {
        switch self {
        case .annotation, .propertyValue, .collection, .expression: true
        default: false
        }
    }
}
