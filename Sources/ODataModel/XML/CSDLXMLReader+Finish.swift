import ODataText

extension CSDLXMLReader {
    /// Returns the assembly with versions and counts set.
    mutating func finishedAssembly() -> CSDLAssembly {
        noteLateAliases()
        if isMain {
            assembly.model.version = version
            assembly.counts = counts
        }
        return assembly
    }

    /// An alias may be declared after the terms that use it.
    private mutating func noteLateAliases() {
        for term in terms {
            let expanded = assembly.expanded(assembly.symbols[term.written])
            if expanded != term.resolved { assembly.lateTerms[term.resolved] = expanded }
        }
    }

    /// The version: of the wrapper from 4.0 on; before, the newest that the wrapper's attributes or the schemas state.
    ///
    /// A service of version 3 may write schemas of an older namespace and name the version in
    /// `m:MaxDataServiceVersion` only.
    var version: ODataVersion {
        if edmVersion >= 40 || edmxVersion?.hasPrefix("4") ?? false {
            return edmxVersion == "4.01" ? .v401 : .v4
        }
        if edmVersion == 30 { return .v3 }
        let declared = [dataServiceVersion, maximumDataServiceVersion].compactMap(dataVersion)
        return declared.max() ?? .v2
    }

    /// Reads `2.0` or `2.0;NetFx`; versions from 4 on are no answer here.
    private func dataVersion(_ text: String?) -> ODataVersion? {
        guard let number = text?.split(separator: ";").first else { return nil }
        let version = ODataVersion(rawValue: String(number.trimmed()))
        return version.flatMap { $0.isV4 ? nil : $0 }
    }

    private var counts: CSDLCounts {
        var counts = CSDLCounts()
        counts.schemas = count(.schema)
        counts.entityTypes = count(.entityType)
        counts.complexTypes = count(.complexType)
        counts.enumTypes = count(.enumType)
        counts.typeDefinitions = count(.typeDefinition)
        counts.entitySets = count(.entitySet)
        counts.singletons = count(.singleton)
        counts.functions = count(.function)
        counts.actions = count(.action)
        counts.functionImports = count(.functionImport)
        counts.actionImports = count(.actionImport)
        counts.properties = count(.property)
        counts.navigationProperties = count(.navigationProperty)
        return counts
    }

    private func count(_ element: ElementName) -> Int { elementCounts[Int(element.rawValue)] }
}
