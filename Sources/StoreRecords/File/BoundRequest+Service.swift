package import ODataBinding
package import ODataModel
package import ODataURL

extension BoundRequest {
    /// Reads a URL as the service writes it, or as the store does.
    ///
    /// Services of versions 1 to 3 have literals and options of their own; the store's links are those of version 4.
    /// - Throws: `ODataURLError` where it is neither.
    package init(ofService text: String, in model: EdmModel) throws {
        guard !model.version.isV4 else {
            self = try BoundRequest(parsing: text, in: model)
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
    /// - Throws: `ODataURLError` where it is neither.
    package init(
        ofApplication text: String,
        in model: EdmModel,
        limits: URLLimits = URLLimits()
    ) throws {
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
