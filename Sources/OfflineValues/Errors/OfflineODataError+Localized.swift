#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What `localizedDescription` answers.
extension OfflineODataError: LocalizedError {
    /// The message with its details, a line each.
    public var errorDescription: String? { description }
}
