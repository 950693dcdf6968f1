/// A model in the making: what the readers of XML and JSON gather before names are resolved.
///
/// Types stand in the model already, with `NamedType.placeholder` where a name of a schema was written; what the model
/// has no place for (base names, associations, several containers) stands beside it. `resolve()` ends the making.
struct CSDLAssembly {
    var model: EdmModel
    /// One for each structured type of the model, at the same index.
    var typeNotes: [TypeNote] = []
    var associations: [Association] = []
    var roleNavigations: [RoleNavigation] = []
    var containers: [ContainerDraft] = []
    /// Names of the sets and singletons of all containers, once all are read.
    var sourceNames: Set<String> = []
    var targetedAnnotations: [TargetedAnnotations] = []
    var references: [CSDLReference] = []
    /// Short names for namespaces, of schemas and includes, of all documents.
    var aliases: [String: String] = [:]
    /// Namespaces that the documents declare.
    var declaredNamespaces: Set<String> = []
    /// All names, numbered.
    var symbols: SymbolTable
    /// The types that the documents declare, and where they are by the number of their qualified name.
    var declarations: [NamedType] = []
    var declarationIndexes = SymbolMap()
    /// For names that were asked for, the numbers of the full names, without alias.
    var fullNames = SymbolMap()
    /// Numbers of the aliases, with those of their namespaces.
    var aliasSymbols: [Int: Int] = [:]
    /// Where the members of each type are, by name; `TypeNote` assigns them to types.
    var members: [MemberPlace] = []
    /// Type names that are to be looked up; `NamedType.placeholder` points to them.
    var names: [WrittenName] = []
    /// What the names stand for, once they are looked up.
    var resolvedNames: [NamedType] = []
    /// Whether the document points to others with `Using` or the like, which have no address.
    var hasOpenReferences = false
    /// Terms whose alias was declared after their first use, with the right names.
    var lateTerms: [String: String] = [:]
    var diagnostics: DiagnosticList
    var counts = CSDLCounts()
    /// Line of the document's root.
    var rootLine = 1

    init(limits: CSDLLimits, documentByteCount: Int = 0) {
        symbols = SymbolTable(documentByteCount: documentByteCount)
        model = EdmModel(version: .v4)
        diagnostics = DiagnosticList(limit: limits.maximumDiagnosticCount)
    }

    /// What is known of a structured type beside its model form.
    struct TypeNote {
        /// Base type as written.
        var base: NamedType?
        var line: Int
        /// Where its members are in `CSDLAssembly.members`.
        var members = 0..<0
    }

    /// The name of a property and where it stands in its type.
    struct MemberPlace {
        var symbol: Int32
        /// Index of a structural property, or the complement of that of a navigation property.
        var place: Int32
    }

    /// Annotations of an element that is named by its path.
    struct TargetedAnnotations {
        enum Target {
            /// `NS.Type` or `NS.Type/Member`, by the numbers of the names.
            case plain(head: Int, member: Int?)
            case other(String)
        }

        var target: Target
        var annotations: [Annotation]
        var line: Int
    }
}

extension CSDLAssembly {
    /// Returns the name with a leading alias replaced by its namespace.
    func expanded(_ name: String) -> String {
        guard !aliases.isEmpty, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            let namespace = aliases[String(name[..<dot])]
        else { return name }
        return namespace + name[dot...]
    }

    /// Notes an alias; a second meaning of it is a fault.
    mutating func addAlias(_ alias: String, for namespace: String, line: Int) {
        if let known = aliases[alias], known != namespace {
            let message = "The alias '\(alias)' already stands for '\(known)'; that stays."
            return diagnostics.add(.error, path: namespace, line: line, message: message)
        }
        aliases[alias] = namespace
        aliasSymbols[symbols.index(of: alias)] = symbols.index(of: namespace)
        fullNames = SymbolMap()
    }

    /// Adds a structured type with what is known beside it; false where its name is taken.
    mutating func add(_ type: consuming StructuredType, symbol: Int, note: TypeNote) -> Bool {
        let id = StructuredTypeID(model.structuredTypes.count)
        guard declare(symbol, as: .structured(id), line: note.line) else { return false }
        model.structuredTypes.append(type)
        typeNotes.append(note)
        return true
    }

    /// Adds an enumeration.
    mutating func add(_ type: EnumType, line: Int) {
        let id = EnumTypeID(model.enumTypes.count)
        guard declare(symbols.index(of: type.name), as: .enumeration(id), line: line) else {
            return
        }
        model.enumTypes.append(type)
    }

    /// Adds a type definition.
    mutating func add(_ type: TypeDefinition, line: Int) {
        let id = TypeDefinitionID(model.typeDefinitions.count)
        guard declare(symbols.index(of: type.name), as: .definition(id), line: line) else { return }
        model.typeDefinitions.append(type)
    }

    /// Notes the type of a name; false where the name is already taken.
    private mutating func declare(_ symbol: Int, as type: NamedType, line: Int) -> Bool {
        guard declarationIndexes[symbol] < 0 else {
            let message = "A type of this name is already declared; this second one is left out."
            diagnostics.add(.error, path: symbols[symbol], line: line, message: message)
            return false
        }
        declarationIndexes[symbol] = declarations.count
        declarations.append(type)
        return true
    }

    /// Returns the number of a name with a leading alias replaced by its namespace.
    mutating func fullName(_ symbol: Int) -> Int {
        if aliasSymbols.isEmpty { return symbol }
        let known = fullNames[symbol]
        if known >= 0 { return known }
        let full = symbols.index(of: symbol, replacing: aliasSymbols)
        fullNames[symbol] = full
        return full
    }

    /// Returns the type that a name, its alias or not, is declared for.
    mutating func declaration(_ symbol: Int) -> NamedType? {
        let index = declarationIndexes[symbol]
        if index >= 0 { return declarations[index] }
        let full = declarationIndexes[fullName(symbol)]
        return full >= 0 ? declarations[full] : nil
    }
}
