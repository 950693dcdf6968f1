public import OfflinePolicies
public import ODataHTTP
import OfflineOData

extension RESTTransport {
    /// Creates the transport of a service configured by `syncExpress`: updates overwrite the service's version.
    public convenience init(
        root: String,
        express: ExpressConfiguration,
        pageSize: Int? = nil,
        base: any HTTPTransport
    ) {
        var options = Options()
        options.overwrites = true
        options.pageSize = pageSize
        self.init(root: root, templates: express.templates, options: options, base: base)
    }
}
