import ODataText
package import ODataBinding
package import ODataModel
package import ODataURL

extension BoundRequest {
    /// Reads a URL as the service writes it, or as the store does.
    ///
    /// Services of versions 1 to 3 have literals and options of their own; the store's links are those of version 4. A function that
    /// reports the changes of a collection stands for the collection.
    /// - Throws: `ODataURLError` where it is neither.
    package init(ofService text: String, in model: EdmModel) throws {
        guard !model.version.isV4 else {
            self = try BoundRequest(parsing: text, in: model).reported(in: model)
            return
        }
        do {
            self = try BoundRequest(parsing: text, in: model, version: model.version)
        } catch {
            guard let request = try? BoundRequest(parsing: text, in: model) else { throw error }
            self = request
        }
    }

    /// Reads a URL of an application: the language is that of version 4, beside which the service's own is understood.
    ///
    /// - Throws: `ODataURLError` where it is neither, and where it expands into complex values, which a store cannot.
    package init(
        ofApplication text: String,
        in model: EdmModel,
        limits: URLLimits = URLLimits()
    ) throws {
        try self.init(application: text, in: model, limits: limits)
        guard let expand = options.complexExpand(in: model) else { return }
        throw ODataURLError(
            .notSupported,
            at: text[...].firstRange(ofASCII: expand).map {
                text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
            } ?? 0,
            "\(expand) cannot be expanded: entities inside of complex values are not kept in a store"
        )
    }

    private init(application text: String, in model: EdmModel, limits: URLLimits) throws {
        do {
            self = try BoundRequest(parsing: text, in: model, limits: limits)
        } catch {
            guard !model.version.isV4,
                let request = try? BoundRequest(
                    parsing: text,
                    in: model,
                    version: model.version,
                    limits: limits
                )
            else { throw error }
            self = request
        }
    }
}
