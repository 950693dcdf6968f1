#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
package import ODataHTTP

extension HTTPDate {
    /// The time of this machine.
    package static var now: HTTPDate {
        HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
    }
}
