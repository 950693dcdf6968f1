public import ODataClient
public import OfflineValues
public import OfflineSync
import ODataValues
public import ODataHTTP

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

import Synchronization

/// Settings of a store and of its conversation with the service; copied when the provider is made.
///
/// The settings stand in ``Values``, and are read and set here by their names, from any thread:
///
///     let parameters = OfflineODataParameters()
///     parameters.storeName = "events"
@dynamicMemberLookup
public final class OfflineODataParameters: Sendable {
    /// The settings by name.
    public struct Values: Sendable {
        /// Name of the store: its file is `<storeName>.sqlite` below `storePath`.
        public var storeName = "localstore"
        /// Directory of the store; the current one where nil.
        public var storePath: URL?
        /// Header fields sent with every request; can be replaced later by `updateCustomHeaders`.
        public var customHeaders: HTTPHeaders = [:]
        /// Cookies sent with every request; can be replaced later by `updateCustomCookies`.
        public var customCookies: [String: String] = [:]
        /// Query options sent with every request, such as `sap-client`; those of the service root are among them anyway.
        public var customQueryOptions: [String: String] = [:]
        /// Credentials sent to the service; requested again after a 401.
        public var credentials: (any OfflineODataCredentials)?
        /// How often requests that may be sent again are.
        public var retryPolicy = OfflineODataRetryPolicy()
        /// Whether a write that is answered 503 with `Retry-After` is sent again in the same upload; else it waits for the next one.
        public var takesUnavailableAsUnprocessed = false
        /// Whether PATCH, MERGE, PUT and DELETE are sent as POST with `X-HTTP-Method`, for gateways that know GET and POST only.
        public var tunnelsMethods = false
        /// Vouches that the service supports repeatable requests: a request whose answer was lost is sent again under its id.
        public var enableRepeatableRequests = false
        /// Whether requests that wait are merged: a deletion cancels the creation before it, an update becomes part of the creation or
        /// update before it, as far as nothing refers to the entity in between.
        public var enableRequestQueueOptimization = false
        /// Number of requests in one batch, at most; fewer go to a service that takes long to answer.
        public var uploadBatchSize = 100
        /// Bytes of the bodies in one batch, at most; a transaction goes as a whole even where it is larger.
        public var maximumUploadBatchBytes = 8 * 1024 * 1024
        /// How long a cancelled upload still waits for the answer to the request that has left.
        public var cancellationGrace: Duration = .seconds(3)
        /// How several requests are sent as one: JSON is for services of version 4.01 that offer it, the others take `multipart/mixed`.
        ///
        /// A service whose metadata says that it takes JSON only gets JSON. One that refuses one format with 415 gets the other, JSON where
        /// it may be of version 4.01; what it takes is remembered with the store.
        public var uploadBatchFormat = BatchFormat.multipart
        /// Whether values that the service computed are taken from the answers of an upload; else the next download brings them.
        public var appliesUploadResponses = false
        /// Whether what a transfer brings is kept on disk until all of it has come, so that a later call, or a later process, goes on with
        /// it where it was cut; else a download that is cut begins anew, and an upload asks again for answers that had come.
        public var enableBackgroundDataTransfer = true
        /// Carries changes where this process may end before their answers come, as a background `URLSession` does.
        ///
        /// A later process goes on with what it has brought when it calls `upload()`. Where nil, the transport sends them. One that repeats
        /// requests by itself is refused without ``enableRepeatableRequests``, and any with an encrypted store.
        public var backgroundUploads: (any BackgroundUploadSession)?
        /// Whether keys are compared in full after a delta of version 1 to 3 where the service has never reported a deletion: many of these
        /// services leave deletions out.
        public var comparesKeysAfterDeltas = true
        /// Whether entities state which of their relatives are local, have pending changes or are in error state (`hasLocalRelatives` and its
        /// kin), which costs look-ups along all navigation properties; filters such as `sap.haslocalrelatives()` work anyway.
        public var showsStatesOfRelatives = false
        /// Entities in a page of the store's own answers in OData form; nil answers whole results unless the reader asks for pages.
        public var pageSize: Int?
        /// Page size that the service is asked for (`odata.maxpagesize`); nil leaves it to the service.
        public var preferredPageSize: Int?
        /// Size of pages that are asked for by key (`$orderby`, `$top` and `$filter`), for services that bring any result in one piece;
        /// nil leaves paging to the service.
        ///
        /// Such queries are always read in full: changes alone cannot be asked for. Those with `$top` or `$skip` of their own, and those
        /// whose keys have no order that all services know (Boolean, Binary, enumerations), are asked for as they are.
        public var clientDrivenPageSize: Int?
        /// Whether links that name another host are taken as links to the service, for services behind a gateway that do not know their
        /// outer name; else such links are refused.
        public var mapsForeignLinks = false
        /// Origins beside the service's that streams may be read from, such as `https://files.example.com`.
        ///
        /// Credentials, cookies and custom header fields never go there. Streams at other origins are left out.
        public var allowedOrigins: [String] = []
        /// Defining queries that are loaded at the same time, at most; of streams six.
        ///
        /// Where only changes are asked for, the metadata are asked for with them. Loads that run beside each other share the memory of a
        /// few. With 1 each request waits for the answer to the one before.
        public var parallelQueryCount = 32
        /// Batches of changes that are at the service at the same time, once the first one has succeeded.
        ///
        /// No request is sent beside one that it waits for: an entity's changes are sent in their order, and what refers to a created
        /// entity goes behind it. With 1 each batch waits for the answer to the one before, so that all changes reach the service in the
        /// order in which they were made.
        public var parallelBatchCount = 6
        /// Time without a byte after which a request fails.
        public var timeout: Duration = .seconds(60)
        /// File of certificates that the service's is checked against; the system's where nil.
        public var certificateAuthorityFile: String?
        /// URL that `sendStore()` puts a copy of the store to, relative to the service root or absolute at the service's origin.
        ///
        /// OData defines no such resource, so there is none unless the service's operator provides one.
        public var sendStoreURL: String?
        /// Name of the person who uses the store; nil where it is not shared.
        public var currentUser: String?
        /// Whether changes of the user before are uploaded when another one opens the store; it is not opened where that fails.
        public var forceUploadOnUserSwitch = false
        /// Key of an encrypted store as a text; a store that is made is encrypted with it.
        ///
        /// It needs a SQLite that can encrypt, see ``OfflineODataEncryptionKey``.
        public var storeEncryptionKey: String?
        /// The same key as bytes, or in memory that is overwritten after its use; one of both can be given.
        public var storeKey: OfflineODataEncryptionKey?
        /// Whether entity sets that exist in the store only are taken from a metadata document of the application's own.
        ///
        /// Setting it is refused: every set of the store is one of the service's.
        public var enableClientOnlyMetadata = false
        /// Takes what the engine logs; nothing where nil.
        public var logger: (any OfflineODataLogger)?
        /// How much services and requests may ask of this engine.
        public var limits = OfflineODataLimits()
        /// Carries the requests; where nil ``standardTransport()`` does.
        public var transport: (any HTTPTransport)?
        /// Time that another process's synchronisation is waited for.
        public var waitsForOtherProcess: Duration = .zero

        /// Creates the default settings.
        public init() {}
    }

    private let values: Mutex<Values>

    /// Creates the default settings.
    public convenience init() { self.init(Values()) }

    /// Creates settings from their values.
    public init(_ values: Values) { self.values = Mutex(values) }

    /// Reads and sets a setting.
    public subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<Values, Value>) -> Value {
        get { values.guarded { $0[keyPath: path] } }
        set { values.guarded { $0[keyPath: path] = newValue } }
    }

    /// All settings as they are now.
    public var all: Values { values.guarded { $0 } }
}
