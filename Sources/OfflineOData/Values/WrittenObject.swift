import ODataProtocol
import Synchronization

/// The JSON object of an entity, taken apart when its members are asked for: who creates an entity often drops the answer.
final class WrittenObject: Sendable {
    private let json: [UInt8]
    private let known = Mutex<[(name: String, value: ODataValue)]?>(nil)

    /// Takes an object that was written here, of values in columns alone: it can be read back.
    init(_ json: [UInt8]) {
        self.json = json
    }

    /// The members in order.
    var members: [(name: String, value: ODataValue)] {
        if let members = known.guarded({ $0 }) { return members }
        guard case .object(let members)? = ODataValue(json: json) else { return [] }
        known.guarded { $0 = members }
        return members
    }
}
