import ODataPayload

/// The form of JSON in which the body of a request is written.
package enum BodyDialect {
    /// OData 4: references beside the members (`Name@odata.bind`). The function gives the text of one; nil leaves it out.
    case v4(reference: (EntityBody.Binding) throws -> String?)
    /// The verbose JSON of versions 1 to 3: references are `__metadata` with a URI, which the function gives.
    ///
    /// `uri` is where the entity is, if the service has it already.
    case verbose(uri: String?, link: (String) -> String)

    var isVerbose: Bool {
        if case .verbose = self { true } else { false }
    }
}
