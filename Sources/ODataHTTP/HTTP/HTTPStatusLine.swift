/// The first line of an answer: `HTTP/1.1 200 OK` (RFC 9112 § 4).
package struct HTTPStatusLine {
    /// The status code, from 100 to 999.
    package let status: Int

    /// Reads a line without its end; nil where it is no status line.
    ///
    /// The reason may be missing.
    package init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), status >= 100
        else { return nil }
        self.status = status
    }
}
