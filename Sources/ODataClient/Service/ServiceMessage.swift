import ODataText

/// What a service says to people beside its answer: the header field `sap-message` of SAP Gateway.
enum ServiceMessage {
    /// Returns the text of a header value, a JSON object; of another form the value itself.
    static func text(of header: String) -> String {
        guard let tree = JSONTree(Array(header.utf8)), let message = tree.string("message")
        else { return header }
        return tree.string("severity").map { $0 + ": " + message } ?? message
    }
}
