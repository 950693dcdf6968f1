import ODataValues
public import ODataHTTP
import Synchronization

/// What a local change says about its upload; copied when the change is made.
///
/// The options stand in ``Values``, and are read and set here by their names, from any thread.
@dynamicMemberLookup
public final class OfflineODataRequestOptions: Sendable {
    /// The options by name; those of ``OfflineODataRequestLabels`` too.
    @dynamicMemberLookup
    public struct Values: Sendable {
        /// Whether the created entity is removed from the store once it is uploaded with everything that refers to it.
        public var removeCreatedEntityAfterUpload = false
        /// Whether no later change may be merged into the request.
        public var unmodifiableRequest = false
        /// Requests of one transaction take effect together or not at all.
        public var transactionID: String?
        /// Requests of a category can be uploaded by themselves.
        public var uploadCategory: String?
        /// Texts of the application's own, shown in the request queue and the error archive.
        public var labels = OfflineODataRequestLabels()
        /// Header fields of the request.
        public var customHeaders: HTTPHeaders = [:]

        /// Header fields with placeholders in braces, filled in when the request is sent.
        ///
        /// `{Name}` stands for a property of the entity that the request is about, `{readLink/Name}` for one of another entity: so a key
        /// that the service has still to give can be named.
        public var customHeaderFormatTemplate: HTTPHeaders = [:]
        /// An entity whose id names the transaction; takes precedence over `transactionID`.
        public var transactionEntity: OfflineODataGroupEntity?
        /// An entity whose id names the upload category; takes precedence over `uploadCategory`.
        public var uploadCategoryEntity: OfflineODataGroupEntity?
        /// Whether an update changes what the entity gives, or replaces all of it.
        public var updateMode = OfflineODataUpdateMode.merge
        /// Whether an update without any change is queued.
        public var sendEmptyUpdate = false
        /// Whether the service is asked to answer without the entity.
        public var preferNoContent = false

        /// Creates options that ask for nothing special.
        public init() {}

        /// Reads and sets a label.
        public subscript(
            dynamicMember label: WritableKeyPath<OfflineODataRequestLabels, String?>
        ) -> String? {
            get { labels[keyPath: label] }
            set { labels[keyPath: label] = newValue }
        }
    }

    private let values: Mutex<Values>

    /// Creates options that ask for nothing special.
    public convenience init() { self.init(Values()) }

    /// Creates options from their values.
    public init(_ values: Values) { self.values = Mutex(values) }

    /// Reads and sets an option.
    public subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<Values, Value>) -> Value {
        get { values.guarded { $0[keyPath: path] } }
        set { values.guarded { $0[keyPath: path] = newValue } }
    }

    /// All options as they are now.
    public var all: Values { values.guarded { $0 } }
}

/// How an update is meant (OData 4.01 Part 1 § 11.4.3).
public struct OfflineODataUpdateMode: Sendable, Hashable, Codable {
    private enum Value: String, Codable { case merge, replace }

    private let value: Value

    /// Properties that are not given stay as they are (PATCH).
    public static let merge = OfflineODataUpdateMode(value: .merge)
    /// Properties that are not given get their default, or null (PUT).
    public static let replace = OfflineODataUpdateMode(value: .replace)
}

/// An entity whose id gives a transaction or an upload category its name.
public struct OfflineODataGroupEntity: Sendable {
    package enum Value: Sendable {
        case entity(EntityValue)
        case created
    }

    package let value: Value

    /// An entity of the store.
    public static func entity(_ entity: EntityValue) -> OfflineODataGroupEntity {
        OfflineODataGroupEntity(value: .entity(entity))
    }

    /// The entity that the request creates.
    public static let createdEntity = OfflineODataGroupEntity(value: .created)
}
