import OfflinePolicies
import ODataHTTP
import OfflineOData

/// What the policy layer keeps with a stored collection.
///
///     12345 {"policy":{"fetchPolicy":["FETCH_FROM_CACHE","path","items/*"],…},"own":{…},"session":3,"pin":"high"}
///     └ bytes of the answers, in front so that SQL can add them up
struct CopyAttributes: Sendable, Equatable {
    /// Bytes of the answers that made the copy.
    var byteCount = 0
    /// The effective policies when the copy was last fetched; nil before that.
    var policy: EffectivePolicy?
    /// Policies that the application has set for this resource.
    var own = ResourcePolicy()
    /// The session in which the copy was fetched.
    var session: Int?
    /// How early the resource is synchronised.
    var pin = PinPriority.normal
    /// Whether the URL addresses several entities, stored so that it need not be parsed again.
    var isCollection = false
    /// Whether it is the copy of a file: the content of a stream.
    var isFile = false
    /// Bytes beyond which the file is not kept; nil where nothing but `maxStoreSize` says so.
    var fileLimit: Int?
    /// Header fields of the reader's that go along with every refresh.
    var headers: HTTPHeaders = [:]

    /// What earlier reads have said that stays with the resource; where a read is answered from is said anew by each.
    var lasting: ResourcePolicy {
        var lasting = policy?.values(from: .request) ?? ResourcePolicy()
        (lasting.fetchPolicy, lasting.noCache) = (nil, nil)
        return lasting
    }

    init() {}

    /// Reads what was kept; attributes that nothing is known of count as none.
    init(_ text: String?) {
        guard let text, let start = text.firstIndex(of: "{"),
            let value = ODataValue(json: String(text[start...]))
        else { return }
        byteCount = Int(text.prefix { $0.isNumber }) ?? 0
        policy = value["policy"].map(EffectivePolicy.init(stored:))
        own = value["own"].map(ResourcePolicy.init(stored:)) ?? ResourcePolicy()
        session = value["session"]?.integerValue.map(Int.init)
        pin = value["pin"]?.stringValue.flatMap(PinPriority.init) ?? .normal
        isCollection = value["collection"]?.booleanValue ?? false
        isFile = value["file"]?.booleanValue ?? false
        fileLimit = value["limit"]?.integerValue.map(Int.init)
        for field in value["headers"]?.items ?? [] {
            guard let pair = field.items, pair.count == 2, let name = pair[0].stringValue,
                let text = pair[1].stringValue
            else { continue }
            headers.add(name, text)
        }
    }

    /// The text that is kept.
    var text: String {
        var members: [(name: String, value: ODataValue)] = []
        if let policy { members.append(("policy", policy.stored)) }
        if !own.isEmpty { members.append(("own", own.stored)) }
        if let session { members.append(("session", .integer(Int64(session)))) }
        if pin != .normal { members.append(("pin", .string(pin.rawValue))) }
        if isCollection { members.append(("collection", .boolean(true))) }
        if isFile { members.append(("file", .boolean(true))) }
        if let fileLimit { members.append(("limit", .integer(Int64(fileLimit)))) }
        let fields = headers.fields.map {
            ODataValue.collection([.string($0.name), .string($0.value)])
        }
        if !fields.isEmpty { members.append(("headers", .collection(fields))) }
        return "\(byteCount) " + ODataValue.object(members).json
    }
}
