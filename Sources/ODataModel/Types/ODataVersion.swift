/// A version of the OData protocol, which is also the version of the CSDL that describes a service.
public enum ODataVersion: String, Sendable, Comparable, CaseIterable {
    /// OData 1.0.
    case v1 = "1.0"
    /// OData 2.0.
    case v2 = "2.0"
    /// OData 3.0.
    case v3 = "3.0"
    /// OData 4.0.
    case v4 = "4.0"
    /// OData 4.01.
    case v401 = "4.01"

    /// Whether the wire format is that of OData 4 (and not the verbose format of versions 1 to 3).
    public var isV4: Bool { self >= .v4 }

    /// Compares by age.
    public static func < (left: Self, right: Self) -> Bool {
        left.ordinal < right.ordinal
    }

    private var ordinal: Int {
        switch self {
        case .v1: 0
        case .v2: 1
        case .v3: 2
        case .v4: 3
        case .v401: 4
        }
    }
}
