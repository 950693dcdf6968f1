/// What values may have that the model does not allow: copies of a service's data are as the service has them.
package struct ValueTolerance: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Members of enumerations that the model does not know: services add members.
    package static let unknownMembers = ValueTolerance(rawValue: 1)
    /// Items that are null, in collections of which the model does not say that none is (OData CSDL XML 4.01 § 7.2.1).
    package static let unstatedNulls = ValueTolerance(rawValue: 2)
    /// Whatever a download takes: nulls and absent values, lengths, digits, and items of any type.
    package static let served = ValueTolerance(rawValue: 4)
    /// New entities without a complex value that cannot be null: the service may make it.
    package static let absentComplexValues = ValueTolerance(rawValue: 8)
    /// Complex values without a property that they need: what waits was complete when it was written.
    package static let absentMembers = ValueTolerance(rawValue: 16)
    /// New entities without their key: the service gives it.
    package static let absentKeys = ValueTolerance(rawValue: 32)
}
