/// What an XML namespace stands for.
enum XMLNamespace: Equatable {
    /// No namespace at all.
    case none
    /// A schema; the number is the protocol version it came with, times ten.
    case edm(Int)
    /// The wrapper.
    case edmx(Int)
    /// Attributes of OData versions 1 to 3, by convention `m:`.
    case metadata
    /// SAP's attributes of versions 1 to 3, by convention `sap:`.
    case sap
    /// A prefix that no declaration binds.
    case unbound
    /// Anything else.
    case other

    /// Classifies a namespace name (CSDL 3.0 § 1.3, OData CSDL XML 4.01 § 2).
    ///
    /// `https` and a slash at the end are read as what they were meant to be.
    init(_ name: String) {
        var plain = name[...]
        if plain.hasPrefix("https://") {
            plain.remove(at: plain.index(plain.startIndex, offsetBy: 4))
        }
        if plain.hasSuffix("/") { plain.removeLast() }
        self =
            switch String(plain) {
            case "http://docs.oasis-open.org/odata/ns/edm": .edm(40)
            case "http://docs.oasis-open.org/odata/ns/edmx": .edmx(40)
            case "http://schemas.microsoft.com/ado/2006/04/edm",
                "http://schemas.microsoft.com/ado/2007/05/edm",
                "http://schemas.microsoft.com/ado/2008/01/edm",
                "http://schemas.microsoft.com/ado/2006/04/edm/entity":
                .edm(10)
            case "http://schemas.microsoft.com/ado/2008/09/edm",
                "http://schemas.microsoft.com/ado/2009/08/edm":
                .edm(20)
            case "http://schemas.microsoft.com/ado/2009/11/edm": .edm(30)
            case "http://schemas.microsoft.com/ado/2006/04/edmx",
                "http://schemas.microsoft.com/ado/2007/06/edmx",
                "http://schemas.microsoft.com/ado/2008/10/edmx",
                "http://schemas.microsoft.com/ado/2009/11/edmx":
                .edmx(10)
            case "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata",
                "http://docs.oasis-open.org/odata/ns/metadata":
                .metadata
            case "http://www.sap.com/Protocols/SAPData", "http://www.successfactors.com/edm/sap":
                .sap
            default: .other
            }
    }
}
