import ODataText

/// The body of a request that relates two entities, `{"@odata.id":"…"}` in the form of the queue.
package enum ReferenceBody {
    /// Where the reference stands in a body, which holds nothing else; nil where there is none.
    package static func place(in body: String) -> Range<String.Index>? {
        guard let start = body[...].firstRange(ofASCII: ":\"")?.upperBound,
            let end = body.lastIndex(of: "\""), start <= end
        else { return nil }
        return start..<end
    }
}
