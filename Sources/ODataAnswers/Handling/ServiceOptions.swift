public import ODataURL
public import ODataHTTP

/// How a service behaves.
public struct ServiceOptions: Sendable {
    /// Absolute URL of the service root with a slash at its end; nil makes it from the `Host` field.
    public var serviceRoot: String?
    /// Path of the service root on the host, with a slash at both ends; used where `serviceRoot` is nil.
    public var rootPath = "/"
    /// Entities in a page at most; nil answers a whole result unless the client asks for pages.
    public var pageSize: Int?
    /// Whether `$batch` is offered.
    public var hasBatch = true
    /// Whether a PATCH or PUT of an entity that is not there creates it (OData 4.01 Part 1 § 11.4.4).
    public var allowsUpsert = true
    /// Whether changes of sets with `Core.OptimisticConcurrency` are refused without `If-Match`.
    public var demandsPreconditions = true
    /// Whether a body without `Content-Type` is refused (415); otherwise it is taken for JSON.
    public var demandsContentType = false
    /// Whether entities with local changes show the ETag of the service that they come from, not one of their own.
    package var showsOriginalETags = false
    /// Whether what the metadata says cannot be read, filtered, ordered, counted or expanded is refused; a store offers more than the
    /// service that it comes from.
    package var obeysRestrictions = false
    /// Whether members that a change takes out of a complex value stay as null: a store has to tell the service that it comes from.
    package var keepsRemovedMembers = false
    /// Path of the database's file, named in messages about it; nil where clients have nothing to do with the file.
    package var databaseFile: String?
    /// The URL of the one request as its application wrote it, where it was completed since.
    package var writtenURL: WrittenURL?
    /// Time that each answer waits, so that clients meet a slow network.
    public var latency: Duration = .zero
    /// What is taken from a client.
    public var limits = ServiceLimits()

    /// Creates the behaviour of a plain service.
    public init() {}
}

/// What a service takes from a client before it refuses.
public struct ServiceLimits: Sendable {
    /// Bytes of a body: enough for a media stream of a phone's camera.
    public var bodyBytes = 256 << 20
    /// Requests of a batch.
    public var batchParts = 10_000
    /// Heads and depth of batches; of its `parts` and ``batchParts`` the smaller number counts.
    public var batch = BatchLimits()
    /// Largest page that a client can ask for, so that a page is not a whole set by another name.
    public var pageSize = 100_000
    /// Limits of URLs.
    public var url = URLLimits()

    /// Creates limits with the defaults.
    public init() {}
}
