extension URLParser {
    /// Reads transformations separated by slashes (OData Extension for Data Aggregation 4.0 § 3).
    mutating func transformations() throws(ODataURLError) -> [WrittenTransformation] {
        throw ODataURLError(.notSupported, at: scanner.offset, "$apply is not read yet")
    }
}
