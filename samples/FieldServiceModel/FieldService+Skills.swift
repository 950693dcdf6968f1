// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The enumeration `FieldService.Skills`.
    public struct Skills: ODataFlags {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Skills"
        /// The members by their names.
        public static let odataMembers: [(name: String, value: Int64)] = [
            ("None", 0),
            ("Electrical", 1),
            ("Plumbing", 2),
            ("Heating", 4),
            ("Cooling", 8),
            ("Lifts", 16),
            ("Networks", 32),
        ]

        /// The member `Electrical`.
        public static let electrical = Self(rawValue: 1)
        /// The member `Plumbing`.
        public static let plumbing = Self(rawValue: 2)
        /// The member `Heating`.
        public static let heating = Self(rawValue: 4)
        /// The member `Cooling`.
        public static let cooling = Self(rawValue: 8)
        /// The member `Lifts`.
        public static let lifts = Self(rawValue: 16)
        /// The member `Networks`.
        public static let networks = Self(rawValue: 32)

        /// The bits of the members.
        public var rawValue: Int64

        /// Creates a set of members from their bits.
        public init(rawValue: Int64) { self.rawValue = rawValue }
    }
}
