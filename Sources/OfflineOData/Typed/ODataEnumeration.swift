public import ODataBinding
import ODataModel
import OfflineValues

/// An enumeration type of a service; members that a later version of it adds have a case of their own, `other`.
public protocol ODataEnumeration: RawRepresentable, Codable, Hashable, Sendable, ODataLiteral
where RawValue == String {
    /// Qualified name of the type in the model.
    static var odataType: String { get }

    /// Creates the member of a name.
    init(rawValue: String)
}

extension ODataEnumeration {
    /// Returns the member.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression {
        .enumeration(Self.odataType, rawValue)
    }
}

/// An enumeration type of a service whose members can be combined.
public protocol ODataFlags: OptionSet, Codable, Hashable, Sendable, ODataLiteral
where RawValue == Int64, Element == Self {
    /// Qualified name of the type in the model.
    static var odataType: String { get }
    /// The members by their names.
    static var odataMembers: [(name: String, value: Int64)] { get }
}

extension ODataFlags {
    /// The names of the members that are set, between commas; bits without a name as a number.
    public var odataText: String {
        if let exact = Self.odataMembers.first(where: { $0.value == rawValue }) {
            return exact.name
        }
        var rest = rawValue
        var names: [String] = []
        for member in Self.odataMembers
        where member.value != 0 && rawValue & member.value == member.value {
            names.append(member.name)
            rest &= ~member.value
        }
        return rest == 0 && !names.isEmpty ? names.joined(separator: ",") : String(rawValue)
    }

    /// Reads members between commas, and numbers; members that a later version of the type has added are the bits that it says.
    ///
    /// - Throws: `DecodingError` for a name that is no member.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self.init(rawValue: number)
            return
        }
        var value: Int64 = 0
        for part in try container.decode(String.self).split(separator: ",") {
            let name = String(part).filter { $0 != " " }
            guard
                let member = Self.odataMembers.first(where: { $0.name == name })?.value
                    ?? Int64(name) ?? Self.addedMember(name, decoder)
            else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\(name) is no member of \(Self.odataType)"
                )
            }
            value |= member
        }
        self.init(rawValue: value)
    }

    /// The bits of a member that the model of the store has and the application's type does not.
    private static func addedMember(_ name: String, _ decoder: any Decoder) -> Int64? {
        guard let key = CodingUserInfoKey.edmModel,
            let model = decoder.userInfo[key] as? EdmModel,
            case .enumeration(let type)? = model.type(named: odataType)
        else { return nil }
        return model[type].members.first { $0.name == name }?.value
    }

    /// Writes the names of the members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(odataText)
    }

    /// Returns the members.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression {
        .enumeration(Self.odataType, odataText)
    }
}
