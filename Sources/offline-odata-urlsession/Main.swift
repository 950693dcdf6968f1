import CommandSupport
import OfflineODataURLSession
import offline_odata

/// The same program with Foundation's `URLSession` linked, which takes longer to load than a command takes: `offline-odata` starts it
/// where `--transport urlsession` asks for it.
@main
struct Main {
    static func main() async {
        await OfflineODataTool.main(urlSession: {
            try URLSessionTransport(settings: URLSessionTransportSettings($0))
        })
    }
}

extension URLSessionTransportSettings {
    fileprivate init(_ options: ConnectionOptions) {
        self.init()
        authorityFile = options.authorityFile
    }
}
