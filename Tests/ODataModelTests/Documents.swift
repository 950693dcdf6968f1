import ODataModel

/// Small documents, written around what a test is about.
enum Documents {
    /// A document of version 4 with one schema `NS`, alias `Self`.
    static func v4(_ schema: String, references: String = "") -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        \(references)<edmx:DataServices>
        <Schema Namespace="NS" Alias="Self" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        \(schema)
        </Schema>
        </edmx:DataServices>
        </edmx:Edmx>
        """
    }

    /// A document of version 2 with one schema `NS`.
    static func v2(_ schema: String, namespace: String = "2008/09") -> String {
        """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="NS" xmlns="http://schemas.microsoft.com/ado/\(namespace)/edm"
            xmlns:sap="http://www.sap.com/Protocols/SAPData">
        \(schema)
        </Schema>
        </edmx:DataServices>
        </edmx:Edmx>
        """
    }

    /// An entity type of version 2 or 4 with the key `ID` and more.
    static func entity(_ name: String, _ content: String = "", attributes: String = "") -> String {
        """
        <EntityType Name="\(name)" \(attributes)><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(content)</EntityType>
        """
    }

    /// Reads a text as a document.
    static func read(
        _ text: String,
        limits: CSDLLimits = CSDLLimits(),
        references: (CSDLReference) -> [UInt8]? = { _ in nil }
    ) throws(CSDLError) -> CSDLDocument {
        try CSDLDocument(reading: Array(text.utf8), limits: limits, references: references)
    }
}

extension CSDLDocument {
    /// The structured type of a name, for tests that know it is there.
    func type(_ name: String) -> StructuredType? {
        model.structuredType(named: name).map { model[$0] }
    }

    /// The property of a type, for tests that know it is there.
    func property(_ name: String, of type: String = "NS.Order") -> StructuralProperty? {
        model.structuredType(named: type).flatMap { model.property(name, of: $0) }
    }

    /// The navigation property of a type, for tests that know it is there.
    func navigation(_ name: String, of type: String = "NS.Order") -> NavigationProperty? {
        model.structuredType(named: type)
            .flatMap { model.navigationProperty(name, of: $0) }.map { model[$0] }
    }
}
