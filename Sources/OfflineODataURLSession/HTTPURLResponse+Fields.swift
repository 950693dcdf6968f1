import ODataHTTP

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

extension HTTPURLResponse {
    /// Codings that `URLSession` takes away by itself.
    private static let codings: Set = ["gzip", "x-gzip", "deflate", "br"]

    /// Whether the body comes unpacked, although the fields still say how it was packed.
    var isDecoded: Bool {
        Self.codings.contains((value(forHTTPHeaderField: "Content-Encoding") ?? "").lowercased())
    }

    /// The fields as they are true of the body that is handed on.
    var fields: HTTPHeaders {
        var fields = HTTPHeaders()
        let isDecoded = isDecoded
        for (name, value) in allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            let isOfPacked = ["content-encoding", "content-length"].contains(name.lowercased())
            if isDecoded, isOfPacked { continue }
            guard name.lowercased() == "set-cookie" else {
                fields.add(name, value)
                continue
            }
            for cookie in Self.cookies(value) { fields.add(name, cookie) }
        }
        return fields
    }

    /// Takes fields apart that were joined by commas; a comma may stand in a date as well, where no name and no equals sign follow.
    static func cookies(_ joined: String) -> [String] {
        var cookies: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let text = part.drop { $0 == " " }
            let name = text.prefix { $0 != "=" && $0 != ";" && $0 != " " }
            let beginsOne = !name.isEmpty && text.dropFirst(name.count).first == "="
            if beginsOne || cookies.isEmpty {
                cookies.append(String(text))
            } else {
                cookies[cookies.count - 1] += "," + part
            }
        }
        return cookies
    }
}
