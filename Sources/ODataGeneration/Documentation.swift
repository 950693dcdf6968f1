import ODataModel

/// Comments made from what a model says of its elements.
enum Documentation {
    /// Returns the lines of a comment; where the model describes nothing, the fallback.
    static func lines(
        _ annotations: [Annotation],
        fallback: String,
        indentation: String = ""
    ) -> [String] {
        let terms = ["Org.OData.Core.V1.Description", "sap:quickinfo", "sap:label"]
        let text = terms.lazy.compactMap { annotations.value(of: $0)?.text }
            .first { $0.contains { !$0.isWhitespace } }
        let lines = (text ?? fallback).split(whereSeparator: \.isNewline)
        return lines.map { "\(indentation)/// " + $0.trimmed }
    }
}

extension Substring {
    /// Without the space at both ends, and without what would end the line.
    fileprivate var trimmed: String {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return SwiftName.comment(String(text))
    }
}
