#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The key under which tests that are about something else keep their stores: none, unless `OFFLINE_ODATA_TEST_KEY` is set.
public enum TestKey {
    /// 32 bytes, which the cipher takes as they are; nil for stores in plain text.
    public static let bytes: [UInt8]? =
        ProcessInfo.processInfo.environment["OFFLINE_ODATA_TEST_KEY"] == nil
        ? nil : [UInt8](repeating: 0x5A, count: 32)
}
