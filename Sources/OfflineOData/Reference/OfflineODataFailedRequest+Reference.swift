import OfflineValues

/// Names of the reference engine.
extension OfflineODataFailedRequest {
    /// The same as ``httpStatus``.
    public var httpStatusCode: Int { httpStatus }
    /// The same as ``message``.
    public var errorMessage: String { message }
}
